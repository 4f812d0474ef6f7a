// Reads polygon meshes in the format of Polyanya, version 2: `mesh`, `2`, `V P`, then V times `x y
// n p1 .. pn` and P times `n v1 .. vn q1 .. qn`. Numbers are separated by white space; lines end in
// LF or CRLF.
//
// The y of a file is the mesh's z. Coordinates are rounded to the lattice, halves up. A polygon
// that rounding makes concave is cut into several cells. The neighbours that the file lists must be
// the polygons that share two vertices. Neighbour q1 lies across the edge from vn to v1, or from v1
// to v2, in the same way in the whole file. The polygons listed around vertices are read and
// dropped. Pure function, safe on any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

inline constexpr std::size_t kPolyanyaCornersMax = 1024;  // of one polygon in a file

// Returns the mesh; all heights are 0. Counts are checked against the remaining bytes before memory
// is allocated for them. O(n log n) in the bytes, plus the cost of cutting, which `work` bounds
// (null: a meter with the default limits). Errors name the line, from 1:
// - INVALID_ARGUMENT with reason MESH_SYNTAX, MESH_INDEX (an unknown vertex or polygon),
//   MESH_EXTENT, MESH_POLYGON (cannot be made convex; names the edges that cross) or
//   MESH_NEIGHBOUR.
// - RESOURCE_EXHAUSTED with reason MESH_TOO_LARGE.
// - WorkMeter::error(), naming line and polygon.
absl::StatusOr<MeshSource> import_polyanya(std::string_view text, WorkMeter* work = nullptr);

}  // namespace repath
