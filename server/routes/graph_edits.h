// Whether all edits of a batch can be done to a graph, one after the other, asked before any of
// them is.
#pragma once

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "graph/waypoint_graph.h"
#include "world/batch.h"

namespace repath {

// Errors as of WaypointGraph's edits, with fields "graph_edits[3].node.id"; NODE_EXISTS for a node
// that is there already. What OK was said of, none of the edits refuses. Adds up in `brought` what
// edges that are made or priced cost together, units of the graph. O(n log n).
absl::Status check_graph_edits(const WaypointGraph& graph, std::span<const GraphEdit> edits,
                               double* brought);

}  // namespace repath
