// What lengths along a straight leg over a mesh count on average. Pure.
#pragma once

#include <cstdint>
#include <span>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

// From `from` to (to_x, to_z), lattice steps, through `cells` in their order
// (navmesh/mesh/mesh_ray.h); none: within its own. Where the leg runs along the border of a cell,
// no more than a lattice step inside of it, the ground behind counts if it is cheaper: who goes
// round dear ground goes along its edge, and rounding must not decide. Exactly 1 where all cells
// have that. O(edges of the cells).
double mean_factor(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from, double to_x,
                   double to_z, std::span<const std::uint32_t> cells);

}  // namespace repath
