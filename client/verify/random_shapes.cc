#include "verify/random_shapes.h"

#include <cmath>
#include <numbers>

namespace repath::verify {
namespace {

constexpr double kMillimetres = 1000;

// Rounds to a millimetre: sizes and places that clients send are seldom whole cells.
double rounded(double v) { return std::round(v * kMillimetres) / kMillimetres; }

// Returns an angle of two arms, which is not convex.
Polygon angle(Point corner, double arm) {
  Polygon made;
  for (const auto& [x, y] : {Point{0, 0}, {arm, 0}, {arm, 0.4}, {0.4, 0.4}, {0.4, arm}, {0, arm}})
    made.corners.push_back({corner.x + x, corner.y + y});
  return made;
}

}  // namespace

Shape random_shape(CellXY place, Dice& dice) {
  const Point middle{place.x + dice.unit(), place.y + dice.unit()};
  switch (dice.below(8)) {
    case 0:
      return Box{middle, 0.3 + 3 * dice.unit(), 0.2 + dice.unit(),
                 2 * std::numbers::pi * dice.unit()};
    case 1:
      return Circle{middle, 0.2 + 3 * dice.unit()};
    case 2: {
      const auto corner = [&](double dx, double dy) {
        return Point{middle.x + dx * (0.5 + 2 * dice.unit()),
                     middle.y + dy * (0.5 + 2 * dice.unit())};
      };
      return Polygon{
          {corner(-1, -1), corner(1, -1), {middle.x + 0.3, middle.y}, corner(1, 1), corner(-1, 1)}};
    }
    case 3:  // along the cells' edges
      return Box{{place.x + 1.0, place.y + 0.5}, 1, 0.5 + dice.below(3), 0};
    case 4: {
      const Point end{middle.x + 8 * dice.unit() - 4, middle.y + 8 * dice.unit() - 4};
      return Capsule{middle, end, 0.1 + dice.unit()};
    }
    case 5: {  // along the cells' edges
      const Point end{place.x + 0.5, place.y + 0.5};
      const double length = dice.below(6);
      return Capsule{
          end, dice.chance(0.5) ? Point{end.x + length, end.y} : Point{end.x, end.y + length}, 0.5};
    }
    default: {
      const int wide = dice.chance(0.5) ? 1 : dice.between(1, 7);
      const int high = wide > 1 ? 1 : dice.between(1, 7);
      const int x = place.x - dice.below(wide);
      const int y = place.y - dice.below(high);
      return Rect{x, y, x + wide, y + high};
    }
  }
}

Shape random_mesh_shape(Point place, Dice& dice) {
  const double kind = dice.unit();
  const double x = rounded(place.x + 2 * dice.unit() - 1);
  const double y = rounded(place.y + 2 * dice.unit() - 1);
  if (kind < 0.45) {
    Box box{{x, y}, 0.25 + 0.75 * dice.unit(), 0.25 + 0.75 * dice.unit(), 0};
    if (dice.chance(0.7)) box.yaw = 6.3 * dice.unit();
    return box;
  }
  if (kind < 0.65) return Circle{{x, y}, 0.25 + 0.75 * dice.unit()};
  if (kind < 0.8) {
    const Point end{x + rounded(4 * dice.unit() - 2), y + rounded(4 * dice.unit() - 2)};
    return Capsule{{x, y}, end, 0.1 + 0.4 * dice.unit()};
  }
  return angle({x, y}, 1 + dice.unit());
}

}  // namespace repath::verify
