// Grows obstacles by the radius of the agents that must keep clear of them. A navmesh is carved by
// the grown obstacles.
//
// The result is the Minkowski sum with the regular 16-gon around a disc of the radius, with a
// vertex on +x, rounded outward to a millimetre. A disc counts as the 16-gon around it, so its sum
// is a 16-gon again. A capsule counts as the hull of the 16-gons around its ends. A polygon that is
// not convex is first cut into convex pieces; its sum is the union of theirs.
//
// Rounding: each corner of the exact sum moves to a millimetre point beyond both supporting lines
// that meet in it, and the result is the convex hull of these points. So it contains the exact sum,
// and no corner lies farther than kGrowSlack from it. A coordinate within a nanometre of a
// millimetre counts as on it, because most decimal fractions are no doubles.
//
// Pure functions of their arguments with the same bits on every machine (+ - x / and floor only).
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "geometry/ring.h"
#include "geometry/shapes.h"

namespace repath {

// Number of lattice steps in a millimetre.
inline constexpr std::int32_t kLatticePerMillimetre = kLatticePerUnit / 1000;

// Farthest distance that rounding moves a corner, in world units.
inline constexpr double kGrowSlack = 0.002;

// Returns rings whose union is the sum; they overlap. A polygon that is not convex gives several,
// any other shape gives one. Each is convex, counterclockwise, without straight corners, every
// corner on a millimetre. It has 3 to kPolygonPointsMax + 16 corners, and a few more where rounding
// splits one.
//
// REQUIRES: numbers are finite, radius >= 0, and the shape is valid (geometry/shapes.h); all in
// world units. Errors: OUT_OF_RANGE with reason OUTSIDE_LATTICE, naming the extent, if the result
// would leave the lattice of kLatticeExtent; INVALID_ARGUMENT with reason KIND_UNSUITED, field
// "cells", for a rectangle of cells. O(n log n) for convex shapes, O(n^3) at worst for others.
absl::StatusOr<std::vector<LatticeRing>> grow(const Shape& shape, double radius);

// Returns what a wall between two different points takes from walkers of the radius, which is above
// 0: the sum of the segment, as above. Errors: OUTSIDE_LATTICE.
absl::StatusOr<LatticeRing> grow_wall(Point from, Point to, double radius);

// Cuts a simple polygon of either orientation into convex polygons, counterclockwise, with the same
// corners: cuts off ears, then joins pieces where both ends stay convex. Exact. REQUIRES:
// check_polygon() returns OK.
std::vector<std::vector<Point>> convex_pieces(const Polygon& polygon);

}  // namespace repath
