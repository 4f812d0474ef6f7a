// AnyAngleSearch to the nearest place that is far enough from some threats.
//
// The last leg of the shortest way there leads from a root through a cone into the cell that the
// place lies in, or bends at an end of the cone's edge and leads into what of the cell the root
// does not see; so it is the nearest such place of a cell behind a cone's edge, the least over all
// cones. Cones that begin no nearer than the best place known are left out.
#include <cmath>

#include "navmesh/search/any_angle.h"
#include "navmesh/search/far_places.h"

namespace repath {

void AnyAngleSearch::begin_far(const NavMesh& mesh, const MeshPlace& start,
                               const FarPlaces& places) {
  has_goal_ = false;
  has_limit_ = true;
  best_ = std::numeric_limits<double>::infinity();
  far_ = &places;
  far_place_ = {};
  landmarks_ = {};
  goal_cells_.clear();
  mesh_ = &mesh;
  cells_around(mesh, start, &start_cells_);
  const Point from{start.x, start.z};
  for (const std::uint32_t cell : start_cells_) offer_far(cell, corners_of(cell), from, 0);
  begin_at(mesh, start);
}

std::vector<Point> AnyAngleSearch::corners_of(std::uint32_t cell) const {
  std::vector<Point> corners;
  for (const Edge& e : mesh_->edges_of(cell)) corners.push_back({e.x, e.z});
  return corners;
}

void AnyAngleSearch::note_far(const Cone& cone, const Edge& right, const Edge& left) {
  if (least_length(cone, left, right) >= best_) return;
  const Point root{cone.root_x, cone.root_z};
  const std::uint32_t cell = right.neighbour;
  const std::vector<Point> corners = corners_of(cell);
  if (cone.root_is_left || cone.root_is_right) return offer_far(cell, corners, root, cone.g);
  const auto right_part = [&](std::span<const Point> polygon, double dx, double dz) {
    return left_part(polygon, root, -dx, -dz);
  };
  const std::vector<Point> from_right = left_part(corners, root, cone.right_x, cone.right_z);
  offer_far(cell, right_part(from_right, cone.left_x, cone.left_z), root, cone.g);
  const auto offer_bend = [&](const Edge& end, std::span<const Point> beyond) {
    const double dx = end.x - root.x;
    const double dz = end.z - root.z;
    offer_far(cell, beyond, {end.x, end.z}, cone.g + std::sqrt(dx * dx + dz * dz));
  };
  if (cone.right_at_vertex && right.is_corner)
    offer_bend(right, right_part(corners, cone.right_x, cone.right_z));
  if (cone.left_at_vertex && left.is_corner)
    offer_bend(left, left_part(corners, root, cone.left_x, cone.left_z));
}

// `seen` is a convex part of the cell, in sight of `from`; or nothing.
void AnyAngleSearch::offer_far(std::uint32_t cell, std::span<const Point> seen, Point from,
                               double g) {
  const std::optional<Point> found = far_->nearest(seen, from);
  if (!found) return;
  const double dx = found->x - from.x;
  const double dz = found->z - from.z;
  const double length = g + std::sqrt(dx * dx + dz * dz);
  if (length >= best_) return;
  best_ = length;
  far_place_ = {cell, found->x, found->z};
}

}  // namespace repath
