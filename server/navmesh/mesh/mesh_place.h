// A point on the ground of a mesh; the cell determines the floor.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "navmesh/mesh/exact_side.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

struct MeshPlace {
  std::uint32_t cell = kNoCell;
  double x = 0;  // lattice steps, multiples of 2^-20
  double z = 0;
  Point point() const { return {from_steps(x), from_steps(z)}; }
  bool operator==(const MeshPlace&) const = default;
};

// Makes a place; `at` is in world units. REQUIRES: within the extent. Does not check that the cell
// holds the point.
inline MeshPlace place_in(std::uint32_t cell, Point at) {
  return {cell, to_fine_steps(at.x), to_fine_steps(at.z)};
}

// Returns whether the point lies on the closed edge of a cell. Exact.
inline bool is_on_edge(const NavMesh::Edge& a, double x, double z) {
  const NavMesh::Edge& b = NavMesh::after(a);
  return side_of(b.x - a.x, b.z - a.z, x - a.x, z - a.z) == 0 && x >= std::min(a.x, b.x) &&
         x <= std::max(a.x, b.x) && z >= std::min(a.z, b.z) && z <= std::max(a.z, b.z);
}

// Returns whether the point lies in the closed cell. Exact. O(edges of the cell).
bool holds(const NavMesh& mesh, std::uint32_t cell, double x, double z);

// Returns the cells that hold the place and are connected there, place.cell first; with a filter,
// connected by cells that it allows. On edges and vertices there is more than one. REQUIRES:
// holds(mesh, place.cell, place.x, place.z).
void cells_around(const NavMesh& mesh, const MeshPlace& place, std::vector<std::uint32_t>* cells,
                  const NavFilter* filter = nullptr);

// Returns the point itself if the cell holds it. Otherwise returns a point that it holds: on the
// line to the cell's middle, as near as fine steps allow, or a corner. Use it for points that were
// computed to lie in the cell.
MeshPlace pull_into(const NavMesh& mesh, std::uint32_t cell, double x, double z);

}  // namespace repath
