// Searches for one way over a waypoint graph: A*, Dijkstra, and all pairs of a small graph; see
// routes/graph_ground.h.
#pragma once

#include <cstddef>
#include <memory>

#include "routes/graph_ground.h"
#include "search/goal_set.h"

namespace repath {

// Returns whether at most FloydWarshall::kPairNodesMax nodes are open. O(nodes).
bool fits_all_pairs(const WaypointGraph& graph);

// Makes a search. Borrows graph and filter. kBest is A*. REQUIRES: fits_all_pairs for
// kFloydWarshall.
std::unique_ptr<RouteSearch> search_graph(RouteMethod method, const WaypointGraph* graph,
                                          const GraphFilter* filter, NodeId start, GoalSet goals,
                                          std::size_t touched_max);

}  // namespace repath
