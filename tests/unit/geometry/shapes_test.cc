#include "geometry/shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"

namespace repath {
namespace {

void expect_refused(const Polygon& polygon, const std::string& reason, const std::string& field) {
  const absl::Status status = check_polygon(polygon);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_EQ(error_reason(status), reason) << status;
  EXPECT_EQ(error_field(status), field) << status;
}

Polygon star_of(std::size_t points) {
  Polygon polygon;
  for (std::size_t i = 0; i < points; ++i) {
    const double t = static_cast<double>(i) * 6.283185307179586 / static_cast<double>(points);
    const double radius = i % 2 == 0 ? 10 : 5;
    polygon.points.push_back({radius * std::cos(t), radius * std::sin(t)});
  }
  return polygon;
}

TEST(Polygon, OfEitherOrientationIsFine) {
  EXPECT_TRUE(check_polygon({{{0, 0}, {4, 0}, {4, 4}}}).ok());
  EXPECT_TRUE(check_polygon({{{4, 4}, {4, 0}, {0, 0}}}).ok());
}

TEST(Polygon, NeedNotBeConvex) {
  EXPECT_TRUE(check_polygon({{{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}}}).ok());
}

TEST(Polygon, MayHaveACornerOnAStraightEdge) {
  EXPECT_TRUE(check_polygon({{{0, 0}, {2, 0}, {4, 0}, {4, 4}}}).ok());
}

TEST(Polygon, Has3To256Corners) {
  EXPECT_TRUE(check_polygon(star_of(256)).ok());
  expect_refused(star_of(258), "POLYGON_SIZE", "xz");
  expect_refused({{{0, 0}, {1, 1}}}, "POLYGON_SIZE", "xz");
}

TEST(Polygon, MustBeFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  expect_refused({{{0, 0}, {nan, 0}, {4, 4}}}, "NOT_FINITE", "xz[2]");
  expect_refused({{{0, 0}, {4, 0}, {4, infinity}}}, "NOT_FINITE", "xz[5]");
}

TEST(Polygon, MustNotCrossItself) {
  expect_refused({{{0, 0}, {4, 4}, {4, 0}, {0, 4}}}, "POLYGON_NOT_SIMPLE", "xz[0]");
}

TEST(Polygon, MustNotTouchItself) {
  expect_refused({{{0, 0}, {8, 0}, {8, 4}, {4, 0}, {0, 4}}}, "POLYGON_NOT_SIMPLE", "xz[0]");
}

TEST(Polygon, MustNotRepeatACorner) {
  expect_refused({{{0, 0}, {4, 0}, {4, 0}, {0, 4}}}, "POLYGON_NOT_SIMPLE", "xz[4]");
  expect_refused({{{0, 0}, {4, 0}, {4, 4}, {0, 0}}}, "POLYGON_NOT_SIMPLE", "xz[0]");
}

TEST(Polygon, MustHaveAnArea) {
  EXPECT_EQ(error_reason(check_polygon({{{0, 0}, {4, 4}, {2, 2}}})), "POLYGON_NOT_SIMPLE");
  EXPECT_EQ(error_reason(check_polygon({{{0, 0}, {1, 0}, {2, 0}, {3, 0}}})), "POLYGON_NOT_SIMPLE");
}

TEST(Polygon, MustNotFoldBackOnItself) {
  expect_refused({{{0, 0}, {4, 0}, {2, 0}, {2, 4}}}, "POLYGON_NOT_SIMPLE", "xz[2]");
}

TEST(Box, TurnsItsAxisTowardsZ) {
  const auto corners =
      box_corners({.center = {10, 20}, .half_x = 3, .half_z = 1, .yaw = 1.5707963267948966});
  // Its long side was along x and now lies along z.
  for (const Point& p : corners) {
    EXPECT_NEAR(std::abs(p.x - 10), 1, 1e-12);
    EXPECT_NEAR(std::abs(p.z - 20), 3, 1e-12);
  }
}

TEST(Box, WithoutYawHasExactCorners) {
  const auto corners = box_corners({.center = {10, 20}, .half_x = 3, .half_z = 1, .yaw = 0});
  EXPECT_EQ(corners[0], (Point{7, 19}));
  EXPECT_EQ(corners[2], (Point{13, 21}));
}

void expect_refused(const Capsule& capsule, const ShapeLimits& limits, const std::string& reason,
                    const std::string& field) {
  const absl::Status status = check_measures(capsule, limits, "it");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_EQ(error_reason(status), reason) << status;
  EXPECT_EQ(error_field(status), field) << status;
}

TEST(Capsule, HasFiniteEndsWithinTheLimitsAndARadius) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ShapeLimits limits{.coordinate_max = 1000, .extent_max = 20};
  expect_refused({{0, -HUGE_VAL}, {1, 1}, 1}, limits, "NOT_FINITE", "it.capsule.from.z");
  expect_refused({{0, 0}, {nan, 1}, 1}, limits, "NOT_FINITE", "it.capsule.to.x");
  expect_refused({{1000.1, 0}, {1, 1}, 1}, limits, "OUT_OF_RANGE", "it.capsule.from.x");
  expect_refused({{0, 0}, {1, 1}, 0}, limits, "OUT_OF_RANGE", "it.capsule.radius");
  expect_refused({{0, 0}, {1, 1}, 20.1}, limits, "OUT_OF_RANGE", "it.capsule.radius");
  expect_refused({{0, 0}, {1, 1}, nan}, limits, "NOT_FINITE", "it.capsule.radius");
  EXPECT_TRUE(check_measures(Capsule{{1000, 0}, {990, 1}, 20}, limits, "it").ok());
}

TEST(Capsule, IsAtMostTwiceTheLargestExtentLongAndMayHaveNoLength) {
  const ShapeLimits limits{.coordinate_max = 1000, .extent_max = 20};
  EXPECT_TRUE(check_measures(Capsule{{-20, 3}, {20, 3}, 1}, limits, "it").ok());
  EXPECT_TRUE(check_measures(Capsule{{1, 1}, {1, 1}, 1e-300}, limits, "it").ok());
  expect_refused({{-20, 3}, {20.001, 3}, 1}, limits, "OUT_OF_RANGE", "it.capsule.to");
  expect_refused({{0, 0}, {29, -29}, 1}, limits, "OUT_OF_RANGE", "it.capsule.to");
}

TEST(Capsule, MustLieWithinTheLimitsAltogetherWhereTheyBoundAll) {
  const ShapeLimits limits{.coordinate_max = 1000, .extent_max = 100, .bounds_all = true};
  EXPECT_TRUE(check_measures(Capsule{{940, 0}, {948, 9}, 50}, limits, "it").ok());
  expect_refused({{950, 0}, {940, 9}, 50}, limits, "OUT_OF_RANGE", "it.capsule");
  expect_refused({{9, -800}, {9, -951}, 50}, limits, "OUT_OF_RANGE", "it.capsule");
}

}  // namespace
}  // namespace repath
