// Reads waypoints without edges, and links those that see one another over a map or a plan.
//
// {"nodes": [{"id": 1, "position": [x, y, z], "area": 0, "flags": 1, "enabled": true}, ...],
//  "link_distance": 12.5,
//  "map": "type octile\nheight 2\n...", "cell_size": 1, "corner_rule": "none"}
// or, in the place of the last line,
//  "plan": {"outer": [[x, z], ...], "holes": [[[x, z], ...], ...], "radius": 0}}
//
// Two nodes are linked both ways if their straight distance, heights counted, is at most
// "link_distance" and they see one another on the plane. The edge costs that distance.
// - On a map, which is Moving AI or rows of text with the built-in terrain classes, a line of sight
//   passes free cells only (grid/cells/ray.h). Where it meets a corner of cells, "corner_rule" says
//   how many of the two cells beside it may be blocked: "none" or "one". Node (x, y, z) stands in
//   column x / cell_size and row z / cell_size, rounded to 2^-10 of a cell.
// - On a plan the line enters no obstacle (graph/obstacle_plan.h). It may touch one. Positions are
//   rounded to the lattice.
// Pure function, safe on any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "graph/graph_source.h"

namespace repath {

inline constexpr std::size_t kSightBytesMax = std::size_t{1} << 29;
inline constexpr double kLinkDistanceMin = 0.001;  // world units
inline constexpr double kLinkDistanceMax = 10'000;

// Returns the nodes as they are given, and the links. WaypointGraph::build checks the nodes
// further. Errors, besides those of import_map() and read_obstacle_plan():
// - INVALID_ARGUMENT with reason JSON_SYNTAX (line and column), JSON_FIELD ("nodes[3].position"),
//   or NODE_BLOCKED (a node in a blocked cell, in an obstacle, or outside of map or outline).
// - RESOURCE_EXHAUSTED with reason JSON_TOO_LARGE, GRAPH_TOO_LARGE (more than kGraphEdgesMax / 2
//   links), or WorkMeter::error() (null: a meter with the default limits).
// O(n log n + pairs within the distance x cells or corners between them).
absl::StatusOr<GraphSource> import_sight_json(std::string_view text, WorkMeter* work = nullptr);

}  // namespace repath
