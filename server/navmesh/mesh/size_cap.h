// Large cells cut along a grid, so that what is done cell by cell costs little each time.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "navmesh/mesh/mesh_source.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

inline constexpr double kCellSideLeast = 0.5;     // world units
inline constexpr double kCellSideMost = 10'000.;  // world units

// The same ground in cells of at most `side` units in x and in z: a cell that is larger is cut at
// the whole multiples of `side` (rounded to the lattice); where it is, its neighbours get the ends
// of the cuts as corners. An edge is cut at points rounded to the lattice, so ground may move by
// half a step there; a cell that this dents is cut once more, from the dent to a corner far off: a
// sliver would be closed to the other side as soon as something is carved out of it. Cells keep
// their order, pieces of one stand together, with its area, flags and origin; `cut_from`, unless it
// is null, gets the cell that each is a piece of. A cell too thin to be cut stays as it is. Links
// stay with the piece that holds their end; one on the border of its cell may move by a step or
// two. INVALID_ARGUMENT CELL_SIDE if `side` is out of its range, or LINK_CELL if no piece holds an
// end; RESOURCE_EXHAUSTED MESH_TOO_LARGE if it would be more cells than a mesh has, or
// WorkMeter::error if `work` (null: no bound) does not allow for the cells or their memory.
// REQUIRES: `mesh` is what NavMesh::build makes of the source. O(n log n) in the edges of the
// result.
absl::StatusOr<MeshSource> cut_to_size(const MeshSource& source, const NavMesh& mesh, double side,
                                       std::vector<std::uint32_t>* cut_from = nullptr,
                                       WorkMeter* work = nullptr);

}  // namespace repath
