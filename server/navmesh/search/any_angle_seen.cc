// What AnyAngleSearch shows of its nodes to those who look inside.
#include <algorithm>

#include "navmesh/search/any_angle.h"

namespace repath {

AnyAngleSearch::Seen AnyAngleSearch::seen_by(const Cone& cone, double f) const {
  const Edge& left = mesh_->edge(cone.edge);
  const Edge& right = mesh_->edge(mesh_->next(cone.edge));
  const bool sees_all = cone.root_is_left || cone.root_is_right;
  const Part part = sees_all ? Part{0, 1} : part_of(cone, left, right);
  const auto at_share = [&](double share) {
    return Point{left.x + share * (right.x - left.x), left.z + share * (right.z - left.z)};
  };
  const double g = least_length(cone, left, right);
  // A single successor does not wait: nobody asked yet what is left of its way.
  const double straight = has_goal_ ? straight_bound(cone, left, right, goal_.x, goal_.z) : 0;
  return {.root = cone.root,
          .cell = mesh_->cell_of(cone.edge),
          .from = {cone.root_x, cone.root_z},
          .left = at_share(part.left),
          .right = at_share(part.right),
          .at = nearest_point(cone, left, right),
          .g = g,
          .f = std::max({f, g, straight})};
}

// Those whose root was reached better meanwhile are never expanded.
bool AnyAngleSearch::append_waiting(std::size_t most, std::vector<Seen>* out) const {
  const auto append = [&](const Cone& cone, double f) {
    if (cone.g > roots_[cone.root].g) return true;
    if (most == 0) return false;
    --most;
    out->push_back(seen_by(cone, f));
    return true;
  };
  if (has_current_ && !append(current_, current_f_)) return false;
  return std::ranges::all_of(open_.entries(), [&](const ConeHeap::Entry& entry) {
    return append(cones_[entry.node], entry.f);
  });
}

}  // namespace repath
