// Reads floor plans, the project's own JSON: walkable polygons with holes, on one floor or several,
// and links between them; cuts them into convex cells.
//
//   {"outer": [[x, z], ...], "holes": [[[x, z], ...], ...], "y": 0, "area": 0, "flags": 1}
//   {"floors": [floor, ...], "links": [{"id": 1, "from_floor": 0, "from": [x, z], "to_floor": 1,
//     "to": [x, z], "both": true, "enabled": true, "factor": 1, "area": 0, "flags": 1}, ...]}
//   [floor, ..., {"links": [link, ...]}]
// Only "outer" of a floor and "from", "to" of a link must be there; "both" and "enabled" are true,
// "factor" and "flags" 1, ids those of the list from 1 on, all else 0 if it is missing.
// World units; rounded to the lattice, so that a millimetre is exact. Outer rings may run either
// way, holes too; both are turned as they must be. Pure functions, safe on any thread.
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
inline constexpr std::size_t kPlanCornersMax =
    8192;  // of one floor, holes included; seconds of work

enum class PlanMethod : std::uint8_t { kAnavmg, kDelaunay, kShortestDiagonals };

// The mesh; cells of floor i have Provenance::tile i. INVALID_ARGUMENT with reason JSON_SYNTAX
// (line and column), JSON_FIELD (what is missing or out of range), PLAN_NOT_SIMPLE (the corner from
// which an edge touches another of the floor, or comes back on itself), PLAN_HOLE (the hole that
// lies outside or in another) or PLAN_LINK (an end on no ground of its floor), each naming the
// field
// ("floors[0].holes[1][4]"); RESOURCE_EXHAUSTED with JSON_TOO_LARGE or PLAN_TOO_LARGE. O(n^2) in
// the corners of a floor as a rule, O(n^3) at worst, which `work` bounds (null: a meter with the
// default limits): WorkMeter::error, naming floor or link.
absl::StatusOr<MeshSource> import_floor_plan(std::string_view text, PlanMethod method,
                                             WorkMeter* work = nullptr);

}  // namespace repath
