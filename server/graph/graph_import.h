// Reads waypoint graphs from the project's own JSON and CSV formats.
//
// JSON:
// {"nodes": [{"id": 1, "position": [x, y, z], "area": 0, "flags": 1, "enabled": true}, ...],
//  "edges": [{"from": 1, "to": 2, "cost": 3.5, "both": true, "area": 0, "flags": 1,
//             "enabled": true}, ...]}
// "id", "position", "from" and "to" are required. A missing "cost" means the straight distance.
// "both" means that the edge leads both ways. Defaults: "both" and "enabled" true, "flags" 1,
// "area" 0.
//
// CSV: the lines of the two files are `id,x,y,z[,area]` and `from,to[,cost[,both]]`. A first line
// that starts with "id" or "from" is a heading; empty lines are skipped. `both` is 0, 1, false or
// true (default true). Lines end in LF or CRLF. Pure functions, safe on any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "graph/graph_source.h"

namespace repath {

inline constexpr std::size_t kGraphBytesMax = std::size_t{1} << 28;

// Return the nodes and edges for WaypointGraph::build, which checks them further. Errors:
// INVALID_ARGUMENT with reason JSON_SYNTAX (line and column), JSON_FIELD ("nodes[3].position[1]")
// or CSV_SYNTAX (field "nodes.csv"; the message names the line); RESOURCE_EXHAUSTED with reason
// JSON_TOO_LARGE or GRAPH_TOO_LARGE; or WorkMeter::error() as in parse_json_items() (null: a meter
// with the default limits). O(bytes).
absl::StatusOr<GraphSource> import_graph_json(std::string_view text, WorkMeter* work = nullptr);
absl::StatusOr<GraphSource> import_graph_csv(std::string_view nodes, std::string_view edges);

}  // namespace repath
