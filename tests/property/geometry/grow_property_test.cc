// The growth of obstacles, against all sums of two corners.
#include "geometry/grow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/random.h"
#include "geometry/point.h"
#include "support/random_polygons.h"
#include "support/seed.h"

namespace repath {
namespace {

// Returns how far p lies outside the convex ring; 0 or less if it is inside.
double outside(const LatticeRing& ring, Point p) {
  double far = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = to_point(ring[i]);
    const Point b = to_point(ring[(i + 1) % ring.size()]);
    const double length = std::hypot(b.x - a.x, b.z - a.z);
    far = std::max(far, ((b.z - a.z) * (p.x - a.x) - (b.x - a.x) * (p.z - a.z)) / length);
  }
  return far;
}

std::vector<Point> gon16(double radius) {
  std::vector<Point> corners;
  const double pi = std::acos(-1.0);
  for (int i = 0; i < 16; ++i)
    corners.push_back({radius / std::cos(pi / 16) * std::cos(i * pi / 8),
                       radius / std::cos(pi / 16) * std::sin(i * pi / 8)});
  return corners;
}

std::vector<Point> sums(const std::vector<Point>& a, const std::vector<Point>& b) {
  std::vector<Point> all;
  for (const Point p : a)
    for (const Point q : b) all.push_back({p.x + q.x, p.z + q.z});
  return all;
}

// Returns the support of the points in the direction (x, z) of length 1.
double support(const std::vector<Point>& points, double x, double z) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Point p : points) most = std::max(most, p.x * x + p.z * z);
  return most;
}

// Expects that the ring is convex, on millimetres, contains all points, and extends at most
// kGrowSlack beyond their hull (compared by support in many directions).
void expect_grown(const LatticeRing& ring, const std::vector<Point>& points) {
  ASSERT_TRUE(is_convex_ring(ring));
  std::vector<Point> corners;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    ASSERT_EQ(ring[i].x % kLatticePerMillimetre, 0);
    ASSERT_EQ(ring[i].z % kLatticePerMillimetre, 0);
    ASSERT_GT(turn(ring[i], ring[(i + 1) % ring.size()], ring[(i + 2) % ring.size()]), 0);
    corners.push_back(to_point(ring[i]));
  }
  for (const Point p : points) ASSERT_LT(outside(ring, p), 3e-9);
  for (int d = 0; d < 360; ++d) {
    const double x = std::cos(d * 0.0174532925);
    const double z = std::sin(d * 0.0174532925);
    ASSERT_LE(support(corners, x, z), support(points, x, z) + kGrowSlack);
  }
}

double coordinate(Random* random) {
  // Half of them lie on millimetres.
  const double v = (random->unit() - 0.5) * 2000;
  return random->below(2) == 0 ? std::round(v * 1000) / 1000 : v;
}

TEST(GrowModel, BoxesAndDiscsContainTheExactSumAndLittleMore) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int i = 0; i < 3'000; ++i) {
    const double radius = random.below(4) == 0 ? 0 : random.unit() * 2;
    const Point center{coordinate(&random), coordinate(&random)};
    const double half = 0.001 + random.unit() * 3;
    const Box box{center, half, 0.01 + random.unit(), random.below(3) == 0 ? 0 : random.unit() * 7};
    const auto corners = box_corners(box);
    const auto grown = grow(box, radius);
    ASSERT_TRUE(grown.ok());
    expect_grown(grown->front(), sums({corners.begin(), corners.end()}, gon16(radius)));
    ASSERT_LE(grown->front().size(), 28u);
    const auto disc = grow(Circle{center, half}, radius);
    ASSERT_TRUE(disc.ok());
    expect_grown(disc->front(), sums({center}, gon16(half + radius)));
    ASSERT_LE(disc->front().size(), 20u);
  }
}

TEST(GrowModel, CapsulesContainTheHullOfTheirEndsAndLittleMore) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  static constexpr double kLengths[] = {0, 1e-12, 1e-3, 1, 40, 3000};
  for (int i = 0; i < 3'000; ++i) {
    const double radius = random.below(4) == 0 ? 0 : random.unit() * 2;
    const double own = 0.001 + random.unit() * 3;
    const Point from{coordinate(&random), coordinate(&random)};
    const double length = kLengths[random.below(6)];
    const double angle = random.below(2) == 0 ? 0.78539816 * random.below(8) : 7 * random.unit();
    const Point to{from.x + length * std::cos(angle), from.z + length * std::sin(angle)};
    const auto grown = grow(Capsule{from, to, own}, radius);
    ASSERT_TRUE(grown.ok());
    ASSERT_EQ(grown->size(), 1u);
    expect_grown(grown->front(), sums({from, to}, gon16(own + radius)));
    ASSERT_LE(grown->front().size(), 24u);
    const auto turned = grow(Capsule{to, from, own}, radius);
    ASSERT_TRUE(turned.ok());
    ASSERT_EQ(*turned, *grown) << "either end may be the first";
  }
}

TEST(GrowModel, ConvexPolygonsStayWhole) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int i = 0; i < 1'000; ++i) {
    const Point center{coordinate(&random), coordinate(&random)};
    Polygon triangle = test::random_star(&random, center, 3, 3);
    if (orientation(triangle.points[0], triangle.points[1], triangle.points[2]) == 0) continue;
    if (random.below(2) == 0) std::ranges::reverse(triangle.points);
    const double radius = random.below(4) == 0 ? 0 : random.unit();
    const auto grown = grow(triangle, radius);
    ASSERT_TRUE(grown.ok());
    ASSERT_EQ(grown->size(), 1u);
    expect_grown(grown->front(), sums(triangle.points, gon16(radius)));
  }
}

double area(const std::vector<Point>& p) {
  double twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point a = p[i];
    const Point b = p[(i + 1) % p.size()];
    twice += a.x * b.z - a.z * b.x;
  }
  return twice / 2;
}

TEST(GrowModel, PiecesOfAPolygonAreConvexAndMakeItUp) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int i = 0; i < 1'000; ++i) {
    Polygon star = test::random_star(&random, {}, 3, 4 + random.below(30));
    const double whole = area(star.points);
    if (random.below(2) == 0) std::ranges::reverse(star.points);
    if (!check_polygon(star).ok()) continue;
    const auto pieces = convex_pieces(star);
    double sum = 0;
    for (const auto& piece : pieces) {
      sum += area(piece);
      for (std::size_t k = 0; k < piece.size(); ++k)
        ASSERT_GE(
            orientation(piece[k], piece[(k + 1) % piece.size()], piece[(k + 2) % piece.size()]), 0);
    }
    ASSERT_NEAR(sum, whole, 1e-9);
    ASSERT_LE(pieces.size(), star.points.size() - 2);
    const auto grown = grow(star, 0.25);
    ASSERT_TRUE(grown.ok());
    ASSERT_EQ(grown->size(), pieces.size());
    for (std::size_t k = 0; k < pieces.size(); ++k)
      expect_grown((*grown)[k], sums(pieces[k], gon16(0.25)));
  }
}

}  // namespace
}  // namespace repath
