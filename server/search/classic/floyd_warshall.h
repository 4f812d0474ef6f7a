// Floyd-Warshall: finds cheapest paths between all pairs of a few nodes of a graph, over these
// nodes alone.
//
// Source: R. W. Floyd, "Algorithm 97: Shortest path", CACM 5, 1962; S. Warshall, 1962. For each
// pair it keeps the cost and the first step, so that reading a path takes time in proportion to its
// length. Only a smaller cost replaces a cost, in the order of (k, row, column), so equal inputs
// give equal paths. advance() can stop between two rows.
//
// Not thread-safe; does not keep the graph. Memory: 10 bytes for each pair of nodes, allocated at
// once; 40 MB for the most nodes allowed. Invariant: after round k each pair's cost is that of a
// cheapest path whose inner nodes are among the first k, and first steps lead along it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/cost.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

class FloydWarshall {
 public:
  static constexpr std::uint32_t kPairNodesMax = 2000;

  // `nodes` ascend, at most kPairNodesMax; paths pass no other nodes. A caller that needs one path
  // also states its start and goals. O(n^2 + edges x log n).
  FloydWarshall(const SearchGraph auto& graph, std::vector<NodeId> nodes, NodeId start = kNoNode,
                GoalSet goals = {})
      : nodes_(std::move(nodes)),
        n_(static_cast<std::uint32_t>(nodes_.size())),
        start_(start),
        goals_(std::move(goals)) {
    REPATH_CHECK(n_ <= kPairNodesMax);
    cost_.assign(std::size_t{n_} * n_, kFar);
    first_step_.assign(std::size_t{n_} * n_, 0);
    for (std::uint32_t from = 0; from < n_; ++from) {
      cost_[at(from, from)] = 0;
      graph.for_each_successor(nodes_[from], [&](NodeId node, Cost step) {
        const std::uint32_t to = number_of(node);
        if (to == n_ || step >= cost_[at(from, to)]) return;
        cost_[at(from, to)] = step;
        first_step_[at(from, to)] = static_cast<std::uint16_t>(to);
      });
    }
  }

  // Works on at most `*rows` rows and subtracts the number used; there are n rounds of n rows.
  // Once all pairs are done, returns kPathFound if a goal can be reached from the start, otherwise
  // kNoPath. O(n) for each row.
  [[nodiscard]] Progress advance(std::uint32_t* rows) {
    for (; k_ < n_; ++k_, row_ = 0)
      for (; row_ < n_; ++row_) {
        if (*rows == 0) return Progress::kOutOfBudget;
        --*rows;
        ++rows_done_;
        relax_row();
      }
    for (const NodeId goal : goals_.nodes()) {
      const Cost there = cost(start_, goal);
      if (there >= path_cost_) continue;
      path_cost_ = there;
      goal_ = goal;
    }
    return goal_ == kNoNode ? Progress::kNoPath : Progress::kPathFound;
  }

  // Returns the nearest goal, the least id among equals; kNoNode before kPathFound.
  NodeId goal() const { return goal_; }
  // Returns the cost of a cheapest path from the start to goal(); kUnreachable before kPathFound.
  Cost path_cost() const { return path_cost_; }
  // Appends the nodes of that path, both ends included. REQUIRES: kPathFound. O(length).
  void append_path(std::vector<NodeId>* out) const {
    REPATH_CHECK(append_path(start_, goal_, out));
  }

  // Returns the cost of a cheapest path; kUnreachable if there is none, or one of the two is not
  // among the nodes. Before advance() ends it is the cost of the best path known, and kUnreachable
  // proves nothing. O(log n).
  Cost cost(NodeId from, NodeId to) const {
    const std::uint32_t a = number_of(from);
    const std::uint32_t b = number_of(to);
    return a == n_ || b == n_ || cost_[at(a, b)] == kFar ? kUnreachable : cost_[at(a, b)];
  }
  // Appends the nodes of a cheapest path, both ends included, and returns true. Returns false if
  // there is no path. REQUIRES: advance() has ended. O(length).
  [[nodiscard]] bool append_path(NodeId from, NodeId to, std::vector<NodeId>* out) const {
    REPATH_CHECK(k_ == n_);
    if (cost(from, to) == kUnreachable) return false;
    const std::uint32_t end = number_of(to);
    for (std::uint32_t n = number_of(from); n != end; n = first_step_[at(n, end)])
      out->push_back(nodes_[n]);
    out->push_back(to);
    return true;
  }

  // Visits every node to which a path from the start is known, in ascending order of ids; h is 0.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    for (const NodeId node : nodes_)
      if (cost(start_, node) != kUnreachable) visit(TouchedNode{node, cost(start_, node)});
  }

  // Number of rows worked on.
  std::uint64_t expanded() const { return rows_done_; }
  std::size_t bytes() const {
    return nodes_.capacity() * sizeof(nodes_[0]) + cost_.capacity() * sizeof(cost_[0]) +
           first_step_.capacity() * sizeof(first_step_[0]);
  }

 private:
  // Twice this value still fits a Cost, so that sums in the inner loop need no check.
  static constexpr Cost kFar = kUnreachable / 4;

  // Returns the place of the node in nodes_; n_ if it is not there.
  std::uint32_t number_of(NodeId node) const {
    const auto place = std::ranges::lower_bound(nodes_, node);
    if (place == nodes_.end() || *place != node) return n_;
    return static_cast<std::uint32_t>(place - nodes_.begin());
  }
  std::size_t at(std::uint32_t from, std::uint32_t to) const { return std::size_t{from} * n_ + to; }

  // Improves the paths from row_ by paths through k_.
  void relax_row() {
    const Cost to_k = cost_[at(row_, k_)];
    if (to_k == kFar || row_ == k_) return;
    const std::uint16_t step = first_step_[at(row_, k_)];
    const Cost* const from_k = &cost_[at(k_, 0)];
    Cost* const costs = &cost_[at(row_, 0)];
    std::uint16_t* const steps = &first_step_[at(row_, 0)];
    for (std::uint32_t j = 0; j < n_; ++j) {
      const Cost through_k = to_k + from_k[j];
      if (through_k >= costs[j]) continue;
      costs[j] = through_k;
      steps[j] = step;
    }
  }

  std::vector<NodeId> nodes_;
  std::uint32_t n_;
  NodeId start_;
  GoalSet goals_;
  std::uint32_t k_ = 0;
  std::uint32_t row_ = 0;
  std::vector<Cost> cost_;                 // row = from, column = to
  std::vector<std::uint16_t> first_step_;  // The node after `from`; valid where a path is known.
  std::uint64_t rows_done_ = 0;
  NodeId goal_ = kNoNode;
  Cost path_cost_ = kUnreachable;
};

}  // namespace repath
