// Predicates whose sign is exact, so that "does this polygon cross itself" has the same answer on
// every machine.
//
// Source: J. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
// predicates", 1997: a floating-point filter (error bound A of orient2d), then the whole
// determinant as an exact expansion. Exact unless a product underflows: coordinates of magnitude 0
// or [1e-100, 1e100] are safe.
#pragma once

#include "geometry/point.h"

namespace repath {

// Returns exactly on which side of the line a -> b the point c lies (x right, z up): +1 left, -1
// right, 0 on the line. About 3 ns if the filter decides, 100 ns otherwise.
int orientation(Point a, Point b, Point c);

// Returns whether the closed segments ab and cd share a point. Exact.
bool segments_meet(Point a, Point b, Point c, Point d);

}  // namespace repath
