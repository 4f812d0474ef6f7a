// Walks from a place of the mesh in a straight line over its ground. It answers line-of-sight
// queries and finds the cells that a part of a path crosses. Exact at vertices and along edges.
#pragma once

#include <cstdint>
#include <vector>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

struct RayResult {
  bool is_free = false;  // whether the whole segment is on the ground
  double share = 0;      // share of the segment that is free, [0, 1]
  MeshPlace end;         // the last place reached
  // Edge of the last cell that stopped the ray; kNoEdge if a vertex stopped it, or if it was not
  // stopped.
  std::uint32_t edge = kNoEdge;
};

// Walks from `from` to (to_x, to_z), in lattice steps. Ground that the filter excludes is blocked.
// The segment may run along blocked ground and touch its corners, but does not pass where two
// blocked pieces touch. Appends the cells crossed, in order, unless `cells` is null. REQUIRES:
// from.cell holds `from`, and the filter allows that cell. O(cells crossed and around vertices
// met).
RayResult cast_ray(const NavMesh& mesh, const MeshPlace& from, double to_x, double to_z,
                   const NavFilter& filter, std::vector<std::uint32_t>* cells);

}  // namespace repath
