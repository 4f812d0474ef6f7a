// Obstacles grown by the radius of those who must keep clear of them: what a navmesh is carved by.
//
// Minkowski sum with the regular 16-gon around a disc of the radius, a vertex on +x, rounded
// outward to a millimetre. A disc counts as the 16-gon around it, so its sum is a 16-gon again. A
// polygon that is not convex is cut into convex pieces first; its sum is the union of theirs.
//
// What is rounded: each corner of the exact sum moves to a millimetre point beyond both supporting
// lines that meet in it, and the result is the convex hull of those. So it contains the exact sum,
// and no corner lies farther than kGrowSlack from it. A coordinate within a nanometre of a
// millimetre counts as on it: decimal fractions are no doubles.
//
// Pure functions of their arguments with the same bits on every machine (+ - x / and floor only).
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "geometry/ring.h"
#include "geometry/shapes.h"

namespace repath {

// Steps of the lattice in a millimetre.
inline constexpr std::int32_t kLatticePerMillimetre = kLatticePerUnit / 1000;

// World units. Farthest that rounding moves a corner.
inline constexpr double kGrowSlack = 0.002;

// A grown piece: convex, counterclockwise, no straight corner, every corner on a millimetre. At
// most kPolygonPointsMax + 16 corners, a few more where rounding splits one; at least 3.
//
// All REQUIRE: numbers finite, radius >= 0, and the shape valid (geometry/shapes.h), all in world
// units. OUT_OF_RANGE with reason OUTSIDE_LATTICE, naming the extent, if the result would leave the
// lattice of kLatticeExtent. O(n log n) for convex shapes, O(n^3) at worst for others.
absl::StatusOr<LatticeRing> grow(const Box& box, double radius);
absl::StatusOr<LatticeRing> grow(const Circle& circle, double radius);
// The union of the rings, which overlap, is the sum. A convex polygon gives one.
absl::StatusOr<std::vector<LatticeRing>> grow(const Polygon& polygon, double radius);

// A simple polygon of either orientation as convex ones, counterclockwise, of the same corners:
// ears cut off, then joined where both ends stay convex. Exact. REQUIRES: check_polygon is OK.
std::vector<std::vector<Point>> convex_pieces(const Polygon& polygon);

}  // namespace repath
