// Where an agent stands when an obstacle covers it: on the same floor, and on the same route until
// it is sent another one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "route_ground/rerouter.h"
#include "routes/nav_world.h"
#include "support/plane_world.h"
#include "support/route_bed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

using test::kinds_of;
using StandingBed = test::RouteBed;

// The agent is in a block, with a route from the nearest place beside it, two units away. Then the
// block shrinks, and a place one unit away is free.
class StandIn : public ::testing::Test {
 protected:
  StandIn() : bed_(slow_plane()) {
    bed_.block(1, Box{{21, 20}, 5, 2, 0});
    bed_.put({20, 20, 0}, {90, 20, 0}, true);
    const auto events = bed_.settle();
    EXPECT_EQ(kinds_of(events), std::vector{EventType::kNewPath});
    EXPECT_EQ(bed_.view().verdict.path->points[0].at, (Spot{20, 0, 18}));
    bed_.block(1, Box{{21, 20.5}, 5, 1.5, 0});
    EXPECT_TRUE(bed_.view().waiting);
    bed_.step(10);  // begins a search that takes several such frames
    EXPECT_TRUE(bed_.view().waiting);
    EXPECT_TRUE(bed_.events().empty());
  }
  static std::unique_ptr<RouteWorld> slow_plane() {
    test::PlaneGround ground;
    ground.width = 100;
    ground.depth = 40;
    ground.work = 60;
    return std::make_unique<test::PlaneWorld>(std::move(ground));
  }
  StandingBed bed_;
};

TEST_F(StandIn, TheRouteFromAFartherOneCountsUntilThereIsAnother) {
  EXPECT_NE(bed_.view().held_cost, kUnreachable);
  const auto events = bed_.settle();
  ASSERT_EQ(kinds_of(events), std::vector{EventType::kNewPath});
  EXPECT_EQ(events[0].path->state, PathState::kStartBlocked);
  EXPECT_EQ(events[0].path->points[0].at, (Spot{20, 0, 19}));
}

TEST_F(StandIn, ABreakOfTheOldRouteIsToldAtOnceWhileAnotherIsSought) {
  bed_.block(2, Box{{51, 20}, 1, 15, 0});
  const auto at_once = bed_.events();
  ASSERT_EQ(kinds_of(at_once), std::vector{EventType::kInvalidated});
  EXPECT_EQ(at_once[0].path_version, PathVersion{1});
  const auto events = bed_.settle();
  ASSERT_EQ(kinds_of(events), std::vector{EventType::kNewPath});
  EXPECT_EQ(events[0].path->points[0].at, (Spot{20, 0, 19}));
}

TEST_F(StandIn, ItsOwnPlaceFreeAgainIsTheStartOfTheNextRoute) {
  bed_.free(1);
  bed_.step(10);
  EXPECT_NE(bed_.view().held_cost, kUnreachable);
  const auto events = bed_.settle();
  ASSERT_EQ(kinds_of(events), std::vector{EventType::kNewPath});
  EXPECT_EQ(events[0].path->state, PathState::kComplete);
  EXPECT_EQ(events[0].path->points[0].at, (Spot{20, 0, 20}));
}

TEST_F(StandIn, WhoHasComeToItIsThere) {
  bed_.report({20, 18, 0});
  EXPECT_EQ(bed_.view().spot, (Spot{20, 0, 18}));
  bed_.settle();
  EXPECT_EQ(bed_.view().spot, (Spot{20, 0, 18}));
  EXPECT_EQ(bed_.view().verdict.path->state, PathState::kComplete);
}

TEST_F(StandIn, NoWayFromTheNearerPlaceEndsTheOldRoute) {
  bed_.block(2, Box{{90, 20}, 3, 3, 0});
  const auto events = bed_.settle();
  ASSERT_EQ(kinds_of(events), (std::vector{EventType::kInvalidated, EventType::kStartBlocked}));
  EXPECT_EQ(bed_.view().held_cost, kUnreachable);
}

// Two floors of 20 x 6, at this distance in height.
class TwoFloors : public ::testing::TestWithParam<double> {
 protected:
  TwoFloors() : bed_(floors(GetParam())) {}
  static std::unique_ptr<RouteWorld> floors(double height) {
    NavWorld::Source source;
    source.name = "floors";
    for (const double y : {0.0, height}) {
      const auto first = static_cast<std::uint32_t>(source.mesh.vertices.size());
      for (const auto& [x, z] :
           {std::pair{0.0, 0.0}, std::pair{20.0, 0.0}, std::pair{20.0, 6.0}, std::pair{0.0, 6.0}})
        source.mesh.vertices.push_back({test::at(x, z), y});
      source.mesh.add_cell({first, first + 1, first + 2, first + 3});
    }
    auto world = NavWorld::create(std::move(source));
    EXPECT_TRUE(world.ok()) << world.status();
    return *std::move(world);
  }
  // Covers the agent's place on the lower floor.
  void cover() { bed_.block(1, Box{{3, 3}, 2, 2, 0}, GetParam() / 2); }

  StandingBed bed_;
};

TEST_P(TwoFloors, ACoveredAgentStaysOnItsFloor) {
  bed_.put({3, 3, 0}, {15, 3, 0});
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kNewPath});
  cover();
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kStartBlocked});
  EXPECT_EQ(bed_.view().spot.y, 0);
  bed_.free(1);
  const auto events = bed_.settle();
  ASSERT_EQ(kinds_of(events), std::vector{EventType::kNewPath});
  for (const RoutePoint& point : events[0].path->points) EXPECT_EQ(point.at.y, 0);
}

