// Cuts large cells along a grid, so that work that is done cell by cell costs little each time.
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

// Returns the same ground in cells of at most `side` units in x and z. A larger cell is cut at the
// whole multiples of `side`, rounded to the lattice; its neighbours get the ends of the cuts as
// corners. An edge is cut at points rounded to the lattice, so ground may move there by half a
// step. A cell that becomes concave by this is cut once more, from the dent to a distant corner; a
// sliver would be closed as soon as something is carved out of it. A cell too thin to be cut stays
// as it is.
//
// Cells keep their order, and the pieces of a cell stand together, with its area and flags.
// `cut_from`, unless null, gets for each cell the index of the original. A link stays with the
// piece that holds its end; an end on the border of its cell may move by a step or two.
//
// Errors: INVALID_ARGUMENT with reason CELL_SIDE (`side` is out of range) or LINK_CELL (no piece
// holds an end); RESOURCE_EXHAUSTED with reason MESH_TOO_LARGE (too many cells); WorkMeter::error()
// if the cells or their memory exceed `work` (null: unlimited). REQUIRES: `mesh` is what
// NavMesh::build makes of `source`. O(n log n) in the edges of the result.
absl::StatusOr<MeshSource> cut_to_size(const MeshSource& source, const NavMesh& mesh, double side,
                                       std::vector<std::uint32_t>* cut_from = nullptr,
                                       WorkMeter* work = nullptr);

}  // namespace repath
