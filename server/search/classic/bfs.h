// Breadth-first search: finds a path with the fewest steps, whatever they cost.
//
// Source: E. F. Moore, "The shortest path through a maze", 1959; C. Y. Lee, 1961. Nodes are reached
// in the order of (steps, order of discovery), which is the graph's visiting order, so equal runs
// give equal paths.
//
// Not thread-safe. Borrows `graph`, which must outlive the search and must not change before the
// search is done. Memory: 16 bytes for each node of the touched pages, 4 for each node reached.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "search/goal_set.h"
#include "search/graph.h"
#include "search/node_pages.h"
#include "search/paths.h"

namespace repath {

template <SearchGraph Graph>
class Bfs {
 public:
  // REQUIRES: start and goals are nodes of the graph.
  Bfs(const Graph& graph, NodeId start, GoalSet goals)
      : graph_(&graph), goals_(std::move(goals)), records_(graph.node_count()) {
    REPATH_CHECK(index(start) < graph.node_count());
    reach(start, kNoNode, 0);
  }

  // Expands at most `*expansions` nodes and subtracts the number used. Returns kNoPath if no goal
  // can be reached. O(degree) for each.
  [[nodiscard]] Progress advance(std::uint32_t* expansions) {
    while (goal_ == kNoNode) {
      if (expanded_ == reached_.size()) return Progress::kNoPath;
      if (*expansions == 0) return Progress::kOutOfBudget;
      --*expansions;
      const NodeId u = reached_[expanded_++];
      const Cost g = records_.read(u).g;
      graph_->for_each_successor(u, [&](NodeId v, Cost step) {
        ++generated_;
        if (records_.read(v).g == kUnreachable) reach(v, u, g + step);
      });
    }
    return Progress::kPathFound;
  }

  // Returns the goal with the fewest steps to it; kNoNode before kPathFound.
  NodeId goal() const { return goal_; }
  // Returns the cost of the path found, which has the fewest steps but not always the least cost;
  // kUnreachable before kPathFound.
  Cost path_cost() const { return goal_ == kNoNode ? kUnreachable : records_.read(goal_).g; }
  // Appends the nodes from the start to goal(), both included. REQUIRES: kPathFound. O(length).
  void append_path(std::vector<NodeId>* out) const {
    REPATH_CHECK(goal_ != kNoNode);
    append_parents(records_, goal_, out);
  }

  // Visits every node reached so far, in ascending order of ids: g is the cost of the path to it, h
  // is 0.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    records_.for_each([&](NodeId n, const Record& r) {
      if (r.g != kUnreachable) visit(TouchedNode{n, r.g, 0, r.order >= expanded_, r.parent});
    });
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const { return expanded_ == 0 ? kNoNode : reached_[expanded_ - 1]; }
  std::uint64_t expanded() const { return expanded_; }
  // Number of edges examined.
  std::uint64_t generated() const { return generated_; }
  std::size_t bytes() const { return records_.bytes() + reached_.capacity() * sizeof(NodeId); }

 private:
  struct Record {
    Cost g = kUnreachable;
    NodeId parent = kNoNode;
    std::uint32_t order = 0;  // index in reached_
  };

  // A goal needs no expansion, because the first goal discovered has the fewest steps.
  void reach(NodeId n, NodeId parent, Cost g) {
    records_.touch(n) = {g, parent, static_cast<std::uint32_t>(reached_.size())};
    reached_.push_back(n);
    if (goal_ == kNoNode && goals_.contains(n)) goal_ = n;
  }

  const Graph* graph_;
  GoalSet goals_;
  NodeId goal_ = kNoNode;
  NodePages<Record> records_;
  std::vector<NodeId> reached_;  // in order of discovery; the first expanded_ nodes are closed
  std::size_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

}  // namespace repath
