// The graph that every kernel of this room searches, the result of a slice of work, and the limits
// that some kernels keep.
//
// A SearchGraph is a directed graph with a lower bound. A kernel borrows it and reads nothing else
// of the world. Functions of a graph are called by one kernel at a time, or by several if the graph
// allows it; kernels never write.
// 1. Node ids are dense, [0, node_count()), and node_count() <= kNodesMax never changes.
// 2. An edge's cost is at least 1 and finite. Closed edges are not visited.
// 3. The call for_each_predecessor(n) visits (m, c) exactly when for_each_successor(m) visits (n,
//    c). Both visit in one fixed order, so that a run replays bit for bit.
// 4. The heuristic h(a, b) never overestimates and is consistent both ways: h(a, a) = 0, h(a, c) <=
//    h(a, b) + h(b, c), and h(a, b) <= c for every edge (a, b, c). It is finite and does not change
//    when edges do.
// 5. A path without a loop costs at most what base/cost.h allows (5.6e17), so plain sums of finite
//    costs cannot overflow.
#pragma once

#include <concepts>
#include <cstddef>
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

// A graph that declares that for every edge (n, m, c) there is an edge (m, n, c).
template <class G>
concept SymmetricGraph = SearchGraph<G> && requires {
  requires G::kIsSymmetric;
};

// The result of a slice of work. "Out of budget" is never reported as "no path". Once an end is
// reached, further slices report the same end at no cost, until an edit or a move is reported to
// the kernel.
enum class Progress { kPathFound, kNoPath, kOutOfBudget };

// The resources that a search may take altogether, in any number of slices.
struct SearchLimits {
  // Upper limit of bytes(), even while a container grows. The goals belong to the caller and do not
  // count.
  std::size_t bytes_max = std::size_t{1} << 20;
  // Upper limit of expanded(). With little memory a search may go on for very long, above all if no
  // goal can be reached. Without a limit the caller decides when to stop asking for slices.
  std::uint64_t expansions_max = ~std::uint64_t{0};
};

// A Progress with two more ends. It is a type of its own, so that a caller cannot mistake a refusal
// for "no path" or for a slice that needs to be continued. The ends kPathFound and kNoPath are
// proved, as everywhere; kMemoryLimit and kWorkLimit mean that neither is. Once an end is reached,
// further slices report the same end at no cost.
enum class LimitedProgress { kPathFound, kNoPath, kOutOfBudget, kMemoryLimit, kWorkLimit };

// The state of one node in a kernel, for ExplainPath and for drawings.
struct TouchedNode {
  NodeId node = kNoNode;
  // Known cost: from the start in forward kernels, to the goal in kernels rooted at the goals.
  Cost g = kUnreachable;
  Cost h = 0;            // lower bound of the rest of the path
  bool is_open = false;  // whether the node waits in the open list; otherwise it is closed
  // The node it was reached from at last; kNoNode where the search began.
  NodeId parent = kNoNode;
  Cost f() const { return saturating_add(g, h); }
};

}  // namespace repath
