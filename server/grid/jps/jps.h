// Jump point search: finds a cheapest path to the nearest of the goals on a uniform grid with eight
// neighbours, many times faster than A*.
//
// Source: D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", AAAI 2011,
// and "Improving jump point search", ICAPS 2014. The search follows one cheapest path out of many:
// one that makes its diagonal steps as early as possible. It passes over cells where that path does
// not turn. Diagonal runs make no nodes: the results of their scans are successors of the node
// where the run began. A JumpMap (grid/jps/jump_map.h) gives the ends of scans and runs. Departure:
// buckets narrower than a step take the place of a heap, so a node may be expanded before it has
// its least g, and then again. The search ends when no bucket holds a lower f than the best path to
// a goal.
//
// Not thread-safe. Borrows the map, which must outlive the search and must not change before it is
// done; a copy of the map is a snapshot. Memory: 32 to 128 bytes for each node, 8 for each open
// node, 1 KiB for each tile that has goals, at least 10 KiB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/goals.h"
#include "grid/cells/graph.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"
#include "grid/jps/bucket_queue.h"
#include "grid/jps/jump_goals.h"
#include "grid/jps/jump_map.h"
#include "grid/jps/jump_records.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

class JumpPointSearch {
 public:
  // REQUIRES: `map` is the map of `layer`, which is uniform; start and goals are nodes of it, and
  // `bound` is a bound to the goals. O(goals).
  JumpPointSearch(const GridLayer& layer, const JumpMap& map, NodeId start, const GoalSet& goals,
                  GoalsCellBound bound)
      : bound_(bound), queue_(0) {
    begin_anew(layer, map, start, goals, bound);
  }
  // Forgets its answer and begins another search in the memory of the last one. It finds the same
  // as a new object. O(goals + nodes of the last search).
  void begin_anew(const GridLayer& layer, const JumpMap& map, NodeId start, const GoalSet& goals,
                  GoalsCellBound bound);

  // Expands at most `*expansions` jump points and subtracts the number used. Returns kNoPath if no
  // goal can be reached. Each costs a few scans; allocates when the search becomes larger than ever
  // before.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // Returns the goal reached; kNoNode before kPathFound.
  NodeId goal() const { return is_done_ && best_ != kUnreachable ? node_at(goal_) : kNoNode; }
  // Returns the cost of the path to goal(), the least of all paths to all goals; kUnreachable
  // before kPathFound.
  Cost path_cost() const { return is_done_ ? best_ : kUnreachable; }
  // Appends every cell of the path from the start to goal(), both included. REQUIRES: kPathFound.
  // O(length).
  void append_path(std::vector<NodeId>* out) const {
    const auto first = static_cast<std::ptrdiff_t>(out->size());
    append_way_back(out);
    std::reverse(out->begin() + first, out->end());
  }
  // Appends the same cells from goal() to the start.
  void append_way_back(std::vector<NodeId>* out) const;

  // Visits every jump point and goal reached so far, in ascending order of ids.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    std::vector<TouchedNode> touched;
    records_.for_each([&](const JumpRecords::Record& record) {
      const Place at = JumpRecords::place_of(record.key);
      if (best_ != kUnreachable && at == goal_) return;
      touched.push_back(
          {node_at(at), record.g, bound_(at.x, at.y), record.is_open != 0, parent_of(record)});
    });
    if (best_ != kUnreachable) {
      const Place before = JumpRecords::place_of(goal_parent_);
      touched.push_back(
          {node_at(goal_), best_, 0, !is_done_, before == goal_ ? kNoNode : node_at(before)});
    }
    std::ranges::sort(touched, {}, &TouchedNode::node);
    for (const TouchedNode& node : touched) visit(node);
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const {
    return expanded_ == 0 ? kNoNode : node_at(JumpRecords::place_of(last_expanded_));
  }
  std::uint64_t expanded() const { return expanded_; }
  // Number of successors found.
  std::uint64_t generated() const { return generated_; }
  std::size_t bytes() const { return records_.bytes() + queue_.bytes() + goals_.bytes(); }

 private:
  using Key = JumpRecords::Key;
  static constexpr std::uint32_t kStartArrival = 8;

  // Takes the results of a run or scan as successors of the node that is expanded.
  template <std::int32_t kDx, std::int32_t kDy>
  struct Finder;

  NodeId node_at(Place p) const {
    return NodeId{static_cast<std::uint32_t>(p.y) * static_cast<std::uint32_t>(map_->width()) +
                  static_cast<std::uint32_t>(p.x)};
  }
  NodeId parent_of(const JumpRecords::Record& record) const {
    return record.arrival == kStartArrival ? kNoNode
                                           : node_at(JumpRecords::place_of(record.parent));
  }
  // The node that is being expanded.
  struct Origin {
    JumpMap::View tile;
    Place at;
    Key key = 0;
    Cost g = 0;
  };
  void expand(JumpRecords::Record* record);
  template <Heading h>
  void go_on(const Origin& from, unsigned moves);
  template <Heading h>
  void scan(const Origin& from);
  template <std::int32_t kDx, std::int32_t kDy>
  void run(const Origin& from);
  void relax(Place to, Cost g, std::uint32_t arrival, Key parent);
  void reach_goal(Place at, Cost g, Key parent);

  const JumpMap* map_ = nullptr;
  const JumpTable* table_ = nullptr;
  GoalsCellBound bound_;
  JumpGoals goals_;
  JumpRecords records_;
  BucketQueue queue_;
  bool is_done_ = false;
  Cost best_ = kUnreachable;  // least cost of the paths to goals found so far
  Place goal_;                // end of that path
  Key goal_parent_ = 0;
  Key last_expanded_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

}  // namespace repath
