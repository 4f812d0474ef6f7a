// Plain geometry of the checker's meshes, in doubles with a slack. Pure functions.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "verify/route_model.h"

namespace repath::verify {

inline constexpr double kSlack = 1e-7;  // a point this near to a line lies on it
inline constexpr double kStep = 0.5;    // between heights of one place in different cells

struct Ring {
  std::vector<Spot> corners;  // counterclockwise, x right, z up; y is ignored
};

struct MeshCell {
  std::vector<Spot> corners;
  std::vector<int> neighbours;  // behind the edge from corner i on; -1: none
  double low = 0;               // least height of its corners
  double high = 0;
};

inline double cross(const Spot& a, const Spot& b, const Spot& p) {
  return (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
}

// Returns how far p lies to the left of the line a -> b.
inline double left_of(const Spot& a, const Spot& b, const Spot& p) {
  const double length = plane_distance(a, b);
  return length > 0 ? cross(a, b, p) / length : 0;
}

// Returns the part [first, last] of from -> to that lies at least `inside` left of every edge;
// empty if first > last.
inline std::pair<double, double> clip(const std::vector<Spot>& corners, const Spot& from,
                                      const Spot& to, double inside) {
  double first = 0;
  double last = 1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Spot& a = corners[i];
    const Spot& b = corners[(i + 1) % corners.size()];
    const double length = plane_distance(a, b);
    if (length == 0) continue;
    const double d0 = cross(a, b, from) / length - inside;
    const double d1 = cross(a, b, to) / length - inside;
    if (d0 < 0 && d1 < 0) return {1, 0};
    if (d0 < 0) first = std::max(first, d0 / (d0 - d1));
    if (d1 < 0) last = std::min(last, d0 / (d0 - d1));
  }
  return {first, last};
}

inline bool holds(const std::vector<Spot>& corners, const Spot& at, double inside) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Spot& b = corners[(i + 1) % corners.size()];
    if (plane_distance(corners[i], b) > 0 && left_of(corners[i], b, at) < inside) return false;
  }
  return true;
}

// Returns the height of the ground at a point of a cell, by the triangles of a fan.
inline double height_at(const MeshCell& cell, const Spot& at) {
  const Spot& a = cell.corners[0];
  for (std::size_t i = 1; i + 1 < cell.corners.size(); ++i) {
    const Spot& b = cell.corners[i];
    const Spot& c = cell.corners[i + 1];
    const double area = cross(a, b, c);
    if (area <= 0 || !holds({a, b, c}, at, -kSlack)) continue;
    return (a.y * cross(b, c, at) + b.y * cross(c, a, at) + c.y * cross(a, b, at)) / area;
  }
  return a.y;
}

}  // namespace repath::verify
