// A point on the ground of a mesh: the cell tells the floor.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "navmesh/mesh/exact_side.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

struct MeshPlace {
  std::uint32_t cell = kNoCell;
  double x = 0;  // lattice steps, multiples of 2^-20
  double z = 0;
  Point point() const { return {from_steps(x), from_steps(z)}; }
  bool operator==(const MeshPlace&) const = default;
};

// `at` in world units. REQUIRES: within the extent; whether it lies in the cell is not looked at.
inline MeshPlace place_in(std::uint32_t cell, Point at) {
  return {cell, to_fine_steps(at.x), to_fine_steps(at.z)};
}

// Whether the point lies in the closed cell. Exact. O(edges of the cell).
bool holds(const NavMesh& mesh, std::uint32_t cell, double x, double z);

// The cells that hold the place and hang together there: more than one on edges and vertices.
// place.cell first. REQUIRES: holds(mesh, place.cell, place.x, place.z).
void cells_around(const NavMesh& mesh, const MeshPlace& place, std::vector<std::uint32_t>* cells);

// The point itself if the cell holds it, else one that it holds: on the way to the cell's middle,
// as near as fine steps allow, or a corner. For points that were computed to lie in the cell.
MeshPlace pull_into(const NavMesh& mesh, std::uint32_t cell, double x, double z);

}  // namespace repath
