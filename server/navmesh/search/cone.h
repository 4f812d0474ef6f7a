// Cones: the part of an edge that one root sees, and lengths of the ways through it. Pure
// functions.
//
// A root is the start of a search or a corner at which its paths bend. A cone is bounded by two
// rays from its root. They are kept as vectors to vertices and not as points of the edge, so each
// question "which side" has an exact answer (navmesh/mesh/exact_side.h). Points of the edge are
// computed, and rounded, for lengths alone. Coordinates and lengths are lattice steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "geometry/point.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

struct ConeRoot {
  double x = 0;
  double z = 0;
  double g = 0;              // length of the way from the start to the root
  std::uint32_t vertex = 0;  // the mesh's vertices_end(): the start
};

// `edge` is an edge of the cell behind it. So that cell lies to the left of the edge, and the edge
// begins at the end that is its left one as the root sees it.
struct Cone {
  ConeRoot root;
  double left_x, left_z;  // rays, as vectors from the root
  double right_x, right_z;
  std::uint32_t edge;
  bool left_at_vertex;  // the left ray passes the edge's left end, not some point inside
  bool right_at_vertex;
  bool root_is_left;  // the root is the edge's left end itself: the ray means nothing
  bool root_is_right;

  bool root_is_end() const { return root_is_left || root_is_right; }
};

// A part of an edge: shares of the way from its left end (0) to its right end (1).
struct EdgePart {
  double left = 0;
  double right = 1;
};

inline double length_of(double dx, double dz) { return std::sqrt(dx * dx + dz * dz); }

inline Point point_at(const NavMesh::Edge& left, const NavMesh::Edge& right, double share) {
  return {left.x + share * (right.x - left.x), left.z + share * (right.z - left.z)};
}

// In all functions below, `left` and `right` are edges that begin at the ends of the cone's edge.

// Returns the part of the edge that the cone sees, or more of it where a ray grazes the edge: an
// angle below this sine would show the rounding. REQUIRES: the root is no end of the edge.
inline EdgePart part_of(const Cone& cone, const NavMesh::Edge& left, const NavMesh::Edge& right) {
  constexpr double kGrazing = 0x1p-16;
  const double ex = right.x - left.x;
  const double ez = right.z - left.z;
  const double ax = left.x - cone.root.x;
  const double az = left.z - cone.root.z;
  const auto meet = [&](double rx, double rz, double otherwise) {
    const double sine = rz * ex - rx * ez;
    if (std::abs(sine) <= kGrazing * (std::abs(rx) + std::abs(rz)) * (std::abs(ex) + std::abs(ez)))
      return otherwise;
    return std::clamp((rx * az - rz * ax) / sine, 0.0, 1.0);
  };
  return {cone.left_at_vertex ? 0 : meet(cone.left_x, cone.left_z, 0),
          cone.right_at_vertex ? 1 : meet(cone.right_x, cone.right_z, 1)};
}

// Returns the point that the cone sees of the edge which is nearest to the root.
inline Point nearest_point(const Cone& cone, const NavMesh::Edge& left,
                           const NavMesh::Edge& right) {
  if (cone.root_is_end()) return {cone.root.x, cone.root.z};
  const double ex = right.x - left.x;
  const double ez = right.z - left.z;
  const double ax = left.x - cone.root.x;
  const double az = left.z - cone.root.z;
  const auto share_at = [&](double rx, double rz, double otherwise) {
    const double sine = rz * ex - rx * ez;
    return sine == 0 ? otherwise : std::clamp((rx * az - rz * ax) / sine, 0.0, 1.0);
  };
  const double from = cone.left_at_vertex ? 0 : share_at(cone.left_x, cone.left_z, 1);
  const double to = cone.right_at_vertex ? 1 : share_at(cone.right_x, cone.right_z, 0);
  const double foot = -(ax * ex + az * ez) / (ex * ex + ez * ez);
  return point_at(left, right, std::clamp(foot, from, std::max(from, to)));
}

// Returns the length of the way from the start to that point.
inline double least_length(const Cone& cone, const NavMesh::Edge& left,
                           const NavMesh::Edge& right) {
  const Point at = nearest_point(cone, left, right);
  return cone.root.g + length_of(at.x - cone.root.x, at.z - cone.root.z);
}

// Returns the length of the shortest way from the start through the cone to a place, as if there
// were no walls behind the edge.
inline double length_through(const Cone& cone, const NavMesh::Edge& left,
                             const NavMesh::Edge& right, double to_x, double to_z) {
  const double x = cone.root.x;
  const double z = cone.root.z;
  double tx = to_x - x;
  double tz = to_z - z;
  if (cone.root_is_end()) return cone.root.g + length_of(tx, tz);
  const double ex = right.x - left.x;
  const double ez = right.z - left.z;
  const double across = ex * (to_z - left.z) - ez * (to_x - left.x);
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
    if (rx * tz - rz * tx >= 0) return cone.root.g + length_of(tx, tz);
  }
  if (!at_vertex) {  // where the ray meets the edge
    const double share = ((left.x - x) * ez - (left.z - z) * ex) / (rx * ez - rz * ex);
    rx *= share;
    rz *= share;
  }
  return cone.root.g + length_of(rx, rz) + length_of(tx - rx, tz - rz);
}

}  // namespace repath
