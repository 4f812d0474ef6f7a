// Reads floor plans, the project's own JSON format: walkable polygons with holes, on one or several
// floors, and links between them. Cuts the polygons into convex cells.
//
// {"outer": [[x, z], ...], "holes": [[[x, z], ...], ...], "y": 0, "area": 0, "flags": 1}
// {"floors": [floor, ...], "links": [{"id": 1, "from_floor": 0, "from": [x, z], "to_floor": 1,
//   "to": [x, z], "both": true, "enabled": true, "factor": 1, "area": 0, "flags": 1}, ...]}
// [floor, ..., {"links": [link, ...]}]
// Only "outer" of a floor and "from" and "to" of a link are required. Defaults: "both" and
// "enabled" true, "factor" and "flags" 1, ids by place in the list from 1 on, everything else 0.
// "both" means that the link leads both ways. Coordinates are in world units and are rounded to the
// lattice, so that a millimetre is exact. Outer rings and holes may run in either direction. Pure
// functions, safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "geometry/partition.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

inline constexpr std::size_t kPlanBytesMax = std::size_t{1} << 26;
inline constexpr std::size_t kPlanFloorsMax = 1024;
// Corners of one floor, including its holes. So many take seconds of work.
inline constexpr std::size_t kPlanCornersMax = 8192;

using PlanMethod = PartitionMethod;

// Returns the mesh. kAnavmg draws no portal at a corner whose inner angle is within pi + tau
// (radians). Such corners are cut by shortest diagonals afterwards, because every search needs
// convex cells. REQUIRES: 0 <= tau <= kTauMax, and 0 for other methods. O(n^2) in the corners of a
// floor as a rule, O(n^3) at worst, which `work` bounds (null: a meter with the default limits).
// Errors:
// - INVALID_ARGUMENT, naming the field ("floors[0].holes[1][4]"), with reason JSON_SYNTAX (line and
//   column), JSON_FIELD (missing or out of range), PLAN_NOT_SIMPLE (the corner of an edge that
//   touches another edge of the floor or turns back on itself), PLAN_HOLE (a hole outside, or in
//   another hole) or PLAN_LINK (an end that is not on the ground of its floor).
// - RESOURCE_EXHAUSTED with reason JSON_TOO_LARGE or PLAN_TOO_LARGE.
// - WorkMeter::error(), naming floor or link.
absl::StatusOr<MeshSource> import_floor_plan(std::string_view text, PlanMethod method,
                                             WorkMeter* work = nullptr, double tau = 0);

}  // namespace repath
