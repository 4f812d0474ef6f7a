// Knowledge that a graph may offer beside its edges, so that a goal field labels fewer nodes one by
// one.
#pragma once

#include <concepts>
#include <cstdint>

#include "base/cost.h"
#include "base/ids.h"
#include "search/graph.h"

namespace repath {

// Arrivals are [0, kFieldArrivals); kFieldArrivals itself marks a label without an arrival.
inline constexpr std::uint32_t kFieldArrivals = 8;
inline constexpr std::uint32_t kFieldRunMax = 32;
// A straight run of labels.
struct FieldRun {
  std::uint32_t nodes = 0;   // at most kFieldRunMax
  std::uint32_t stride = 0;  // difference of ids from one node to the next, modulo 2^32
  Cost step = 0;      // cost of each edge between them, and of the edge to the node after them
  bool ends = false;  // the last node does not hand on its label
};

// A graph that lets a goal field prune.
//
// `for_each_predecessor_after(n, a, visit)` calls visit(m, cost, arrival) for the predecessors m of
// n to which n must hand on its label. The arrival `a`, less than kFieldArrivals, says from which
// node p the label came to n. With `a` equal to kFieldArrivals it visits all predecessors. It may
// leave out m in two cases:
// a. The edge (m, p) costs less than the path over n.
// b. Another path (m, n', p) costs no more, and n' hands its label to m unless a cheaper path than
//    that over n' exists. Then label(n') is less than label(n) + edge_min.
//
// Leaving out m is right by induction over true costs: at least one of m's optimal next nodes hands
// on. The argument needs that the label of p is final and that the edges are those of today. So an
// edit deletes the arrivals of the nodes it touches, and a node whose n' may still wait hands on to
// all its predecessors.
//
// run_from(m, a) returns how many nodes, from m on, hand on their label only to the next node when
// m is reached by `a`.
template <class G>
concept ArrivalGraph = SearchGraph<G> &&
    requires(const G& g, NodeId n, void (*visit)(NodeId, Cost, std::uint32_t)) {
  g.for_each_predecessor_after(n, std::uint32_t{}, visit);
  { g.run_from(n, std::uint32_t{}) } -> std::same_as<FieldRun>;
};

}  // namespace repath
