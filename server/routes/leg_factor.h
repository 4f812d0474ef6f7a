// The mean cost factor along a straight leg over a mesh. Pure.
#pragma once

#include <cstdint>
#include <span>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

// Returns the mean factor from `from` to (to_x, to_z), in lattice steps, through `cells` in their
// order (navmesh/mesh/mesh_ray.h); none: within the cell of `from`. If the leg runs along the
// border of a cell, at most a lattice step inside of it, the ground behind counts if it is cheaper.
// The reason is that the cheapest way round dear ground follows its edge, and rounding must not
// decide the factor. The result is exactly 1 if all cells have factor 1. O(edges of the cells).
double mean_factor(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from, double to_x,
                   double to_z, std::span<const std::uint32_t> cells);

}  // namespace repath
