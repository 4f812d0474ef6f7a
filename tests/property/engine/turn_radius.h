// The radius of a curve through three of its points.
#pragma once

#include <cmath>
#include <limits>

#include "base/map_point.h"

namespace repath::test {

// Returns the radius of the circle through the points; infinite if they lie on a line in this
// order.
inline double radius_through(MapPoint a, MapPoint b, MapPoint c) {
  const double ab = std::hypot(b.x - a.x, b.y - a.y);
  const double bc = std::hypot(c.x - b.x, c.y - b.y);
  const double ca = std::hypot(c.x - a.x, c.y - a.y);
  const double twice = std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  const bool goes_on = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) > 0;
  if (twice <= 1e-9 * ab * bc) return goes_on ? std::numeric_limits<double>::infinity() : 0;
  return ab * bc * ca / (2 * twice);
}

}  // namespace repath::test
