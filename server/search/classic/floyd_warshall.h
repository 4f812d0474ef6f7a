// Floyd-Warshall: finds cheapest paths between all pairs of a few nodes of a graph, over these
// nodes alone.
//
// Source: R. W. Floyd, "Algorithm 97: Shortest path", CACM 5, 1962; S. Warshall, 1962; in blocks,
// see search/classic/pair_table.h. Departures:
// - Costs are divided by their greatest common divisor, so they fit 32 bits on most grids.
// - The table has costs alone. A path follows edges (u, v, c) with c + cost(v, end) = cost(u, end),
//   the least v first. So equal inputs give equal paths.
// - The function advance() can stop between two strips of 64 rows.
//
// Edges may have a negative cost if they come as a list; a SearchGraph has none. A cycle with a
// negative sum leaves no cheapest paths. Then negative_cycle() names its nodes, and nothing else
// may be asked. It is looked for before the table is made, by R. Bellman's method (1958), and only
// if an edge is negative.
//
// Not thread-safe; does not keep the graph. Memory: bytes_needed() from the first advance() on, and
// before it 16 bytes for each edge. Invariant: after a round each pair's cost is that of a cheapest
// path whose inner nodes are among those of the rounds done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/cost.h"
#include "base/executor.h"
#include "search/classic/pair_table.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

// An edge between two of the nodes, by their indices.
struct PairEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t cost = 0;
};

// Returns the nodes of a cycle whose costs have a negative sum, in the order of its edges, the
// least node first; empty if there is none. REQUIRES: the greatest cost, either sign, times nodes
// and edges is at most 2^62. O(nodes x edges).
std::vector<std::uint32_t> find_negative_cycle(std::uint32_t nodes,
                                               std::span<const PairEdge> edges);

class FloydWarshall {
 public:
  // Most nodes that fit into `bytes`, if their costs are small.
  static std::uint32_t nodes_for(std::uint64_t bytes);

  // `nodes` ascend; paths pass no other nodes. A caller that needs one path also states its start
  // and goals. O(edges x log n).
  FloydWarshall(const SearchGraph auto& graph, std::vector<NodeId> nodes, NodeId start = kNoNode,
                GoalSet goals = {})
      : nodes_(std::move(nodes)), start_(start), goals_(std::move(goals)) {
    const auto n = static_cast<std::uint32_t>(nodes_.size());
    for (std::uint32_t from = 0; from < n; ++from)
      graph.for_each_successor(nodes_[from], [&](NodeId node, Cost step) {
        const std::uint32_t to = number_of(node);
        if (to != n) edges_.push_back({from, to, static_cast<std::int64_t>(step)});
      });
    begin();
  }
  // Takes the nodes 0 to `nodes` - 1 and any edges between them. REQUIRES: as find_negative_cycle.
  FloydWarshall(std::uint32_t nodes, std::vector<PairEdge> edges);

  // Returns the nodes of a cycle with a negative sum, in its order; empty if there is none.
  std::span<const NodeId> negative_cycle() const { return negative_cycle_; }
  // Returns the memory of the whole search once advance() has made its table. O(1).
  std::uint64_t bytes_needed() const {
    return bytes() - table_.bytes() + PairTable::bytes_for(nodes_.size(), width_);
  }

  // Works on at most `*rows` rows and subtracts the number used; there are n rounds of n rows.
  // Rows are paid for one by one, and done in strips. Once all pairs are done, returns kPathFound
  // if a goal can be reached from the start, otherwise kNoPath. The executor runs strips that are
  // paid for at once; the result is the same with any. REQUIRES: no negative cycle. O(n) for each
  // row.
  [[nodiscard]] Progress advance(std::uint32_t* rows, Executor& executor);
  [[nodiscard]] Progress advance(std::uint32_t* rows) {
    InlineExecutor one_by_one;
    return advance(rows, one_by_one);
  }

