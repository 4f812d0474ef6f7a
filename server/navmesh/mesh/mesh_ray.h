// Walks from a place of the mesh in a straight line over its ground: who sees whom, and which cells
// a part of a path crosses. Exact at vertices and along edges.
#pragma once

#include <cstdint>
#include <vector>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

struct RayResult {
  bool is_free = false;  // the whole segment is on the ground
  double share = 0;      // of the segment that is free, [0, 1]
  MeshPlace end;         // the last place reached
  // Of the last cell, the one that stopped it; kNoEdge: a vertex did, or nothing.
  std::uint32_t edge = kNoEdge;
};

// From `from` towards (to_x, to_z), in steps, at most to there. Ground that the filter excludes is
// blocked. The segment may run along blocked ground and touch its corners, but does not pass where
// two blocked pieces touch. Appends the cells crossed, in order, if `cells` is given. REQUIRES:
// from.cell holds `from`, and the filter allows it. O(cells crossed and around vertices met).
RayResult cast_ray(const NavMesh& mesh, const MeshPlace& from, double to_x, double to_z,
                   const NavFilter& filter, std::vector<std::uint32_t>* cells);

}  // namespace repath
