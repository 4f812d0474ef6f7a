#include "routes/nav_shape.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "geometry/grow.h"

namespace repath {
namespace {

// Carving rounds to the lattice, and closes slivers under a millimetre.
constexpr double kBoundsMargin = 0.004;

}  // namespace

std::uint32_t in_thousandths(double factor) {
  return static_cast<std::uint32_t>(std::ceil(factor * 1000 - 1e-6));
}

CarveShape carve_shape(const ObstacleSpec& obstacle, double radius) {
  CarveShape shape{.pieces = {},
                   .y0 = std::clamp(obstacle.bottom, -kHeightMax, kHeightMax),
                   .y1 = std::clamp(obstacle.top, -kHeightMax, kHeightMax),
                   .enabled = obstacle.enabled,
                   .effect = {.blocks = obstacle.effect.blocked}};
  if (!obstacle.effect.blocked) {
    shape.effect.factor = in_thousandths(obstacle.effect.factor);
    if (obstacle.effect.area) shape.effect.area = AreaType{*obstacle.effect.area};
    radius = 0;
  }
  auto grown = grow(obstacle.shape, radius);
  REPATH_CHECK(grown.ok());
  shape.pieces = *std::move(grown);
  return shape;
}

RouteBox box_of(const CarveShape& shape) {
  RouteBox box;
  for (const LatticeRing& ring : shape.pieces)
    for (const LatticePoint p : ring) {
      const Point at = to_point(p);
      box = {std::min(box.min_x, at.x - kBoundsMargin), std::min(box.min_z, at.z - kBoundsMargin),
             std::max(box.max_x, at.x + kBoundsMargin), std::max(box.max_z, at.z + kBoundsMargin)};
    }
  return box;
}

}  // namespace repath
