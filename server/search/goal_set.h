// The goals of one search: a sorted set of nodes. Immutable once made; plain data that any thread
// may read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "search/graph.h"

namespace repath {

class GoalSet {
 public:
  // Makes an empty set; a search for it never finds a goal.
  GoalSet() = default;
  GoalSet(std::initializer_list<NodeId> goals) : GoalSet(std::vector<NodeId>(goals)) {}
  // Takes goals in any order; repeats are allowed. O(n log n).
  explicit GoalSet(std::vector<NodeId> goals) : goals_(std::move(goals)) {
    std::ranges::sort(goals_);
    goals_.erase(std::unique(goals_.begin(), goals_.end()), goals_.end());
  }

  // O(log n).
  bool contains(NodeId n) const { return std::ranges::binary_search(goals_, n); }
  // Returns the goals in ascending order of ids.
  std::span<const NodeId> nodes() const { return goals_; }
  bool empty() const { return goals_.empty(); }
  std::size_t bytes() const { return goals_.capacity() * sizeof(NodeId); }

  bool operator==(const GoalSet&) const = default;

 private:
  std::vector<NodeId> goals_;
};

// A lower bound of the cost from a node to the nearest goal, for kernels that search forward. It
// must be zero on every goal and consistent: bound(u) <= c + bound(v) for every edge (u, v, c).
template <class B>
concept LowerBound = requires(const B& bound, NodeId n) {
  { bound(n) } -> std::same_as<Cost>;
};

// The default bound: the least of the graph's heuristics to each goal. With more than kGoalsMax
// goals asking for each would cost more than it saves, and the bound is zero. Callers that know the
// shape of the goals, for example all nodes within a radius, pass their own bound. Borrows `graph`;
// copies the goals.
template <SearchGraph Graph>
class NearestGoalBound {
 public:
  static constexpr std::size_t kGoalsMax = 8;

  NearestGoalBound(const Graph& graph, const GoalSet& goals) : graph_(&graph) {
    const std::span<const NodeId> nodes = goals.nodes();
    if (nodes.size() <= kGoalsMax) goals_.assign(nodes.begin(), nodes.end());
  }

  // O(goals).
  Cost operator()(NodeId n) const {
    if (goals_.empty()) return 0;
    Cost least = kUnreachable;
    for (const NodeId goal : goals_) least = std::min(least, graph_->heuristic(n, goal));
    return least;
  }

 private:
  const Graph* graph_;
  std::vector<NodeId> goals_;  // empty: the bound is zero
};

}  // namespace repath
