// Random polygons for tests of geometry and of what stands on it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/random.h"
#include "geometry/grow.h"
#include "geometry/shapes.h"
#include "geometry/trig.h"

namespace repath::test {

// Star-shaped around `center`, hence simple; counterclockwise; corners 0.3 to 1 `reach` away.
inline Polygon random_star(Random* random, Point center, double reach, std::uint32_t corners) {
  Polygon star;
  for (std::uint32_t i = 0; i < corners; ++i) {
    const double angle = 2 * 3.141592653589793 * (i + 0.7 * random->unit()) / corners;
    const double far = reach * (0.3 + 0.7 * random->unit());
    const SinCos v = sin_cos(angle);
    star.points.push_back({center.x + far * v.cos, center.z + far * v.sin});
  }
  return star;
}

inline LatticePoint to_lattice(Point p) {
  return {static_cast<std::int32_t>(std::lround(p.x * kLatticePerUnit)),
          static_cast<std::int32_t>(std::lround(p.z * kLatticePerUnit))};
}

inline LatticeRing to_lattice(const std::vector<Point>& points) {
  LatticeRing ring;
  for (const Point p : points) ring.push_back(to_lattice(p));
  return ring;
}

inline Polygon to_polygon(const LatticeRing& ring) {
  Polygon polygon;
  for (const LatticePoint p : ring) polygon.points.push_back(to_point(p));
  return polygon;
}

}  // namespace repath::test
