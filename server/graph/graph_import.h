// Reads waypoint graphs from the project's own JSON format.
//
// {"nodes": [{"id": 1, "position": [x, y, z], "area": 0, "flags": 1, "enabled": true}, ...],
//  "edges": [{"from": 1, "to": 2, "cost": 3.5, "both": true, "area": 0, "flags": 1,
//             "enabled": true, "key": 0, "width": 0}, ...]}
// "id", "position", "from" and "to" are required. A missing "cost" means the straight distance.
// "both" means that the edge leads both ways. Edges with the same ends differ in their "key", [0,
// 255]. Defaults: "both" and "enabled" true, "flags" 1, "area", "key" and "width" 0. Pure function,
// safe on any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "graph/graph_source.h"

namespace repath {

class JsonObject;

inline constexpr std::size_t kGraphBytesMax = std::size_t{1} << 28;

// Returns the nodes and edges for WaypointGraph::build, which checks them further. Errors:
// INVALID_ARGUMENT with reason JSON_SYNTAX (line and column) or JSON_FIELD
// ("nodes[3].position[1]"); RESOURCE_EXHAUSTED with reason JSON_TOO_LARGE; or WorkMeter::error() as
// in parse_json_items() (null: a meter with the default limits). O(bytes).
absl::StatusOr<GraphSource> import_graph_json(std::string_view text, WorkMeter* work = nullptr);

// Reads one node of a list "nodes"; error JSON_FIELD.
absl::Status read_graph_node(const JsonObject& value, GraphNode* node);
// Reads "area", "flags" and "enabled" of a node; error JSON_FIELD.
absl::Status read_kind_of_ground(const JsonObject& value, GraphNode* node);

}  // namespace repath
