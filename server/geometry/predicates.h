// Predicates whose sign is exact, so that "does this polygon cross itself" has one answer on every
// machine.
//
// Source: J. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
// predicates", 1997: a floating-point filter (error bound A of orient2d), then the whole
// determinant as an exact expansion. Exact unless a product underflows: coordinates of magnitude 0
// or [1e-100, 1e100] are safe.
#pragma once

#include "geometry/point.h"

namespace repath {

// +1: c lies to the left of the line a -> b (x right, z up), -1: to the right, 0: on it, exactly.
// About 3 ns when the filter decides, 100 ns otherwise.
int orientation(Point a, Point b, Point c);

// Whether the closed segments ab and cd share a point. Exact.
bool segments_meet(Point a, Point b, Point c, Point d);

}  // namespace repath
