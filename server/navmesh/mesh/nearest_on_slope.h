// The points of a cell's ground that are nearest in space to a place, where the ground is not
// level.
//
// The ground of a base cell is a fan of triangles (NavMesh::height_at). So the ground of a cell is
// one plane over each part of it that lies in one triangle. Over such a part the square of the
// distance is a convex function. It is least at the foot of the perpendicular, or else on an edge
// of the part. Edges of the cell have heights of their own, so they are looked at by themselves.
// Pure functions: + - x / and square root only.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

// The place and range of a search for the nearest ground.
struct NearestWish {
  double x = 0;  // lattice steps
  double z = 0;
  double y = 0;       // world units, as for the distances below
  double radius = 0;  // in the plane
  double reach = 0;   // in height
};

// The cell whose ground gives the height. A piece of a carved cell has the height of the whole
// cell.
struct HeightCell {
  const NavMesh& mesh;
  std::uint32_t cell = 0;
};

// Returns whether all corners of the cell have the same height. O(corners).
bool is_level(const HeightCell& ground);

// Replaces `points` by the nearest point of each part of the cell, in lattice steps, among those
// that satisfy `wish`. They are exact to the rounding of doubles, so a point may lie beside the
// cell or the range by that much. O(corners of both cells, multiplied).
void find_nearest_on_slope(const NavMesh& mesh, std::uint32_t cell, const HeightCell& ground,
                           const NearestWish& wish, std::vector<Point>* points);

}  // namespace repath
