// The nearest place at a distance on convex ground, and the farthest place, against many points of
// it.
#include "navmesh/search/far_places.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "support/seed.h"

namespace repath {
namespace {

double apart(Point a, Point b) { return std::hypot(a.x - b.x, a.z - b.z); }

// Corners on a circle, so the polygon is convex.
std::vector<Point> polygon(Random* random) {
  const std::size_t count = 3 + random->below(4);
  std::vector<double> angles;
  for (std::size_t k = 0; k < count; ++k)
    angles.push_back((static_cast<double>(k) + 0.8 * random->unit()) * 6.2831853 /
                     static_cast<double>(count));
  std::vector<Point> corners;
  for (const double angle : angles)
    corners.push_back({1e5 * std::cos(angle), 1e5 * std::sin(angle)});
  return corners;
}

Point point_in(const std::vector<Point>& corners, Random* random) {
  Point at{};
  double weights = 0;
  for (const Point& corner : corners) {
    const double weight = std::pow(random->unit(), 3);
    at = {at.x + weight * corner.x, at.z + weight * corner.z};
    weights += weight;
  }
  return {at.x / weights, at.z / weights};
}

TEST(FarPlaces, AreTheNearestAndTheFarthest) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int found = 0;
  int none = 0;
  for (int round = 0; round < 400; ++round) {
    const std::vector<Point> ground = polygon(&random);
    std::vector<Point> threats;
    for (std::uint32_t k = 1 + random.below(6); k > 0; --k)
      threats.push_back({(random.unit() - 0.5) * 3e5, (random.unit() - 0.5) * 3e5});
    if (random.below(5) == 0) threats.push_back(threats.front());
    const double distance = random.unit() * 2e5;
    const FarPlaces places(threats, distance);
    const Point from = random.below(8) == 0 ? threats.front() : point_in(ground, &random);
    const auto nearest = places.nearest(ground, from);
    ++(nearest ? found : none);
    if (nearest) {
      EXPECT_GT(places.distance_at(*nearest) + 0.01, distance);
      EXPECT_LE(places.least_way(from), apart(from, *nearest) + 0.01);
    }
    const double most = places.distance_at(places.farthest(ground));
    for (int i = 0; i < 300; ++i) {
      const Point at = point_in(ground, &random);
      ASSERT_LE(places.distance_at(at), most + 0.01);
      if (!places.is_far(at)) continue;
      ASSERT_TRUE(nearest.has_value());
      ASSERT_GE(apart(from, at) + 0.01, apart(from, *nearest));
    }
  }
  EXPECT_GT(found, 80);
  EXPECT_GT(none, 80);
}

}  // namespace
}  // namespace repath
