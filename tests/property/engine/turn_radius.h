// The radius of a curve through three of its points, and whether they keep one.
#pragma once

#include <algorithm>
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

// Returns whether a way of chords turns no more at `b` than arcs of `radius` do, if no chord is off
// its arc by more than `deviation`. `is_cut`: it begins at `a`, maybe within a chord.
inline bool keeps_radius(MapPoint a, MapPoint b, MapPoint c, double radius, double deviation,
                         bool is_cut) {
  constexpr double kRounding = 1e-5;  // radians
  const double longest = 2 * std::sqrt(std::max(2 * radius - deviation, 0.0) * deviation);
  const auto half_of = [&](double chord) {
    return std::asin(std::min({chord, longest, 2 * radius}) / (2 * radius));
  };
  const double across = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
  const double along = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y);
  const double in = is_cut ? longest : std::hypot(b.x - a.x, b.y - a.y);
  return std::atan2(std::abs(across), along) <=
         half_of(in) + half_of(std::hypot(c.x - b.x, c.y - b.y)) + kRounding;
}

}  // namespace repath::test
