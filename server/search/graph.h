// What every kernel of this room searches, and what a slice of its work can come to.
//
// A SearchGraph is a directed graph with a lower bound. A kernel borrows it and reads nothing else
// of the world.
//   1. Node ids are dense, [0, node_count()), and node_count() <= kNodesMax never changes.
//   2. An edge's cost is at least 1 and finite; a closed edge is not visited at all.
//   3. for_each_predecessor(n) visits (m, c) exactly when for_each_successor(m) visits (n, c), both
//   in one fixed order,
//      so that a run replays bit for bit.
//   4. heuristic(a, b) never overestimates and is consistent both ways: h(a, a) = 0, h(a, c) <=
//   h(a, b) + h(b, c), and
//      h(a, b) <= c for every edge (a, b, c). It is finite and does not change when edges do.
//   5. No path without a loop costs more than base/cost.h allows (5.6e17), so plain sums of finite
//   costs cannot overflow.
// Functions of a graph are called from one kernel at a time, or from several if the graph allows
// it; kernels never write.
#pragma once

#include <concepts>
#include <cstdint>

#include "base/cost.h"
#include "base/ids.h"

namespace repath {

// 16384 x 16384 cells.
inline constexpr std::uint32_t kNodesMax = std::uint32_t{1} << 28;

template <class G>
concept SearchGraph = requires(const G& g, NodeId n, void (*visit)(NodeId, Cost)) {
  { g.node_count() } -> std::same_as<std::uint32_t>;
  { g.heuristic(n, n) } -> std::same_as<Cost>;
  g.for_each_successor(n, visit);
  g.for_each_predecessor(n, visit);
};

// One that says of itself that for every edge (n, m, c) there is an edge (m, n, c).
template <class G>
concept SymmetricGraph = SearchGraph<G> && requires {
  requires G::kIsSymmetric;
};

// What a slice of work came to. "Out of budget" is never reported as "no path". Once an end is
// reached, further slices report the same end and cost nothing, until the kernel is told of an edit
// or a move.
enum class Progress { kPathFound, kNoPath, kOutOfBudget };

// One node as a kernel left it, for ExplainPath and for drawings.
struct TouchedNode {
  NodeId node = kNoNode;
  Cost g = kUnreachable;  // known cost: from the start in forward kernels, to the goal in
                          // goal-rooted ones
  Cost h = 0;             // lower bound of the rest
  bool is_open = false;   // waits in the open list; otherwise closed
  Cost f() const { return saturating_add(g, h); }
};

}  // namespace repath
