// Random cells and obstacles for tests and benchmarks of carving.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "navmesh/carve/carve.h"
#include "support/random_polygons.h"

namespace repath::test {

// Returns a convex ring with 3 to `corners` corners: the hull of random points in a square.
inline LatticeRing random_convex(Random* random, std::int32_t side, std::uint32_t corners) {
  LatticeRing hull;
  while (hull.size() < 3) {
    LatticeRing points;
    for (std::uint32_t i = 0; i < corners; ++i)
      points.push_back(
          {static_cast<std::int32_t>(random->below(static_cast<std::uint32_t>(side))),
           static_cast<std::int32_t>(random->below(static_cast<std::uint32_t>(side)))});
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    hull.clear();
    for (int half = 0; half < 2; ++half) {
      const std::size_t begin = hull.size();
      for (const LatticePoint p : points) {
        while (hull.size() >= begin + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0)
          hull.pop_back();
        hull.push_back(p);
      }
      hull.pop_back();
      std::ranges::reverse(points);
    }
  }
  return hull;
}

// Returns a box or disc of 0.5 to 2 units in a square of `side` units, grown by `radius`.
inline LatticeRing random_obstacle(Random* random, double side, double radius) {
  const auto mm = [random, side] {
    return static_cast<double>(random->below(static_cast<std::uint32_t>(side * 1000))) / 1000;
  };
  const Point center{mm(), mm()};
  const double x = 0.25 + 0.75 * random->unit();
  const double z = 0.25 + 0.75 * random->unit();
  switch (random->below(3)) {
    case 0:
      return grow(Box{center, 0.25 + random->below(750) * 0.001, 0.5, 0}, radius)->front();
    case 1:
      return grow(Box{center, x, z, 3 * random->unit()}, radius)->front();
    default:
      return grow(Circle{center, x}, radius)->front();
  }
}

// Returns a ring with corners within a few millimetres around `near`, which touches, covers and
// grazes everything.
inline LatticeRing random_speck(Random* random, LatticePoint near, std::int32_t reach_mm) {
  LatticeRing speck = random_convex(random, 2 * reach_mm + 1, 3 + random->below(5));
  const auto down = [](std::int32_t v) { return v / 16 * 16; };
  for (LatticePoint& p : speck)
    p = {down(near.x) + (p.x - reach_mm) * 16, down(near.z) + (p.z - reach_mm) * 16};
  return speck;
}

// Returns an effect that does not block: a factor of 1 to 4, or an area type.
inline CarveEffect random_soft_effect(Random* random) {
  CarveEffect effect{.blocks = false};
  if (random->below(3) == 0) {
    effect.area = AreaType(static_cast<std::uint8_t>(random->below(3)));
  } else {
    effect.factor = 1000 + 500 * random->below(7);
  }
  return effect;
}

inline std::vector<CarveObstacle> as_obstacles(const std::vector<LatticeRing>& rings) {
  std::vector<CarveObstacle> obstacles;
  for (std::size_t i = 0; i < rings.size(); ++i)
    obstacles.push_back({ObstacleId{10 + i}, 0, rings[i]});
  return obstacles;
}

}  // namespace repath::test
