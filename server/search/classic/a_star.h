// A*: finds a cheapest path to the nearest of one or several goals. With a weight w > 1 it finds a
// path of at most w times that cost, sooner.
//
// Source: P. Hart, N. Nilsson, B. Raphael, "A formal basis for the heuristic determination of
// minimum cost paths", 1968; weight: I. Pohl, 1970. Nodes are expanded in the order of (f, larger
// g, node id), f = g + w * h. A closed node is never opened again. With a consistent h this keeps
// the result optimal at w = 1 and keeps the bound at w > 1 (M. Likhachev, G. Gordon, S. Thrun,
// "ARA*", NIPS 2003, theorem 1).
//
// Not thread-safe. Borrows `graph`, which must outlive the search and must not change before the
// search is done. Memory: 24 bytes for each node of the touched pages, 32 for each open node.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "search/goal_set.h"
#include "search/graph.h"
#include "search/node_pages.h"
#include "search/open_list.h"
#include "search/paths.h"

namespace repath {

// A weight in [1, kWeightMax], stored in sixteenths and rounded down. f is compared as 16 f = 16 g
// + (16 w) h, an exact integer. So the bound holds exactly, and the weight is never above the one
// that was asked for.
class AStarWeight {
 public:
  static constexpr double kWeightMax = 1000.0;

  // REQUIRES: 1 <= weight <= kWeightMax.
  explicit AStarWeight(double weight) {
    REPATH_CHECK(weight >= 1.0 && weight <= kWeightMax);
    sixteenths_ = static_cast<Cost>(weight * 16.0);
  }

  double value() const { return static_cast<double>(sixteenths_) / 16.0; }
  bool is_one() const { return sixteenths_ == 16; }
  // Returns 16 (g + w h). It cannot overflow: base/cost.h bounds g by 5.6e17, and h, which ignores
  // factors, by 5.6e14.
  Cost scaled_f(Cost g, Cost h) const { return 16 * g + sixteenths_ * h; }

 private:
  Cost sixteenths_ = 16;
};

template <SearchGraph Graph, LowerBound Bound = NearestGoalBound<Graph>>
class AStar {
 public:
  // REQUIRES: start and goals are nodes of the graph; weight in [1, AStarWeight::kWeightMax].
  AStar(const Graph& graph, NodeId start, GoalSet goals,
        double weight = 1.0) requires std::same_as<Bound, NearestGoalBound<Graph>>
      : AStar(graph, start, goals, Bound(graph, goals), weight) {}
  // Uses the caller's own lower bound to the nearest goal (see LowerBound). A bound that also has
  // `proof(n)` may overestimate at w > 1: it guides the search, and lower_bound() counts with
  // proof(n), which must be admissible. weight() then has no meaning.
  AStar(const Graph& graph, NodeId start, GoalSet goals, Bound bound, double weight = 1.0)
      : graph_(&graph),
        goals_(std::move(goals)),
        bound_(std::move(bound)),
        weight_(weight),
        records_(graph.node_count()) {
    REPATH_CHECK(index(start) < graph.node_count());
    relax(start, kNoNode, 0);
  }

  // Expands at most `*expansions` nodes and subtracts the number used. Returns kNoPath if no goal
  // can be reached. O(log n) for each; allocates when a page is first touched and while the open
  // list grows.
  [[nodiscard]] Progress advance(std::uint32_t* expansions) {
    while (goal_ == kNoNode) {
      if (open_.empty()) return Progress::kNoPath;
      const NodeId u = open_.top();
      Record& at = records_.touch(u);
      if (is_goal(u, at)) {
        goal_ = u;
        break;
      }
      if (*expansions == 0) return Progress::kOutOfBudget;
      --*expansions;
      ++expanded_;
      last_expanded_ = u;
      open_.remove(&at.slot);
      graph_->for_each_successor(u, [&](NodeId v, Cost step) {
        ++generated_;
        relax(v, u, at.g + step);
      });
    }
    return Progress::kPathFound;
  }

