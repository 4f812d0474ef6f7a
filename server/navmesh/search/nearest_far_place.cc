#include "navmesh/search/nearest_far_place.h"

#include <limits>
#include <optional>
#include <vector>

#include "navmesh/search/cone_steps.h"

namespace repath {
namespace {

std::vector<Point> corners_of(const NavMesh& mesh, std::uint32_t cell) {
  std::vector<Point> corners;
  for (const NavMesh::Edge& e : mesh.edges_of(cell)) corners.push_back({e.x, e.z});
  return corners;
}

}  // namespace

struct NearestFarPlace::Listener : NoPathAsked {
  static constexpr bool kHearsOfAll = true;
  explicit Listener(NearestFarPlace* to) : nearest(*to) {}
  bool take(const Cone& cone, const NavMesh::Edge& right, const NavMesh::Edge& left) {
    nearest.look_through(cone, right, left);
    return true;
  }
  bool is_enough(double f) const { return f > nearest.length_; }
  NearestFarPlace& nearest;
};

void NearestFarPlace::begin(const NavMesh& mesh, const MeshPlace& start, const FarPlaces& places) {
  places_ = &places;
  place_ = {};
  length_ = std::numeric_limits<double>::infinity();
  core_->begin(mesh, start);
  for (const std::uint32_t cell : core_->start_cells)
    offer(cell, corners_of(mesh, cell), {start.x, start.z}, 0);
  open_cones(*core_, LeastLengths{}, Listener(this));
}

Progress NearestFarPlace::advance(std::uint32_t* expansions) {
  return advance_cones(*core_, LeastLengths{}, Listener(this), expansions);
}

void NearestFarPlace::look_through(const Cone& cone, const NavMesh::Edge& right,
                                   const NavMesh::Edge& left) {
  if (least_length(cone, left, right) >= length_) return;
  const Point root{cone.root.x, cone.root.z};
  const std::uint32_t cell = right.neighbour;
  const std::vector<Point> corners = corners_of(*core_->mesh, cell);
  if (cone.root_is_end()) return offer(cell, corners, root, cone.root.g);
  const auto right_part = [&](std::span<const Point> polygon, double dx, double dz) {
    return left_part(polygon, root, -dx, -dz);
  };
  const std::vector<Point> from_right = left_part(corners, root, cone.right_x, cone.right_z);
  offer(cell, right_part(from_right, cone.left_x, cone.left_z), root, cone.root.g);
  const auto offer_bend = [&](const NavMesh::Edge& end, std::span<const Point> beyond) {
    offer(cell, beyond, {end.x, end.z}, cone.root.g + length_of(end.x - root.x, end.z - root.z));
  };
  if (cone.right_at_vertex && right.is_corner)
    offer_bend(right, right_part(corners, cone.right_x, cone.right_z));
  if (cone.left_at_vertex && left.is_corner)
    offer_bend(left, left_part(corners, root, cone.left_x, cone.left_z));
}

// `seen` is a convex part of the cell, in sight of `from`, or empty.
void NearestFarPlace::offer(std::uint32_t cell, std::span<const Point> seen, Point from, double g) {
  const std::optional<Point> found = places_->nearest(seen, from);
  if (!found) return;
  const double length = g + length_of(found->x - from.x, found->z - from.z);
  if (length >= length_) return;
  length_ = length;
  place_ = {cell, found->x, found->z};
}

}  // namespace repath
