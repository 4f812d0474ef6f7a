// What AnyAngleSearch knows of a node before it is expanded: how short a path through it can be,
// and whether another way is better for certain.
#include <algorithm>
#include <cmath>
#include <limits>

#include "navmesh/search/any_angle.h"

namespace repath {
namespace {

// Lengths that differ by less may be equal but for rounding.
constexpr double kEqual = 0x1p-40;
// Sine of the angle below which it is not computed where a ray meets an edge: rounding would show.
constexpr double kGrazing = 0x1p-16;

double length_of(double dx, double dz) { return std::sqrt(dx * dx + dz * dz); }

}  // namespace

// That the vertex is seen: a path this long leads there. A little more, so that who reaches it by a
// path as long that is summed up otherwise may still bend there.
void AnyAngleSearch::note(const Edge& end, const Origin& from) {
  if (!compares_ends_ && !leaves_lengths()) return;
  const double g = (from.g + length_of(end.x - from.x, end.z - from.z)) * (1 + kEqual);
  const Root& known = roots_[end.vertex];
  if (known.stamp != stamp_ || known.g > g) set_length(end.vertex, g, from.root);
}

void AnyAngleSearch::set_length(std::uint32_t vertex, double g, std::uint32_t parent) {
  Root& root = roots_[vertex];
  if (leaves_lengths() && (root.stamp != stamp_ || std::isinf(root.g))) noted_.push_back(vertex);
  root = {g, root.stamp == stamp_ ? root.rest : -1, parent, stamp_};
}

// At least so much is left of a way over the vertex. `cell` is one of its cells.
double AnyAngleSearch::landmark_rest(const Edge& end, std::uint32_t cell) {
  if (bound_.is_empty()) return 0;
  Root& root = roots_[end.vertex];
  if (root.stamp != stamp_) root = {std::numeric_limits<double>::infinity(), -1, 0, stamp_};
  if (root.rest < 0) root.rest = bound_.at(cell, end.x, end.z);
  return root.rest;
}

// The cone's interval, or more of the edge if the ray grazes it.
AnyAngleSearch::Part AnyAngleSearch::part_of(const Cone& cone, const Edge& a, const Edge& b) const {
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double ax = a.x - cone.root_x;
  const double az = a.z - cone.root_z;
  const auto meet = [&](double rx, double rz, double otherwise) {
    const double sine = rz * ex - rx * ez;
    if (std::abs(sine) <= kGrazing * (std::abs(rx) + std::abs(rz)) * (std::abs(ex) + std::abs(ez)))
      return otherwise;
    return std::clamp((rx * az - rz * ax) / sine, 0.0, 1.0);
  };
  return {cone.left_at_vertex ? 0 : meet(cone.left_x, cone.left_z, 0),
          cone.right_at_vertex ? 1 : meet(cone.right_x, cone.right_z, 1)};
}

// Whether each point of the interval is reached by a shorter path over an end of its edge than from
// the cone's root. Going away from an end, the path over it grows at least as fast as that from
// the root: so if it is the shorter one somewhere, it is on all of the way to the end, which mostly
// tells at once that it is not. Where both ends are as good as each other, or as near to there as
// the interval comes, decides for all.
bool AnyAngleSearch::is_beaten(const Cone& cone, const Edge& a, const Edge& b) const {
  if (!compares_ends_ || cone.root_is_left || cone.root_is_right) return false;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  // An end that is best seen from this root beats nothing of what the root sees.
  const auto length_to = [&](std::uint32_t vertex) {
    const Root& end = roots_[vertex];
    return end.stamp == stamp_ && end.parent != cone.root ? end.g : kFar;
  };
  const double at_a = length_to(a.vertex);
  const double at_b = length_to(b.vertex);
  const auto is_nearer = [&cone](double at, const Edge& end) {
    const double way = at - cone.g;
    const double dx = end.x - cone.root_x;
    const double dz = end.z - cone.root_z;
    return way < 0 || way * way < dx * dx + dz * dz;
  };
  if (!is_nearer(at_a, a) && !is_nearer(at_b, b)) return false;
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double edge = length_of(ex, ez);
  double share = at_a == kFar ? 0 : at_b == kFar ? 1 : ((at_b - at_a) / edge + 1) / 2;
  const Part part = part_of(cone, a, b);
  share = std::clamp(share, part.left, std::max(part.left, part.right));
  const double over_ends = std::min(at_a + share * edge, at_b + (1 - share) * edge);
  const double direct =
      cone.g + length_of(a.x + share * ex - cone.root_x, a.z + share * ez - cone.root_z);
  return over_ends < direct * (1 - kEqual);
}

double AnyAngleSearch::lower_bound(const Cone& cone, const Edge& a, const Edge& b) {
  if (has_limit_) return least_length(cone, a, b);
  if (!has_goal_) {  // only an order
    const double left = length_of(cone.left_x, cone.left_z);
    return cone.g + std::min(left, length_of(cone.right_x, cone.right_z));
  }
  const double straight = straight_bound(cone, a, b, goal_.x, goal_.z);
  if (bound_.is_empty() && !knows_lengths()) return straight;
  if (has_best_ && straight >= best_ + lengths_.beyond) return straight;
  return std::max(straight,
                  uses_way_back_ ? bound_by_way_back(cone, a, b) : bound_by_ends(cone, a, b));
}

// From a point of the edge no less is left than from an end, less the part of the edge between.
// Together with the length from the root that only grows towards that end; so the least is where
// both ends say the same, or as near to there as the interval comes.
double AnyAngleSearch::bound_by_ends(const Cone& cone, const Edge& a, const Edge& b) {
  const std::uint32_t cell = mesh_->cell_of(cone.edge);
  if (cone.root_is_left) return cone.g + rest_over(a, cell, cone.g);
  if (cone.root_is_right) return cone.g + rest_over(b, cell, cone.g);
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double edge = length_of(ex, ez);
  const Part part = part_of(cone, a, b);
  const auto way_to = [&](double share) {
    return cone.g + length_of(a.x + share * ex - cone.root_x, a.z + share * ez - cone.root_z);
  };
  double rest_a = 0;
  double rest_b = 0;  // ways to the ends, and their roots, are for known lengths alone
  if (lengths_.known == nullptr) {
    rest_a = landmark_rest(a, cell);
    rest_b = landmark_rest(b, cell);
  } else {
    rest_a = rest_over(a, cell, way_to(part.left) + part.left * edge);
    rest_b = rest_over(b, cell, way_to(part.right) + (1 - part.right) * edge);
  }
  const double even = ((rest_a - rest_b) / edge + 1) / 2;
  const double share = std::clamp(even, part.left, std::max(part.left, part.right));
  return way_to(share) + std::max(rest_a - share * edge, rest_b - (1 - share) * edge);
}

// Length of the shortest way from the start over the cone's root and through its interval to a
// place, walls behind it ignored.
double AnyAngleSearch::straight_bound(const Cone& cone, const Edge& a, const Edge& b, double to_x,
                                      double to_z) const {
  const double x = cone.root_x;
  const double z = cone.root_z;
  double tx = to_x - x;
  double tz = to_z - z;
  if (cone.root_is_left || cone.root_is_right) return cone.g + length_of(tx, tz);
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double across = ex * (to_z - a.z) - ez * (to_x - a.x);
  if (across < 0) {  // the place is on the root's side: its mirror image is as far
    const double twice = 2 * across / (ex * ex + ez * ez);
    tx += twice * ez;
    tz -= twice * ex;
  }
  double rx = cone.left_x;
  double rz = cone.left_z;
  bool at_vertex = cone.left_at_vertex;
  if (rx * tz - rz * tx <= 0) {
    rx = cone.right_x;
    rz = cone.right_z;
    at_vertex = cone.right_at_vertex;
    if (rx * tz - rz * tx >= 0) return cone.g + length_of(tx, tz);
  }
  if (!at_vertex) {  // where the ray meets the edge
    const double share = ((a.x - x) * ez - (a.z - z) * ex) / (rx * ez - rz * ex);
    rx *= share;
    rz *= share;
  }
  return cone.g + length_of(rx, rz) + length_of(tx - rx, tz - rz);
}

}  // namespace repath
