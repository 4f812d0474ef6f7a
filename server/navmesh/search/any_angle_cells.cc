// AnyAngleSearch up to a length: where each cell is entered first.
//
// Every cone tells a way to the nearest point of its interval. The shortest way to a cell ends at
// the first point of it, on the edge by which a cone of that way enters; or some other way is as
// short, if that cone was beaten. So the least over all cones is exact.
#include <algorithm>
#include <cmath>

#include "navmesh/search/any_angle.h"

namespace repath {

void AnyAngleSearch::begin_within(const NavMesh& mesh, const MeshPlace& start, double length) {
  has_goal_ = false;
  has_limit_ = true;
  far_ = nullptr;
  best_ = length * kLatticePerUnit;
  landmarks_ = {};
  goal_cells_.clear();
  if (entries_.size() < mesh.cells_end()) entries_.resize(mesh.cells_end());
  for (const std::uint32_t cell : entered_) entries_[cell].is_known = false;
  entered_.clear();
  cells_around(mesh, start, &start_cells_);
  for (const std::uint32_t cell : start_cells_)
    enter(cell, {0, start.x, start.z, cell, {start.x, start.z}, true});
  begin_at(mesh, start);
}

// Of the cone's interval the point that is nearest to its root, lattice steps.
Point AnyAngleSearch::nearest_point(const Cone& cone, const Edge& left, const Edge& right) const {
  if (cone.root_is_left || cone.root_is_right) return {cone.root_x, cone.root_z};
  const double ex = right.x - left.x;
  const double ez = right.z - left.z;
  const double ax = left.x - cone.root_x;
  const double az = left.z - cone.root_z;
  const auto share_at = [&](double rx, double rz, double otherwise) {
    const double sine = rz * ex - rx * ez;
    return sine == 0 ? otherwise : std::clamp((rx * az - rz * ax) / sine, 0.0, 1.0);
  };
  const double from = cone.left_at_vertex ? 0 : share_at(cone.left_x, cone.left_z, 1);
  const double to = cone.right_at_vertex ? 1 : share_at(cone.right_x, cone.right_z, 0);
  const double foot = -(ax * ex + az * ez) / (ex * ex + ez * ez);
  const double share = std::clamp(foot, from, std::max(from, to));
  return {left.x + share * ex, left.z + share * ez};
}

double AnyAngleSearch::least_length(const Cone& cone, const Edge& left, const Edge& right) const {
  const Point at = nearest_point(cone, left, right);
  const double dx = at.x - cone.root_x;
  const double dz = at.z - cone.root_z;
  return cone.g + std::sqrt(dx * dx + dz * dz);
}

void AnyAngleSearch::note_entry(const Cone& cone, const Edge& right, const Edge& left) {
  const Point at = nearest_point(cone, left, right);
  enter(right.neighbour, {.length = least_length(cone, left, right),
                          .x = at.x,
                          .z = at.z,
                          .before = mesh_->edge(right.twin).neighbour,
                          .bend = {cone.root_x, cone.root_z},
                          .is_known = true});
}

// What is shorter by rounding alone counts for nothing: so the cells before a cell never lead round
// in a ring.
void AnyAngleSearch::enter(std::uint32_t cell, const CellEntry& entry) {
  constexpr double kShorter = 1 - 0x1p-40;
  CellEntry& known = entries_[cell];
  if (known.is_known && entry.length >= known.length * kShorter) return;
  if (!known.is_known) entered_.push_back(cell);
  known = entry;
}

}  // namespace repath
