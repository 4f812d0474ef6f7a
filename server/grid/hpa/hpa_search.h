// HPA*: finds a path to one of the goals that is near the cheapest, over the abstraction of a
// layer, and a bound of how much dearer it may be. "No path" is exact.
//
// Source: A. Botea, M. Müller, J. Schaeffer, 2004 (grid/hpa/hpa_map.h). It has three phases. First,
// start and goals are joined to the nodes of their clusters, and an A* runs between them on the
// highest level on which both are kStepsApart clusters apart. Second, the steps of its path become
// cells, level by level. Third, the path is made shorter (grid/hpa/hpa_smooth.h). If there are
// several goals, the search may find another one than the nearest. Facts of clusters that are not
// known yet are found on the way. They are not part of the figures, so that the figures do not
// depend on earlier searches. Not thread-safe. Borrows the map, which must not change before the
// search is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/check.h"
#include "base/cost.h"
#include "base/ids.h"
#include "grid/hpa/hpa_level_search.h"
#include "grid/hpa/hpa_map.h"
#include "grid/hpa/hpa_reach.h"
#include "grid/hpa/hpa_smooth.h"
#include "search/classic/a_star.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

class HpaSearch {
 public:
  static constexpr std::int32_t kStepsApart = 2;

  // Joins start and goals to their clusters. A weight above 1 makes the A* over nodes a weighted
  // one: the path is dearer, is found sooner, and needs the facts of fewer clusters. REQUIRES:
  // nodes of the layer. O(clusters with goals x their size).
  HpaSearch(const HpaMap& map, NodeId start, const GoalSet& goals,
            AStarWeight weight = AStarWeight(1));

  // Expands about `*expansions` nodes and cells, at most a step or a window more, and subtracts the
  // number used. Ends a slice early when it had to find the facts of many clusters. Returns kNoPath
  // if no goal can be reached.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // Return kNoNode and kUnreachable before kPathFound.
  NodeId goal() const { return is_found() ? path().back() : kNoNode; }
  Cost path_cost() const { return is_found() ? smoother_->cost() : kUnreachable; }
  // Returns a lower bound of the cost of every path to a goal. REQUIRES: kPathFound.
  Cost lower_bound() const { return lower_bound_; }
  // Appends every cell from the start to goal(), both included. REQUIRES: kPathFound. O(length).
  void append_path(std::vector<NodeId>* out) const {
    REPATH_CHECK(is_found());
    out->insert(out->end(), path().begin(), path().end());
  }

  // Visits every cell that the search of the start's cluster reached, and every node that the main
  // search reached, in ascending order of ids.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    for (const TouchedNode& node : touched()) visit(node);
  }

  // Returns the node that the main search expanded last; kNoNode before the first.
  NodeId last_expanded() const { return search_.last_expanded(); }
  // Number of nodes that the main search expanded.
  std::uint64_t nodes_expanded() const { return search_.expanded(); }
  // Number of nodes and cells expanded.
  std::uint64_t expanded() const {
    return search_.expanded() + effort_.expanded + (smoother_ ? smoother_->expanded() : 0);
  }
  // Number of edges between nodes examined.
  std::uint64_t generated() const;
  std::size_t bytes() const;

 private:
  bool is_found() const { return phase_ == Phase::kFound; }
  const std::vector<NodeId>& path() const { return smoother_->path(); }
  int level_for(NodeId start, const GoalSet& goals) const;
  void join_goals(const GoalSet& goals);
  void try_within_cluster(NodeId start, const GoalSet& goals);
  void begin_steps();
  void take_step(std::uint32_t* expansions);
  std::vector<TouchedNode> touched() const;

  enum class Phase : std::uint8_t { kSearch, kSteps, kSmooth, kFound, kNoPath };

  const HpaMap* map_;
  HpaBound bound_;
  Cost lower_bound_;
  int level_;
  HpaLevelSearch search_;
  HpaEffort effort_;
  std::optional<HpaReach> from_start_;
  std::vector<HpaReach> to_goals_;  // by cluster
  std::vector<NodeId> within_;      // path within the start's cluster, if there is one
  Phase phase_ = Phase::kSearch;
  std::vector<NodeId> way_;  // nodes of the best path
  std::size_t next_ = 0;     // index in way_ of the next node to reach
  std::vector<NodeId> cells_;
  std::optional<HpaSmoother> smoother_;
};

}  // namespace repath
