// Turns changed cells into changed edges: exactly the directed edges whose cost differs between two
// layers.
//
// The comparison is by edges, because a blocked cell also closes the diagonals that pass its
// corner, as the corner rule demands. Pure functions, as safe on any thread as the layers are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/cells.h"
#include "grid/cells/graph.h"

namespace repath {

// Value of EdgeChange::cause if the cause is not known.
inline constexpr std::uint32_t kNoCause = ~std::uint32_t{0};

struct EdgeChange {
  NodeId from{};
  NodeId to{};
  Cost before = 0;  // kUnreachable: there was no edge
  Cost after = 0;   // kUnreachable: there is no edge
  std::uint32_t cause = kNoCause;
  bool operator==(const EdgeChange&) const = default;
};

// Returns a key that sorts as the pair does, in one comparison.
inline std::uint64_t edge_key(NodeId from, NodeId to) {
  return std::uint64_t{index(from)} << 32 | index(to);
}
inline std::uint64_t edge_key(const EdgeChange& change) { return edge_key(change.from, change.to); }

// Returns the change of this edge; null if there is none. REQUIRES: `changes` is sorted by (from,
// to), each edge once. O(log n).
inline const EdgeChange* find_edge(std::span<const EdgeChange> changes, NodeId from, NodeId to) {
  const std::uint64_t wanted = edge_key(from, to);
  const EdgeChange* at = changes.data();
  for (std::size_t left = changes.size(); left > 1;) {  // halves the range without a branch
    const std::size_t half = left / 2;
    at = edge_key(at[half]) <= wanted ? at + half : at;
    left -= half;
  }
  return !changes.empty() && edge_key(*at) == wanted ? at : nullptr;
}

// A run of changed cells that share a cause.
struct ChangedRun {
  CellSpan cells;
  std::uint32_t cause = kNoCause;
};

// Returns the run that holds the cell; null if there is none. REQUIRES: runs are sorted by (y, x0)
// and disjoint. O(log runs).
const ChangedRun* run_at(const std::vector<ChangedRun>& runs, std::int32_t x, std::int32_t y);

struct EdgeDelta {
  std::vector<EdgeChange> risen;   // cost rose or edge closed; sorted by (from, to), each edge once
  std::vector<EdgeChange> fallen;  // cost fell or edge opened; sorted likewise
  std::vector<NodeId> changed_nodes;  // ends of these edges, sorted, each once
};

// Fills `delta`; its earlier contents are lost. REQUIRES: both graphs have the same size, topology
// and corner rule; `changed` is sorted by (y, x0), disjoint, and covers every cell whose state or
// factor differs. The cause of an edge is that of its `from` cell if this changed, otherwise of its
// `to` cell, otherwise of the flank that changed (the one in from's row first). Returns false, with
// `delta` incomplete, if there would be more than `edges_max` edges. O(changed cells x log(runs of
// a row)).
[[nodiscard]] bool diff_edges(const GridGraph& before, const GridGraph& after,
                              const std::vector<ChangedRun>& changed, std::uint64_t edges_max,
                              EdgeDelta* delta);

// Counts the directed edges that one graph has and the other has not: at most as many as diff_edges
// finds, and far sooner. Ends early once there are more than `edges_max`. REQUIRES: as diff_edges.
[[nodiscard]] std::uint64_t count_switched_edges(const GridGraph& before, const GridGraph& after,
                                                 const std::vector<ChangedRun>& changed,
                                                 std::uint64_t edges_max);

}  // namespace repath