  // Returns the goal reached; kNoNode before kPathFound.
  NodeId goal() const { return goal_; }
  // Returns the cost of the path to goal(), at weight 1 the least cost of all paths to all goals;
  // kUnreachable before kPathFound.
  Cost path_cost() const { return goal_ == kNoNode ? kUnreachable : records_.read(goal_).g; }
  // path_cost() is at most this many times the optimum.
  double weight() const { return weight_.value(); }
  // Returns a lower bound of the cost of every path to a goal. path_cost() / lower_bound() bounds
  // this very answer, often far better than weight() does. REQUIRES: kPathFound. O(nodes touched)
  // at w > 1.
  Cost lower_bound() const {
    // Why this is a lower bound: follow a cheapest path from the start. Its first node that is not
    // closed with its least cost is open with that cost, or was refused with it. That cost + h is
    // at most the cost of the whole path.
    REPATH_CHECK(goal_ != kNoNode);
    if (weight_.is_one()) return path_cost();
    Cost least = std::min(path_cost(), least_refused_f_);
    records_.for_each([&](NodeId n, const Record& r) {
      if (r.slot.is_queued()) least = std::min(least, r.g + proved(n, r));
    });
    return least;
  }
  // Appends the nodes from the start to goal(), both included. REQUIRES: kPathFound. O(length).
  void append_path(std::vector<NodeId>* out) const {
    REPATH_CHECK(goal_ != kNoNode);
    append_parents(records_, goal_, out);
  }

  // Visits every node reached so far, in ascending order of ids.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    records_.for_each([&](NodeId n, const Record& r) {
      if (r.g != kUnreachable) visit(TouchedNode{n, r.g, r.h, r.slot.is_queued(), r.parent});
    });
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const { return last_expanded_; }
  std::uint64_t expanded() const { return expanded_; }
  // Number of edges examined.
  std::uint64_t generated() const { return generated_; }
  std::size_t bytes() const { return records_.bytes() + open_.bytes(); }

 private:
  struct Record {
    Cost g = kUnreachable;
    Cost h = 0;  // valid if g is finite
    NodeId parent = kNoNode;
    HeapSlot slot;
  };
  struct LeastFThenLargestG {
    Cost scaled_f = kUnreachable;
    Cost g = 0;
    auto operator<=>(const LeastFThenLargestG& other) const {
      return scaled_f != other.scaled_f ? scaled_f <=> other.scaled_f : other.g <=> g;
    }
  };

  void relax(NodeId n, NodeId parent, Cost g) {
    Record& r = records_.touch(n);
    if (g >= r.g) return;
    if (r.g == kUnreachable) {
      r.h = bound_(n);
    } else if (!r.slot.is_queued()) {
      if (!weight_.is_one()) least_refused_f_ = std::min(least_refused_f_, g + proved(n, r));
      return;
    }
    r.g = g;
    r.parent = parent;
    open_.put(n, {weight_.scaled_f(g, r.h), g}, &r.slot);
  }

  // Returns an admissible bound of the cost from n to a goal.
  Cost proved(NodeId n, const Record& r) const {
    if constexpr (requires { bound_.proof(n); }) {
      return bound_.proof(n);
    } else {
      return r.h;
    }
  }
  // Only a node with h = 0 can be a goal, so most nodes need no look-up.
  bool is_goal(NodeId n, const Record& r) const { return r.h == 0 && goals_.contains(n); }

  const Graph* graph_;
  GoalSet goals_;
  Bound bound_;
  AStarWeight weight_;
  NodeId goal_ = kNoNode;
  NodePages<Record> records_;
  OpenList<LeastFThenLargestG> open_;
  // w > 1 only: least g + h among the cheaper paths found to closed nodes.
  Cost least_refused_f_ = kUnreachable;
  NodeId last_expanded_ = kNoNode;
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

}  // namespace repath
