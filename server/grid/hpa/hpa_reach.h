// The cheapest paths between some cells, which are the start or goals of a search, and the nodes of
// the cluster they lie in. Also the cells of any step between two nodes. Belongs to one search.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/hpa/box_search.h"
#include "grid/hpa/hpa_level_search.h"
#include "grid/hpa/hpa_map.h"

namespace repath {

// The work of a search beside its main one.
struct HpaEffort {
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
};

// Paths within one cluster. Above level 1 the paths within the clusters it is made of are found
// first, and one search continues from all of them.
class HpaReach {
 public:
  // REQUIRES: the cells lie in the cluster. O(the cluster's cells, or its nodes of the level
  // below).
  HpaReach(const HpaMap& map, int level, std::uint32_t cluster, std::vector<NodeId> cells,
           HpaEffort* effort);

  std::uint32_t cluster() const { return cluster_; }
  // Returns the cost of the cheapest path to one of the cells; kUnreachable if there is none.
  // REQUIRES: a node of the cluster; on level 1 any cell of it.
  Cost cost(NodeId node) const { return level_ == 1 ? cells_->cost(node) : over_->cost(node); }
  // Calls visit(NodeId, Cost) for each node of the cluster whose cost is finite.
  template <class Visit>
  void for_each_node(Visit visit) const {
    std::uint64_t made = 0;
    const Cow<HpaFacts> facts = map_->facts(level_, cluster_, &made);
    for (const NodeId node : facts->nodes)
      if (const Cost there = cost(node); there != kUnreachable) visit(node, there);
  }
  // Calls visit(NodeId, Cost, NodeId parent) for each cell, and above level 1 for each node of the
  // level below, that was reached; some more than once.
  template <class Visit>
  void for_each_reached(Visit visit) const {
    if (cells_) cells_->for_each_reached(visit);
    for (const HpaReach& part : parts_) part.for_each_reached(visit);
    if (over_)
      over_->for_each_reached(
          [&](NodeId node, Cost cost, bool, NodeId parent) { visit(node, cost, parent); });
  }
  // Appends the cells after `node` on that path, up to one of the cells. REQUIRES: its cost is
  // finite.
  void append_way(NodeId node, HpaEffort* effort, std::vector<NodeId>* out) const;

  std::size_t bytes() const;

 private:
  const HpaMap* map_;
  int level_;
  std::uint32_t cluster_;
  std::optional<BoxSearch> cells_;        // level 1: the search over cells
  std::vector<HpaReach> parts_;           // higher levels: the reaches of the parts, by cluster
  std::optional<HpaLevelSearch> over_{};  // higher levels: the search that continues from the parts
};

// Returns the reach of each cluster of the level that has some of the cells, by cluster.
std::vector<HpaReach> reaches_of(const HpaMap& map, int level, std::vector<NodeId> cells,
                                 HpaEffort* effort);

// Appends the cells of a cheapest path within the cluster from one of its nodes, or of a step
// across its border; without `from`. REQUIRES: there is a path; both are nodes of the level.
void append_step(const HpaMap& map, int level, NodeId from, NodeId to, HpaEffort* effort,
                 std::vector<NodeId>* out);

}  // namespace repath
