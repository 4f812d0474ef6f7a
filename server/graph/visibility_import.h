// Reads points of visibility: obstacles with the radius of an agent, and points of the author's
// own.
//
// {"outer": [[x, z], ...], "holes": [[[x, z], ...], ...], "radius": 0.5, "y": 0,
//  "points": [{"id": 1, "position": [x, z], "area": 0, "flags": 1, "enabled": true}, ...]}
// Only "radius" is required; graph/obstacle_plan.h describes it and the rings. "id" is the place in
// the list, from 1, if it is missing. Corners get ids from the largest of them + 1 on. Pure
// function, safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "graph/graph_source.h"

namespace repath {

inline constexpr std::size_t kVisibilityBytesMax = std::size_t{1} << 24;
inline constexpr std::uint64_t kPointIdMax = std::uint64_t{1} << 63;

// Returns the points, then the corners that an agent can use, linked where they see each other
// (graph/visibility.h). WaypointGraph::build checks the ids. Errors, besides those of
// read_obstacle_plan() and visibility_graph():
// - INVALID_ARGUMENT with reason JSON_SYNTAX (line and column), JSON_FIELD, or POINT_BLOCKED (a
//   point in an obstacle or outside of the outline), naming the field.
// - RESOURCE_EXHAUSTED with reason JSON_TOO_LARGE, or WorkMeter::error() (null: a meter with the
//   default limits).
absl::StatusOr<GraphSource> import_visibility_json(std::string_view text,
                                                   WorkMeter* work = nullptr);

}  // namespace repath
