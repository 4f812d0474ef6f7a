// A*, or Dijkstra, over the nodes of one level of an HpaMap: all of them, or those in a box.
//
// Nodes are expanded in the order of (f, larger g, discovery). From a node that was reached from
// within its cluster the search does not continue within the cluster, because distances there obey
// the triangle inequality. Records of a cluster's nodes lie side by side and are made when the
// search first reaches the cluster. Not thread-safe. Borrows the map, which must not change.
// Memory: 56 bytes for each node of the clusters reached, 24 for each open node.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/cells.h"
#include "grid/cells/graph.h"
#include "grid/cells/place.h"
#include "grid/hpa/box_search.h"
#include "grid/hpa/hpa_map.h"
#include "search/classic/a_star.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

// A lower bound of the cost from a cell to the nearest goal of an HPA* search. It is the metric to
// the nearest goal, or to the box around the goals if there are more than kGoalsMax. Consistent,
// and zero on goals. A weight above 1 multiplies it; then it is no longer a bound, but leads a
// search to its goals past most of the ground.
class HpaBound {
 public:
  static constexpr std::size_t kGoalsMax = 8;

  // Makes a bound without goals: zero everywhere, which turns A* into Dijkstra.
  HpaBound() = default;
  // O(goals).
  HpaBound(const GridGraph& graph, const GoalSet& goals, AStarWeight weight = AStarWeight(1))
      : metric_{graph.topology()}, weight_(weight) {
    for (const NodeId goal : goals.nodes()) {
      if (boxes_.empty() || goals.nodes().size() <= kGoalsMax) boxes_.emplace_back();
      boxes_.back().add(place_of(graph.layer(), goal));
    }
  }

  // O(goals).
  Cost operator()(std::int32_t x, std::int32_t y) const {
    Cost least = boxes_.empty() ? 0 : kUnreachable;
    for (const PlaceBox& box : boxes_) least = std::min(least, metric_.to_box({x, y}, box));
    return weight_.is_one() ? least : weight_.scaled_f(0, least) / 16;
  }

 private:
  Metric metric_;
  AStarWeight weight_{1};
  std::vector<PlaceBox> boxes_;
};

class HpaLevelSearch {
 public:
  // Searches the clusters that lie in `box`, guided by the bound to the goals. REQUIRES: a level of
  // the map; the sides of the box are those of clusters.
  HpaLevelSearch(const HpaMap& map, int level, const CellRect& box, HpaBound bound = {});

  // Forgets seeds, rests and costs; keeps the knowledge of clusters. O(nodes known).
  void clear();
  // Lets a path begin at the node, at this cost. `from_within`: this cost and those of the other
  // seeds of the cluster come from one search within the cluster. REQUIRES: a node of the level.
  void seed(NodeId node, Cost cost, bool from_within) {
    relax(record_of(node), kNone, cost, from_within);
  }
  // Sets the distance from the node to a goal. REQUIRES: a node of the level; no seed was set yet.
  void set_rest(NodeId node, Cost rest) {
    Record& record = records_[record_of(node)];
    record.rest = std::min(record.rest, rest);
  }
  // Sets the cost of a path that passes no node; only cheaper paths are searched for.
  void set_best(Cost cost) { best_ = cost; }

  // Expands at most `*expansions` nodes and subtracts the number used. The slice ends early, out of
  // budget, when the search had to find the facts of kMadeMax clusters. Returns kPathFound if
  // best() is the cost of a cheapest path over nodes, or the cost that was set. Returns kNoPath if
  // there is no path and every node's cost is known.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);
  static constexpr std::uint64_t kMadeMax = 4;  // up to a millisecond
  // Expands without a limit, to the end.
  Progress run_to_end();

  Cost best() const { return best_; }
  // Returns the last node of the best path; kNoNode if it is the path whose cost was set. REQUIRES:
  // kPathFound.
  NodeId last() const { return last_ == kNone ? kNoNode : records_[last_].node; }
  // Returns the least cost from a seed to the node; kUnreachable if none is known. REQUIRES: a node
  // of the level.
  Cost cost(NodeId node) const {
    const std::uint32_t at = known_record_of(node);
    return at == kNone ? kUnreachable : records_[at].g;
  }
  // Returns the nodes on the path to `node`, from its seed on, both included. REQUIRES: its cost is
  // known.
  std::vector<NodeId> way_to(NodeId node) const;

  // Calls visit(NodeId, Cost, bool is_open, NodeId parent) for each node reached, in order of
  // discovery; the parent of a seed is kNoNode.
  template <class Visit>
  void for_each_reached(Visit&& visit) const {
    for (const Record& record : records_)
      if (record.g != kUnreachable)
        visit(record.node, record.g, !record.is_closed,
              record.parent == kNone ? kNoNode : records_[record.parent].node);
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const { return last_expanded_; }
  std::uint64_t expanded() const { return expanded_; }
  // Number of edges examined.
  std::uint64_t generated() const { return generated_; }
  std::size_t bytes() const {
    return records_.capacity() * sizeof(Record) + clusters_.capacity() * sizeof(Cluster) +
           open_.capacity() * sizeof(Entry) + known_.size() * 4 * sizeof(std::uint64_t);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Record {
    Cost g = kUnreachable;
    Cost h = 0;
    Cost rest = kUnreachable;
    std::uint32_t parent = kNone;
    std::uint32_t cluster = 0;  // index in clusters_
    // Records across its border after a look-up; kNone where there is none.
    std::array<std::uint32_t, 2> across{kNone, kNone};
    bool knows_across = false;
    NodeId node{};
    bool from_within = false;
    bool is_closed = false;
  };
  struct Cluster {
    Cow<HpaFacts> facts;
    std::uint32_t first = 0;  // first record of the cluster's nodes
  };
  using Entry = OpenEntry<std::uint32_t>;  // of records

  std::uint32_t open_cluster(std::uint32_t cluster);
  // Returns the record of the node and opens its cluster.
  std::uint32_t record_of(NodeId node);
  // Returns the record of the node; kNone if its cluster has not been reached.
  std::uint32_t known_record_of(NodeId node) const;
  bool still_holds(const Entry& entry) const {
    const Record& record = records_[entry.id];
    return entry.g == record.g && !record.is_closed;
  }
  void relax(std::uint32_t at, std::uint32_t parent, Cost g, bool from_within);
  void expand(std::uint32_t at);
  void expand_within(std::uint32_t at);
  void look_across(std::uint32_t at);
  void expand_across(std::uint32_t at);

  const HpaMap* map_;
  GridGraph graph_;
  int level_;
  CellRect box_;
  HpaBound bound_;
  // Cluster to index in clusters_; never iterated.
  std::unordered_map<std::uint32_t, std::uint32_t> known_;
  std::vector<Cluster> clusters_;
  std::vector<Record> records_;
  std::vector<Entry> open_;
  Cost best_ = kUnreachable;
  std::uint32_t last_ = kNone;
  NodeId last_expanded_ = kNoNode;
  std::uint64_t made_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

}  // namespace repath
