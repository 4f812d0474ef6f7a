// Reads polygon meshes in the format of Polyanya, version 2: `mesh`, `2`, `V P`, then V times
// `x y n p1 .. pn` and P times `n v1 .. vn q1 .. qn`, numbers apart by white space, lines ending in
// LF or CRLF.
//
// A file's y is the mesh's z; coordinates are rounded to the lattice, halves up. A polygon that
// rounding dents is cut in two or more cells, whose Provenance::polygon is the polygon's number.
// What the file says of neighbours must be what shares two vertices: q1 across the edge from vn to
// v1, or from v1 to v2, the same way in the whole file. What it says around vertices is read and
// dropped. Pure function, safe on any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

inline constexpr std::size_t kPolyanyaCornersMax = 1024;  // of one polygon in a file

// The mesh, all heights 0, or INVALID_ARGUMENT with reason MESH_SYNTAX, MESH_INDEX (a number that
// names no vertex or polygon), MESH_EXTENT, MESH_POLYGON (cannot be made convex; names
// the edges that cross) or MESH_NEIGHBOUR, or RESOURCE_EXHAUSTED with MESH_TOO_LARGE; the message
// names the line, from 1. Counts are checked against the bytes that are left before anything is
// allocated for them. O(n log n) in the bytes, and what cutting takes, which `work` bounds (null: a
// meter with the default limits): WorkMeter::error, naming line and polygon.
absl::StatusOr<MeshSource> import_polyanya(std::string_view text, WorkMeter* work = nullptr);

}  // namespace repath
