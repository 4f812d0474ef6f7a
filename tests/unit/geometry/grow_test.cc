#include "geometry/grow.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace repath {
namespace {

constexpr std::int32_t kMetre = kLatticePerUnit;

TEST(Grow, ABoxOnMillimetresGrownByNothingIsThatBox) {
  const auto grown = grow(Box{{0.1, 0.2}, 0.05, 0.3, 0}, 0);
  ASSERT_TRUE(grown.ok());
  EXPECT_EQ(grown->front(), (LatticeRing{{800, -1600}, {2400, -1600}, {2400, 8000}, {800, 8000}}));
}

TEST(Grow, ABoxTakesFiveCornersAtEachOfItsOwn) {
  const auto grown = grow(Box{{0, 0}, 1, 1, 0}, 0.5);
  ASSERT_TRUE(grown.ok());
  EXPECT_EQ(grown->front().size(), 20u);
  // The 16-gon around a disc of 0.5 reaches 0.5 / cos(pi / 16) = 0.50979... along the axes.
  EXPECT_TRUE(std::ranges::find(grown->front(), LatticePoint{1510 * 16, kMetre}) !=
              grown->front().end());
}

TEST(Grow, ADiscIsTheSixteenCornersAroundIt) {
  const auto grown = grow(Circle{{3, 4}, 0.7}, 0.3);
  ASSERT_TRUE(grown.ok());
  EXPECT_EQ(grown->front().size(), 16u);
  EXPECT_TRUE(std::ranges::find(grown->front(), LatticePoint{4020 * 16, 4 * kMetre}) !=
              grown->front().end());
}

TEST(Grow, ACapsuleHasTheSixteenCornersOfItsEndsAndTwoMore) {
  const auto grown = grow(Capsule{{3, 4}, {5, 5}, 0.7}, 0.3);
  ASSERT_TRUE(grown.ok());
  ASSERT_EQ(grown->size(), 1u);
  const LatticeRing& ring = grown->front();
  EXPECT_EQ(ring.size(), 18u);
  EXPECT_TRUE(std::ranges::find(ring, LatticePoint{6020 * 16, 5 * kMetre}) != ring.end());
  const auto point = grow(Capsule{{3, 4}, {3, 4}, 0.7}, 0.3);
  ASSERT_TRUE(point.ok());
  EXPECT_EQ(*point, *grow(Circle{{3, 4}, 0.7}, 0.3));
}

TEST(Grow, AWallGrowsAsACapsuleDoes) {
  const Point from{1.25, 2};
  const Point to{4, -3.5};
  const auto wall = grow_wall(from, to, 0.7);
  ASSERT_TRUE(wall.ok());
  EXPECT_EQ(*wall, grow(Capsule{from, to, 0.7}, 0)->front());
  EXPECT_EQ(error_reason(grow_wall({0, 0}, {kLatticeExtent, 0}, 1).status()), "OUTSIDE_LATTICE");
}

TEST(Grow, ShapesThatLeaveTheLatticeAreRefused) {
  const auto grown = grow(Circle{{33554, 0}, 0.3}, 0.2);
  EXPECT_EQ(grown.status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(error_reason(grown.status()), "OUTSIDE_LATTICE");
  EXPECT_TRUE(grow(Circle{{33554, 0}, 0.3}, 0.05).ok());
}

TEST(Grow, AnAngleIsCutIntoTwoConvexPieces) {
  const Polygon angle{{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}};
  EXPECT_EQ(convex_pieces(angle).size(), 2u);
}

}  // namespace
}  // namespace repath