TEST_P(TwoFloors, ACoveredAgentWithoutARouteStaysOnItsFloor) {
  bed_.put({3, 3, 0}, {15, 30, 0});
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kUnreachable});
  cover();
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kStartBlocked});
  EXPECT_EQ(bed_.view().spot.y, 0);
}

TEST_P(TwoFloors, ACoveredAgentWhoseRouteHasEndedStaysOnItsFloor) {
  bed_.put({3, 3, 0}, {3, 3, 0});
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kNewPath});
  cover();
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kStartBlocked});
  EXPECT_EQ(bed_.view().spot.y, 0);
}

TEST_P(TwoFloors, ThePlaceAboveACoveredOneIsAStandIn) {
  bed_.put({3, 3, 0}, {15, 3, GetParam()}, true);
  bed_.settle();
  cover();
  for (const AgentEvent& event : bed_.settle())
    EXPECT_EQ(event.path->state, PathState::kStartBlocked);
  EXPECT_EQ(bed_.view().spot.y, 0);
}

INSTANTIATE_TEST_SUITE_P(SoFarApart, TwoFloors, ::testing::Values(1.5, 4.0),
                         [](const auto& height) { return height.param < 2 ? "Near" : "Far"; });

// An agent or a goal is on the upper floor, and an obstacle covers its place.
class UpperFloor : public TwoFloors {
 protected:
  void cover_upper() {
    ChangeBatch batch;
    batch.upsert_obstacles.push_back({ObstacleId{1}, Box{{3, 3}, 2, 2, 0}});
    batch.upsert_obstacles.back().bottom = GetParam() - 0.4;
    batch.upsert_obstacles.back().top = GetParam() + 0.4;
    bed_.apply(batch);
  }
};

TEST_P(UpperFloor, ACoveredAgentStaysOnItAndHasNoWayDown) {
  const MapPoint same{3, 3, GetParam()};
  bed_.put(same, {15, 3, 0});
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kUnreachable});
  for (const bool is_reported : {false, true}) {
    cover_upper();
    EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kStartBlocked});
    if (is_reported) bed_.report(same);
    EXPECT_TRUE(bed_.settle().empty());
    bed_.free(1);
    if (is_reported) bed_.report(same);
    EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kUnreachable});
    EXPECT_EQ(bed_.view().spot.y, GetParam());
    bed_.report(same);
    EXPECT_TRUE(bed_.settle().empty());
  }
}

TEST_P(UpperFloor, AnAgentThatComesWhileItIsCoveredIsOnItAfterwards) {
  const MapPoint seen{3, 3, GetParam() - 0.2};
  cover_upper();
  bed_.put(seen, {15, 3, GetParam()});
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kStartBlocked});
  bed_.free(1);
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kNewPath});
  EXPECT_EQ(bed_.view().spot.y, GetParam());
}

TEST_P(UpperFloor, ACoveredGoalIsNotReachedFromBelow) {
  const MapPoint goal{3, 3, GetParam()};
  for (const double from : {0.0, GetParam()}) {
    bed_.put({15, 3, from}, goal);
    const std::vector<EventType> open = kinds_of(bed_.settle());
    ASSERT_FALSE(open.empty());
    EXPECT_EQ(open.back(), from == 0 ? EventType::kUnreachable : EventType::kNewPath);
    cover_upper();
    bed_.settle();
    EXPECT_EQ(bed_.view().held_cost, kUnreachable);
    EXPECT_EQ(bed_.view().verdict.type, EventType::kUnreachable);
    bed_.free(1);
    bed_.settle();
    EXPECT_EQ(bed_.view().verdict.type, open.back());
  }
}

// Its path leads below an obstacle on the upper floor, which is nearer to what it reports.
TEST_P(UpperFloor, AnAgentOnAPathBelowItIsOnThePath) {
  bed_.put({15, 3, 0}, {3, 3, 0});
  bed_.settle();
  cover_upper();
  bed_.report({4, 3, GetParam() / 2 - 0.1});
  EXPECT_EQ(bed_.view().spot, (Spot{4, 0, 3}));
  bed_.report({3.5, 3, std::min(GetParam() / 2 + 0.1, kFloorReach)});
  EXPECT_EQ(bed_.view().spot, (Spot{3.5, 0, 3}));
  EXPECT_TRUE(bed_.settle().empty());
}

INSTANTIATE_TEST_SUITE_P(SoHigh, UpperFloor, ::testing::Values(0.6, 1.5, 1.9, 3.0));

TEST(Standing, AReportFarAboveTheGroundIsNotOnIt) {
  NavWorld::Source source;
  source.name = "flat";
  source.mesh = test::squares({"...", "..."});
  auto world = NavWorld::create(std::move(source));
  ASSERT_TRUE(world.ok()) << world.status();
  StandingBed bed(*std::move(world));
  bed.put({0.5, 0.5, kFloorReach + 0.5}, {2.5, 0.5, 0});
  EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kStartBlocked});
  bed.put({0.5, 0.5, kFloorReach - 0.5}, {2.5, 0.5, 0});
  EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
  EXPECT_EQ(bed.view().spot.y, 0);
}

}  // namespace
}  // namespace repath
