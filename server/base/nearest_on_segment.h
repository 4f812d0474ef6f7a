// The place on a segment that is nearest to a point. Pure functions, in any unit of length.
#pragma once

#include <algorithm>

namespace repath {

struct NearestOnSegment {
  double share = 0;    // of the segment before it, [0, 1]
  double squared = 0;  // square of its distance from the point
};
inline NearestOnSegment nearest_on_segment(double ax, double ay, double bx, double by, double px,
                                           double py) {
  const double dx = bx - ax;
  const double dy = by - ay;
  const double length = dx * dx + dy * dy;
  double share = length > 0 ? ((px - ax) * dx + (py - ay) * dy) / length : 0;
  share = std::clamp(share, 0.0, 1.0);
  const double ex = ax + share * dx - px;
  const double ey = ay + share * dy - py;
  return {share, ex * ex + ey * ey};
}

}  // namespace repath