  // Returns the nearest goal, the least id among equals; kNoNode before kPathFound.
  NodeId goal() const { return goal_; }
  // Returns the cost of a cheapest path from the start to goal(); kUnreachable before kPathFound.
  Cost path_cost() const { return path_cost_; }
  // Appends the nodes of that path, both ends included. REQUIRES: kPathFound. O(length x edges of a
  // node).
  void append_path(std::vector<NodeId>* out) const {
    REPATH_CHECK(append_path(start_, goal_, out));
  }

  // Returns the cost of a cheapest path; kUnreachable if there is none, or one of the two is not
  // among the nodes. Before advance() ends it is the cost of the best path known, and kUnreachable
  // proves nothing. REQUIRES: no edge is negative. O(log n).
  Cost cost(NodeId from, NodeId to) const {
    const std::int64_t known = signed_cost(from, to);
    return known == PairTable::kNoCost ? kUnreachable : static_cast<Cost>(known);
  }
  // Returns the same of edges of any sign; PairTable::kNoCost if there is no path.
  std::int64_t signed_cost(NodeId from, NodeId to) const;
  // Appends the nodes of a cheapest path, both ends included, and returns true. Returns false if
  // there is no path. REQUIRES: advance() has ended. O(length x edges of a node), or O(edges) if an
  // edge costs nothing or less.
  [[nodiscard]] bool append_path(NodeId from, NodeId to, std::vector<NodeId>* out) const;

  // Visits every node to which a path from the start is known, in ascending order of ids; h is 0.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    for (const NodeId node : nodes_)
      if (cost(start_, node) != kUnreachable) visit(TouchedNode{node, cost(start_, node)});
  }

  // Number of rows worked on.
  std::uint64_t expanded() const { return rows_done_; }
  std::size_t bytes() const {
    return table_.bytes() + nodes_.capacity() * sizeof(nodes_[0]) +
           edges_.capacity() * sizeof(edges_[0]) + first_edge_.capacity() * sizeof(first_edge_[0]);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Returns the place of the node in nodes_; their number if it is not there.
  std::uint32_t number_of(NodeId node) const;
  // Sorts the edges, looks at their costs and finds a negative cycle.
  void begin();
  void fill_table();
  // Returns the strip that is worked on at a place in the round's order: its own strip comes first.
  std::uint32_t strip_at(std::uint32_t place) const {
    return place == 0 ? round_ : place <= round_ ? place - 1 : place;
  }
  // Pays for strips of the round, from place_ on, and returns how many are paid for in full.
  std::uint32_t pay(std::uint32_t* rows);
  std::span<const PairEdge> edges_from(std::uint32_t node) const {
    return {edges_.data() + first_edge_[node], edges_.data() + first_edge_[node + 1]};
  }
  // Returns whether the edge is on a cheapest path from its first node to `end`.
  bool is_tight(const PairEdge& edge, std::uint32_t end) const;
  // Appends the indices of a path whose edges all cost more than 0; or of any path.
  void walk(std::uint32_t from, std::uint32_t end, std::vector<NodeId>* out) const;
  void walk_by_steps(std::uint32_t from, std::uint32_t end, std::vector<NodeId>* out) const;

  std::vector<NodeId> nodes_;
  NodeId start_ = kNoNode;
  GoalSet goals_;
  std::vector<PairEdge> edges_;            // by from, then by to; costs divided by unit_
  std::vector<std::uint32_t> first_edge_;  // by node, and one more
  std::int64_t unit_ = 1;
  PairTable::Width width_ = PairTable::Width::k32;
  bool has_free_edges_ = false;  // an edge costs 0 or less
  std::vector<NodeId> negative_cycle_;
  PairTable table_;  // empty before the first advance()
  std::uint32_t round_ = 0;
  std::uint32_t place_ = 0;  // in the round's order
  std::uint64_t paid_ = 0;   // rows, for the strip at place_
  std::uint64_t rows_done_ = 0;
  NodeId goal_ = kNoNode;
  Cost path_cost_ = kUnreachable;
};

}  // namespace repath
