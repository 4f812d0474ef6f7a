#include "route_ground/on_route.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/plane_world.h"

namespace repath {
namespace {

// East for 10, then north for 5.
class FindOnRoute : public ::testing::Test {
 protected:
  std::optional<OnRoute> find(double x, double z, std::uint32_t from = 0, double y = 0) const {
    return find_on_route(ground_, points_, from, points_[from].at, {x, y, z}, is_broken_);
  }
  test::PlaneGround ground_;
  std::vector<RoutePoint> points_{
      {{10, 0, 10}, 0, 0, {}}, {{20, 0, 10}, 0, 0, {}}, {{20, 0, 15}, 0, 0, {}}};
  bool is_broken_ = false;
};

TEST_F(FindOnRoute, IsTheNearestPlaceOfTheLeg) {
  const auto on = find(13.5, 10.09);
  ASSERT_TRUE(on);
  EXPECT_EQ(on->at, 0u);
  EXPECT_EQ(on->spot, (Spot{13.5, 0, 10}));
}

TEST_F(FindOnRoute, ReachesATenthOfAUnit) {
  EXPECT_FALSE(find(13.5, 10.11));
  EXPECT_FALSE(find(9.8, 10));
  EXPECT_TRUE(find(9.95, 10));
}

TEST_F(FindOnRoute, ItsEndsAreItsPoints) {
  EXPECT_EQ(find(9.95, 10)->spot, (Spot{10, 0, 10}));
  const auto turn = find(20.05, 9.96);
  ASSERT_TRUE(turn);
  EXPECT_EQ(turn->at, 1u);
  EXPECT_EQ(turn->spot, (Spot{20, 0, 10}));
  EXPECT_EQ(find(20, 15.05)->at, 2u);
}

TEST_F(FindOnRoute, TheNearerLegOfTwoThatFollowEachOther) {
  const auto on = find(19.95, 10.06);
  ASSERT_TRUE(on);
  EXPECT_EQ(on->at, 1u);
  EXPECT_DOUBLE_EQ(on->spot.z, 10.06);
}

// East, then back beside the first leg.
TEST_F(FindOnRoute, TheNearestOfAllLegsAhead) {
  points_ = {{{10, 0, 10}, 0, 0, {}},
             {{20, 0, 10}, 0, 0, {}},
             {{20, 0, 10.0625}, 0, 0, {}},
             {{10, 0, 10.0625}, 0, 0, {}}};
  const auto back = find(13, 10.05);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->at, 2u);
  EXPECT_EQ(back->spot, (Spot{13, 0, 10.0625}));
  EXPECT_EQ(find(13, 10.0625)->at, 2u);
  EXPECT_EQ(find(13, 10.02)->at, 0u);
  EXPECT_EQ(find(13, 9.98)->at, 0u);
  EXPECT_EQ(find(13, 10.03125)->at, 0u) << "as near to both";
}

TEST_F(FindOnRoute, WhereItCrossesItselfIsTheFirstTime) {
  points_ = {{{10, 0, 10}, 0, 0, {}},
             {{20, 0, 10}, 0, 0, {}},
             {{20, 0, 15}, 0, 0, {}},
             {{15, 0, 5}, 0, 0, {}}};
  EXPECT_EQ(find(17.5, 10)->at, 0u);
  EXPECT_EQ(find(17.5 + 1e-7, 10 + 1e-7)->at, 0u) << "but for rounding";
  EXPECT_EQ(find(17.52, 10.04)->at, 2u);
  EXPECT_EQ(find(17.5, 10, 1)->at, 2u);
}

TEST_F(FindOnRoute, ANearerLegOnAnotherFloorDoesNotCount) {
  points_ = {{{10, 0, 10}, 0, 0, {}},
             {{20, 0, 10}, 0, 0, {}},
             {{20, 5, 10.05}, 0, 0, 7},
             {{10, 5, 10.05}, 0, 0, {}}};
  const auto below = find(13, 10.04);
  ASSERT_TRUE(below);
  EXPECT_EQ(below->at, 0u);
  ground_.blocks.push_back({12, 10.03, 14, 11});
  EXPECT_EQ(find(13, 10.04, 0, 5)->at, 3u);
}

TEST_F(FindOnRoute, LooksOnlyAhead) {
  EXPECT_FALSE(find(13, 10, 1));
  EXPECT_TRUE(find(20, 12, 1));
}

TEST_F(FindOnRoute, TheFirstLegBeginsWhereTheAgentIs) {
  const Spot here{15, 0, 10};
  EXPECT_TRUE(find_on_route(ground_, points_, 0, here, {16, 0, 10}, false));
  EXPECT_FALSE(find_on_route(ground_, points_, 0, here, {14, 0, 10}, false)) << "behind it";
}

TEST_F(FindOnRoute, AnotherFloorIsNotThere) {
  EXPECT_FALSE(find(20, 15, 0, 5)) << "above the last point";
}

TEST_F(FindOnRoute, WhatIsBlockedIsOnABrokenRouteOnly) {
  ground_.blocks.push_back({12, 9, 14, 11});
  EXPECT_FALSE(find(13, 10));
  is_broken_ = true;
  EXPECT_TRUE(find(13, 10));
}

TEST_F(FindOnRoute, OfALinkItIsTheNearerEnd) {
  points_[0].link = 7;
  EXPECT_EQ(find(14, 10)->spot, (Spot{10, 0, 10}));
  EXPECT_EQ(find(16, 10)->at, 1u);
  EXPECT_EQ(find(16, 10)->spot, (Spot{20, 0, 10}));
}

TEST_F(FindOnRoute, WhoIsOnTheGroundBesideALinkAheadHasNotComeToIt) {
  points_[1].link = 7;
  EXPECT_FALSE(find(20.05, 12));
  EXPECT_EQ(find(20.05, 10)->at, 1u) << "at its end";
  EXPECT_EQ(find(20.05, 12, 1)->at, 1u) << "who was on it already";
  ground_.blocks.push_back({20.01, 11, 21, 13});
  const auto on = find(20.05, 12);
  ASSERT_TRUE(on) << "there is no ground";
  EXPECT_EQ(on->at, 1u);
}

TEST_F(FindOnRoute, WhoWasPutAtTheEndOfALinkIsThereAsLongAsItIsStillOnTheLink) {
  points_[0].link = 7;
  ground_.blocks.push_back({11, 9, 19, 11});
  const auto on = find(17, 10, 1);
  ASSERT_TRUE(on);
  EXPECT_EQ(on->at, 1u);
  EXPECT_EQ(on->spot, (Spot{20, 0, 10}));
  EXPECT_FALSE(find(14, 10, 1)) << "on the half behind it";
  EXPECT_FALSE(find_on_route(ground_, points_, 1, {20, 0, 12}, {17, 0, 10}, false))
      << "it has gone on since";
}

TEST_F(FindOnRoute, BoxesAroundItsLegsChangeNothing) {
  points_.clear();
  for (int i = 0; i < 101; ++i)  // to and fro, 0.05 apart
    points_.push_back({{i % 2 == 0 ? 10.0 : 20.0, 0, 10 + 0.05 * i}, 0, 0, {}});
  const std::vector<RouteBox> boxes = boxes_of_legs(points_);
  EXPECT_EQ(boxes.size(), 101 / kLegsPerBox + 1);
  for (const std::uint32_t from : {0u, 15u, 16u, 40u, 100u})
    for (double z = 9.8; z < 15.3; z += 0.013) {
      const Spot& origin = points_[from].at;
      const Spot seen{12, 0, z};
      const auto plain = find_on_route(ground_, points_, from, origin, seen, false);
      const auto boxed = find_on_route(ground_, points_, from, origin, seen, false, boxes);
      ASSERT_EQ(plain.has_value(), boxed.has_value()) << from << " " << z;
      if (!plain) continue;
      EXPECT_EQ(plain->at, boxed->at) << from << " " << z;
      EXPECT_EQ(plain->spot, boxed->spot) << from << " " << z;
    }
}

TEST_F(FindOnRoute, TakesARouteOfOnePoint) {
  points_.resize(1);
  EXPECT_TRUE(find(10.05, 10.05));
  EXPECT_FALSE(find(10.2, 10));
}

}  // namespace
}  // namespace repath
