// Checks whether all edits of a batch can be applied to a graph one after the other, before any is
// applied.
#pragma once

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "graph/waypoint_graph.h"
#include "world/batch.h"

namespace repath {

// Checks the edits. Errors are those of WaypointGraph's edits, with fields such as
// "graph_edits[3].node.id", and NODE_EXISTS for a node that exists already. After OK, the graph
// refuses none of the edits. Adds up in `brought` the costs of edges that are made or priced, in
// units of the graph. O(n log n).
absl::Status check_graph_edits(const WaypointGraph& graph, std::span<const GraphEdit> edits,
                               double* brought);

}  // namespace repath
