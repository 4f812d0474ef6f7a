// HPA* over clusters of a query's own shape, which are made for the query and end with it.
//
// Facts of the levels below the highest one are found first, cluster by cluster; those of the
// highest level on the way, as always (grid/hpa/hpa_map.h). Both count as work of this search, so
// equal queries have equal figures whatever was asked before. Not thread-safe; borrows the layer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "engine/snapshot.h"
#include "grid/hpa/hpa_map.h"
#include "grid/hpa/hpa_search.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

class OwnClusterSearch {
 public:
  // REQUIRES: nodes of the world's layer, which is not of hexagons. O(clusters).
  OwnClusterSearch(const Snapshot& world, const HpaShape& shape, NodeId start, GoalSet goals)
      : map_(world.layer, world.topology, world.corner_rule, shape),
        start_(start),
        goals_(std::move(goals)) {}

  // As HpaSearch::advance. May work beyond the slice, on a few clusters at most. Returns
  // kMemoryLimit if the facts take more than FactMemory allows.
  [[nodiscard]] LimitedProgress advance(std::uint32_t* expansions) {
    for (; level_ < map_.shape().levels; ++level_, cluster_ = 0)
      for (; cluster_ < map_.cluster_count(level_); ++cluster_) {
        if (*expansions == 0) return LimitedProgress::kOutOfBudget;
        if (map_.memory().is_full()) return LimitedProgress::kMemoryLimit;
        std::uint64_t made = 0;
        map_.facts(level_, cluster_, &made);
        pay(expansions);
      }
    if (map_.memory().is_full()) return LimitedProgress::kMemoryLimit;
    if (!search_) {
      search_.emplace(map_, start_, goals_);
      pay(expansions);
    }
    const Progress progress = search_->advance(expansions);
    pay(expansions);
    switch (progress) {
      case Progress::kPathFound:
        return LimitedProgress::kPathFound;
      case Progress::kNoPath:
        return LimitedProgress::kNoPath;
      case Progress::kOutOfBudget:
        break;
    }
    return LimitedProgress::kOutOfBudget;
  }

  // The functions below are as in HpaSearch. REQUIRES for the path and its bound: kPathFound.
  Cost path_cost() const { return search_ ? search_->path_cost() : kUnreachable; }
  Cost lower_bound() const { return search_->lower_bound(); }
  void append_path(std::vector<NodeId>* out) const { search_->append_path(out); }
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    if (search_) search_->for_each_touched(visit);
  }
  NodeId last_expanded() const { return search_ ? search_->last_expanded() : kNoNode; }
  std::uint64_t nodes_expanded() const { return search_ ? search_->nodes_expanded() : 0; }
  // Number of nodes and cells expanded, those for facts included.
  std::uint64_t expanded() const { return found_facts() + (search_ ? search_->expanded() : 0); }
  std::uint64_t generated() const { return search_ ? search_->generated() : 0; }
  std::size_t bytes() const {
    return map_.bytes() + map_.memory().bytes.load(std::memory_order_relaxed) +
           (search_ ? search_->bytes() : 0);
  }

 private:
  std::uint64_t found_facts() const {
    return map_.memory().expanded.load(std::memory_order_relaxed);
  }
  // Subtracts what was expanded for facts since the last call, as far as the slice goes.
  void pay(std::uint32_t* expansions) {
    const std::uint64_t found = found_facts();
    *expansions -= static_cast<std::uint32_t>(std::min<std::uint64_t>(found - seen_, *expansions));
    seen_ = found;
  }

  HpaMap map_;
  NodeId start_;
  GoalSet goals_;
  int level_ = 1;              // the first level whose facts are not all made, below the highest
  std::uint32_t cluster_ = 0;  // the next one of it
  std::uint64_t seen_ = 0;     // facts found before the last pay()
  std::optional<HpaSearch> search_;
};

}  // namespace repath
