// What a graph may know beside its edges, so that a goal field labels fewer nodes one by one.
#pragma once

#include <concepts>
#include <cstdint>

#include "base/cost.h"
#include "base/ids.h"
#include "search/graph.h"
#include "search/incremental/field_run.h"

namespace repath {

// A graph that prunes: for_each_predecessor_after(n, a, visit) calls visit(m, cost, arrival) for
// those predecessors of n that its label must be handed to, given that n got it from a node p with
// arrival `a`, less than kFieldArrivals; all of them if `a` is kFieldArrivals. It may leave out m
//   - if the edge (m, p) is less than the way over n; or
//   - if another way (m, n', p) is no more, over a node n' that hands its label to m unless the way
//   over n' is longer than another; then label(n') is less than label(n) + edge_min.
// What is left out is right by induction over true costs: of m's optimal next nodes one hands on.
// It hangs on p's label being final and on edges of today, so an edit takes the arrivals of what it
// touches away, and nodes whose n' may wait still hand on to all.
// run_from(m, a) says how many nodes from m on, reached by `a`, hand on to the next one alone.
template <class G>
concept ArrivalGraph = SearchGraph<G> &&
    requires(const G& g, NodeId n, void (*visit)(NodeId, Cost, std::uint32_t)) {
  g.for_each_predecessor_after(n, std::uint32_t{}, visit);
  { g.run_from(n, std::uint32_t{}) } -> std::same_as<FieldRun>;
};

}  // namespace repath
