// Points of the ground plane, and predicates whose sign is exact, so that "does this polygon cross
// itself" has the same answer on every machine.
//
// Source: J. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
// predicates", 1997: a floating-point filter (error bound A of orient2d), then the whole
// determinant as an exact expansion. Exact unless a product underflows: coordinates of magnitude 0
// or [1e-100, 1e100] are safe.
#pragma once

#include <algorithm>

namespace repath {

// x to the right, z down the map, in world units unless stated otherwise. (y is up and is not
// needed on the ground.)
struct Point {
  double x = 0;
  double z = 0;
  bool operator==(const Point&) const = default;
};

// Returns the cross product of two vectors, rounded.
constexpr double cross(Point a, Point b) { return a.x * b.z - a.z * b.x; }

// Returns exactly on which side of the line a -> b the point c lies (x right, z up): +1 left, -1
// right, 0 on the line. About 3 ns if the filter decides, 100 ns otherwise.
int orientation(Point a, Point b, Point c);

// Returns whether p, which is on the line through a and b, lies on the closed segment ab.
template <class P>
constexpr bool is_in_bounds(P a, P b, P p) {
  return p.x >= std::min(a.x, b.x) && p.x <= std::max(a.x, b.x) && p.z >= std::min(a.z, b.z) &&
         p.z <= std::max(a.z, b.z);
}
// Returns whether the closed segments ab and cd share a point. Exact, as orientation() is.
template <class P = Point>
constexpr bool segments_meet(P a, P b, P c, P d) {
  const int abc = orientation(a, b, c);
  const int abd = orientation(a, b, d);
  if (abc * abd > 0) return false;
  const int cda = orientation(c, d, a);
  const int cdb = orientation(c, d, b);
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && is_in_bounds(a, b, c)) || (abd == 0 && is_in_bounds(a, b, d)) ||
         (cda == 0 && is_in_bounds(c, d, a)) || (cdb == 0 && is_in_bounds(c, d, b));
}

}  // namespace repath
