// The shapes that an obstacle can have on the ground plane: when they are valid, and what a world
// keeps of them. The caller chooses the unit of length. Which cells a shape covers is in
// grid/cells/raster.h, and how it grows by the radius of agents in geometry/grow.h.
//
// All but CellRect are closed sets: the edge belongs to the shape. Plain values without state, so
// thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "base/hash.h"
#include "geometry/point.h"

namespace repath {

// A rectangle of grid cells. Half-open: x in [x0, x1), y in [y0, y1). Empty unless x0 < x1 and
// y0 < y1.
struct CellRect {
  std::int32_t x0 = 0;
  std::int32_t y0 = 0;
  std::int32_t x1 = 0;
  std::int32_t y1 = 0;
  bool operator==(const CellRect&) const = default;
};

// A rectangle turned by yaw: its own axis (1, 0) points to (cos yaw, sin yaw) in (x, z).
struct Box {
  Point center;
  double half_x = 0;  // > 0
  double half_z = 0;  // > 0
  double yaw = 0;     // radians, |yaw| <= kAngleMax
  bool operator==(const Box&) const = default;
};

struct Circle {
  Point center;
  double radius = 0;  // > 0
  bool operator==(const Circle&) const = default;
};

// A simple polygon of either orientation; the last point is joined to the first.
struct Polygon {
  std::vector<Point> points;
  bool operator==(const Polygon&) const = default;
};

// All points within `radius` of the segment between the ends, which may be equal.
struct Capsule {
  Point from;
  Point to;
  double radius = 0;  // > 0
  bool operator==(const Capsule&) const = default;
};

// CellRect is in cells and only grids have a use for it; the others are in world units.
using Shape = std::variant<CellRect, Box, Circle, Polygon, Capsule>;

inline constexpr std::size_t kPolygonPointsMin = 3;
inline constexpr std::size_t kPolygonPointsMax = 256;

// Returns the corners in order around the box: center + (+-half_x) axis + (+-half_z) normal. Each
// coordinate is one sum of three terms in that order. REQUIRES: |yaw| <= kAngleMax.
std::array<Point, 4> box_corners(const Box& box);

// Returns OK iff the polygon has kPolygonPointsMin to kPolygonPointsMax points, all points are
// finite, its area is not zero, and edges meet only at the shared end of neighbours. Otherwise
// returns INVALID_ARGUMENT with reason POLYGON_SIZE, NOT_FINITE or POLYGON_NOT_SIMPLE. The field is
// "xz" or "xz[i]", where i is the place of the coordinate in the list x0, z0, x1, z1, ... Exact.
// O(n^2): at most 33,000 pairs, and only pairs near each other are examined closely.
absl::Status check_polygon(const Polygon& polygon);

// How far the shapes of one world may reach.
struct ShapeLimits {
  double coordinate_max = 0;  // |x| and |z| of centres and corners
  double extent_max = 0;      // half extents and radii are in (0, extent_max]; a capsule's ends are
                              // at most twice that apart
  bool bounds_all = false;    // coordinate_max bounds all of the shape, not its centre alone
};

// Returns OK iff the numbers of the shape are finite and within the limits. Otherwise returns
// INVALID_ARGUMENT with reason NOT_FINITE or OUT_OF_RANGE, or an error of check_polygon(). The
// field is one of the shape's message within the owner `field`:
// "upsert_obstacles[2].cylinder.radius". A CellRect is always OK, because only its map limits it.
// O(1), for polygons as check_polygon().
absl::Status check_measures(const Shape& shape, const ShapeLimits& limits,
                            const std::string& field);

// Returns the number of points that the shape keeps in memory of its own.
std::size_t points_kept(const Shape& shape);

// Adds which shape it is and all its numbers, so that different shapes have different hashes.
void add_shape(const Shape& shape, Hasher* hasher);

}  // namespace repath
