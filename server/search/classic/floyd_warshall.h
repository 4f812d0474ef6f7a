// Floyd-Warshall: finds cheapest paths between all pairs of nodes of a small graph.
//
// Source: R. W. Floyd, "Algorithm 97: Shortest path", CACM 5, 1962; S. Warshall, 1962. It takes a
// SearchGraph, or a list of edges, because a SearchGraph can neither have edges of cost 0 nor
// report that one is negative. For each pair it keeps the cost and the first step, so that reading
// a path takes time in proportion to its length. Only a smaller cost replaces a cost, in the order
// of (k, row, column), so equal inputs give equal paths. advance() can stop between two rows.
//
// Not thread-safe; does not keep the graph. Memory: 10 bytes for each pair of nodes, allocated at
// once; 40 MB for the most nodes allowed. Invariant: after round k each pair's cost is that of a
// cheapest path whose inner nodes are all in [0, k), and first steps lead along it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/cost.h"
#include "search/graph.h"

namespace repath {

// An edge from the caller's own data, not checked yet.
struct ListedEdge {
  NodeId from = kNoNode;
  NodeId to = kNoNode;
  std::int64_t cost = 0;
};

// The reason why a list of edges is rejected.
enum class EdgeListFault {
  kNone,
  kTooManyNodes,  // more than FloydWarshall::kPairNodesMax
  kUnknownNode,   // an edge begins or ends at an unknown node
  kNegativeCost,  // an edge, even one that no path uses
  kCostTooLarge,  // above FloydWarshall::kEdgeCostMax
};

class FloydWarshall {
 public:
  static constexpr std::uint32_t kPairNodesMax = 2000;
  // Keeps the cost of the longest path within a Cost (base/cost.h).
  static constexpr std::int64_t kEdgeCostMax = std::int64_t{1} << 48;

  // Returns the first fault; kNone if there is none. O(edges).
  [[nodiscard]] static EdgeListFault check(std::uint32_t node_count,
                                           std::span<const ListedEdge> edges) {
    if (node_count > kPairNodesMax) return EdgeListFault::kTooManyNodes;
    for (const ListedEdge& e : edges) {
      if (index(e.from) >= node_count || index(e.to) >= node_count)
        return EdgeListFault::kUnknownNode;
      if (e.cost < 0) return EdgeListFault::kNegativeCost;
      if (e.cost > kEdgeCostMax) return EdgeListFault::kCostTooLarge;
    }
    return EdgeListFault::kNone;
  }

  // Takes the cheapest of several edges between the same nodes. REQUIRES: check() finds no fault.
  // O(n^2).
  FloydWarshall(std::uint32_t node_count, std::span<const ListedEdge> edges)
      : FloydWarshall(node_count) {
    REPATH_CHECK(check(node_count, edges) == EdgeListFault::kNone);
    for (const ListedEdge& e : edges) add_edge(e.from, e.to, static_cast<Cost>(e.cost));
  }
  // REQUIRES: at most kPairNodesMax nodes.
  explicit FloydWarshall(const SearchGraph auto& graph) : FloydWarshall(graph.node_count()) {
    for (std::uint32_t n = 0; n < n_; ++n)
      graph.for_each_successor(NodeId{n}, [&](NodeId m, Cost c) { add_edge(NodeId{n}, m, c); });
  }

  std::uint32_t node_count() const { return n_; }

  // Works on at most `*rows` rows and subtracts the number used; there are n rounds of n rows.
  // Returns true if all pairs are done. O(n) for each row.
  [[nodiscard]] bool advance(std::uint32_t* rows) {
    for (; k_ < n_; ++k_, row_ = 0)
      for (; row_ < n_; ++row_) {
        if (*rows == 0) return false;
        --*rows;
        ++rows_done_;
        relax_row();
      }
    return true;
  }

  bool is_done() const { return k_ == n_; }
  // Returns the cost of a cheapest path; kUnreachable if there is none. Before is_done() it is the
  // cost of the best path known, and kUnreachable proves nothing. O(1).
  Cost cost(NodeId from, NodeId to) const {
    const Cost c = cost_[at(from, to)];
    return c == kFar ? kUnreachable : c;
  }
  // Appends the nodes of a cheapest path, both ends included, and returns true. Returns false if
  // there is no path. REQUIRES: is_done(). O(length).
  [[nodiscard]] bool append_path(NodeId from, NodeId to, std::vector<NodeId>* out) const {
    REPATH_CHECK(is_done());
    if (cost(from, to) == kUnreachable) return false;
    for (; from != to; from = NodeId{first_step_[at(from, to)]}) out->push_back(from);
    out->push_back(to);
    return true;
  }

  // Number of rows worked on.
  std::uint64_t expanded() const { return rows_done_; }
  std::size_t bytes() const {
    return cost_.capacity() * sizeof(cost_[0]) + first_step_.capacity() * sizeof(first_step_[0]);
  }

 private:
  // Twice this value still fits a Cost, so that sums in the inner loop need no check.
  static constexpr Cost kFar = kUnreachable / 4;

  explicit FloydWarshall(std::uint32_t node_count) : n_(node_count) {
    REPATH_CHECK(node_count <= kPairNodesMax);
    cost_.assign(std::size_t{n_} * n_, kFar);
    first_step_.assign(std::size_t{n_} * n_, 0);
    for (std::uint32_t i = 0; i < n_; ++i) cost_[at(NodeId{i}, NodeId{i})] = 0;
  }

  std::size_t at(NodeId from, NodeId to) const { return std::size_t{index(from)} * n_ + index(to); }
  void add_edge(NodeId from, NodeId to, Cost cost) {
    if (cost >= cost_[at(from, to)]) return;
    cost_[at(from, to)] = cost;
    first_step_[at(from, to)] = static_cast<std::uint16_t>(index(to));
  }

  // Improves the paths from row_ by paths through k_.
  void relax_row() {
    const Cost to_k = cost_[at(NodeId{row_}, NodeId{k_})];
    if (to_k == kFar || row_ == k_) return;
    const std::uint16_t step = first_step_[at(NodeId{row_}, NodeId{k_})];
    const Cost* const from_k = &cost_[at(NodeId{k_}, NodeId{0})];
    Cost* const costs = &cost_[at(NodeId{row_}, NodeId{0})];
    std::uint16_t* const steps = &first_step_[at(NodeId{row_}, NodeId{0})];
    for (std::uint32_t j = 0; j < n_; ++j) {
      const Cost through_k = to_k + from_k[j];
      if (through_k >= costs[j]) continue;
      costs[j] = through_k;
      steps[j] = step;
    }
  }

  std::uint32_t n_;
  std::uint32_t k_ = 0;
  std::uint32_t row_ = 0;
  std::vector<Cost> cost_;                 // row = from, column = to
  std::vector<std::uint16_t> first_step_;  // The node after `from`; valid where a path is known.
  std::uint64_t rows_done_ = 0;
};

}  // namespace repath
