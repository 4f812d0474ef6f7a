// Agents that keep clear of others: which agent gives way, for how much, and the claim in its
// verdict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::SmallWorld;
using test::types;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

const std::vector<std::string_view> kTwoLanes = {"..............................",  //
                                                 ".............................."};
constexpr Cost kChangeOfLane = kDiagonalStep - kStraightStep;

// Returns agent 1, two cells ahead of agent 2 and on its way to the same goal at the end of the
// upper lane.
AgentSpec ahead() {
  return SmallWorld::walker(1, SmallWorld::centre(2, 0), SmallWorld::centre(29, 0));
}
AgentSpec behind(CrowdSpec crowd) {
  AgentSpec spec = SmallWorld::walker(2, SmallWorld::centre(0, 0), SmallWorld::centre(29, 0));
  spec.crowd = crowd;
  return spec;
}

AgentPath path_told(SmallWorld& world, const AgentSpec& spec) {
  world.put(spec);
  const std::vector<AgentEvent> events = world.settle();
  EXPECT_THAT(types(events), ElementsAre(EventType::kNewPath));
  return events.empty() || !events[0].path ? AgentPath{} : *events[0].path;
}

std::vector<NodeId> upper_lane(const SmallWorld& world, int from, int to) {
  std::vector<NodeId> nodes;
  for (int x = from; x <= to; ++x) nodes.push_back(world.at(x, 0));
  return nodes;
}

TEST(Crowd, TheSecondTakesTheOtherLaneWhileTheFirstIsNear) {
  SmallWorld world(kTwoLanes);
  path_told(world, ahead());
  const AgentPath path = path_told(world, behind({2, 6, 0.1}));
  for (int x = 2; x <= 6; ++x) {
    EXPECT_THAT(path.nodes, Not(Contains(world.at(x, 0))));
    EXPECT_THAT(path.nodes, Contains(world.at(x, 1)));
  }
  const std::vector<NodeId> end = upper_lane(world, 12, 29);
  EXPECT_TRUE(std::equal(end.rbegin(), end.rend(), path.nodes.rbegin())) << "and then its own path";
  EXPECT_EQ(path.cost, 29 * kStraightStep + 2 * kChangeOfLane);
  EXPECT_EQ(path.optimality, Optimality::kBounded);
  EXPECT_DOUBLE_EQ(path.weight, static_cast<double>(path.cost) / (29 * kStraightStep));
}

TEST(Crowd, WhoDoesNotAskForItWalksBehind) {
  SmallWorld world(kTwoLanes);
  path_told(world, ahead());
  AgentSpec spec = behind({});
  spec.crowd.reset();
  const AgentPath path = path_told(world, spec);
  EXPECT_EQ(path.nodes, upper_lane(world, 0, 29));
  EXPECT_EQ(path.optimality, Optimality::kOptimal);
}

TEST(Crowd, NobodyNearbyIsNobodyInTheWay) {
  SmallWorld world(kTwoLanes);
  path_told(world, ahead());
  const AgentPath path = path_told(world, behind({16, 1.5, 1}));
  EXPECT_EQ(path.nodes, upper_lane(world, 0, 29));
  EXPECT_EQ(path.optimality, Optimality::kOptimal);
}

TEST(Crowd, WhoHasArrivedIsNotCounted) {
  SmallWorld world(kTwoLanes);
  path_told(world, SmallWorld::walker(1, SmallWorld::centre(3, 0), SmallWorld::centre(3, 0)));
  EXPECT_EQ(path_told(world, behind({16, 6, 1})).nodes, upper_lane(world, 0, 29));
}

// Two changes of lane cost 0.0286 of the path's cost.
TEST(Crowd, TheDetourIsNoLongerThanAllowed) {
  SmallWorld world(kTwoLanes);
  path_told(world, ahead());
  EXPECT_EQ(path_told(world, behind({16, 6, 0.028})).optimality, Optimality::kOptimal);
  AgentSpec spec = behind({16, 6, 0.029});
  spec.id = AgentId{3};
  EXPECT_EQ(path_told(world, spec).optimality, Optimality::kBounded);
}

// Ten agents are ahead in the first lane, one in the second, none in the third.
TEST(Crowd, TheEmptiestLaneWithinTheLimitIsTaken) {
  const std::vector<std::string_view> map(4, kTwoLanes[0]);
  for (const int lane : {1, 2}) {
    SmallWorld world(map);
    for (std::uint64_t id = 10; id <= 20; ++id) {
      const int y = id == 20 ? 1 : 0;
      path_told(world, SmallWorld::walker(id, SmallWorld::centre(2, y), SmallWorld::centre(29, y)));
    }
    const AgentPath path = path_told(world, behind({16, 8, lane == 1 ? 0.04 : 0.1}));
    EXPECT_THAT(path.nodes, Contains(world.at(5, lane)));
    EXPECT_EQ(path.cost, 29 * kStraightStep + 2 * static_cast<Cost>(lane) * kChangeOfLane);
  }
}

TEST(Crowd, ABlockedLaneIsNoWayAside) {
  SmallWorld world(kTwoLanes);
  world.block(1, {1, 1, 29, 2});
  path_told(world, ahead());
  const AgentPath path = path_told(world, behind({16, 6, 1}));
  EXPECT_EQ(path.nodes, upper_lane(world, 0, 29));
  EXPECT_EQ(path.optimality, Optimality::kOptimal);
}

TEST(Crowd, AnotherWayAtTheSameCostIsOptimal) {
  const std::vector<std::string_view> map = {"......", "......", "......", "......",
                                             "......", "......", "......", "......"};
  SmallWorld world(map);
  const MapPoint goal = SmallWorld::centre(5, 7);
  const AgentPath first = path_told(world, SmallWorld::walker(1, SmallWorld::centre(0, 0), goal));
  AgentSpec spec = SmallWorld::walker(2, SmallWorld::centre(0, 0), goal);
  spec.crowd = CrowdSpec{0.2, 8, 1};
  const AgentPath path = path_told(world, spec);
  EXPECT_NE(path.nodes, first.nodes);
  EXPECT_EQ(path.cost, first.cost);
  EXPECT_EQ(path.optimality, Optimality::kOptimal);
}

TEST(Crowd, WhoComesLaterMakesNobodySearchAgain) {
  SmallWorld world(kTwoLanes);
  const AgentPath alone = path_told(world, behind({16, 6, 1}));
  EXPECT_EQ(alone.nodes, upper_lane(world, 0, 29));
  path_told(world, ahead());
  world.report(1, SmallWorld::centre(5, 0));
  EXPECT_THAT(world.settle(), IsEmpty());
}

TEST(Crowd, AStepThatClosesIsToldAtOnceAndReplanned) {
  SmallWorld world(kTwoLanes);
  path_told(world, ahead());
  path_told(world, behind({2, 6, 0.1}));
  world.block(1, {4, 1, 5, 2});
  EXPECT_THAT(types(world.events()), ElementsAre(EventType::kInvalidated));
  EXPECT_THAT(types(world.settle()), ElementsAre(EventType::kReplanned));
}

// Silence means the claim that was sent: the path is not further above the optimum than then.
TEST(Crowd, ItIsAsFarAboveTheOptimumAsToldAndNotFarther) {
  SmallWorld world(kTwoLanes);
  world.weigh(1, {20, 0, 21, 2}, 3);  // the optimum costs two steps more for now
  path_told(world, ahead());
  const AgentPath path = path_told(world, behind({2, 6, 0.1}));
  ASSERT_EQ(path.optimality, Optimality::kBounded);
  const AgentView held = *world->agent(AgentId{2});
  EXPECT_EQ(held.verdict.path->optimality, Optimality::kWithin);
  EXPECT_EQ(held.verdict.path->allowance, 2 * kChangeOfLane);
  ChangeBatch lift_lower_half;  // nothing that either path crosses gets cheaper
  lift_lower_half.upsert_obstacles.push_back(
      {.id = ObstacleId{1}, .shape = CellRect{20, 0, 21, 1}, .effect = {false, 3}});
  world.apply(lift_lower_half);
  EXPECT_THAT(world.events(), IsEmpty());
  const std::vector<AgentEvent> events = world.settle();
  EXPECT_THAT(types(events), Contains(EventType::kImproved));
  for (const AgentEvent& event : events) EXPECT_LT(event.cost, event.old_cost);
}

// Column 20 is dear in all three lanes, and then in the first one alone. The second lane saves 3.2
// steps then, and the third 2.3. Others are in the way in the first two.
TEST(Crowd, AnImprovementSavesMoreThanTheHysteresisOfTheCostFirstSent) {
  SmallWorld world(std::vector<std::string_view>(3, kTwoLanes[0]));
  world.weigh(1, {20, 0, 21, 3}, 5);
  AgentSpec spec = behind({16, 8, 1});
  spec.min_improvement_ratio = 0.08;
  const AgentPath first = path_told(world, spec);
  const Cost hysteresis = first.cost * 8 / 100;
  for (int x = 1; x <= 13; ++x) world.report(2, SmallWorld::centre(x, 0), first.version);
  for (std::uint64_t id = 10; id < 16; ++id) {
    const int y = id % 2 == 0 ? 0 : 1;
    path_told(world, SmallWorld::walker(id, SmallWorld::centre(15, y), SmallWorld::centre(29, y)));
  }
  world.weigh(1, {20, 0, 21, 1}, 5);
  std::vector<AgentEvent> events = world.settle();
  std::erase_if(events, [](const AgentEvent& event) { return event.agent != AgentId{2}; });
  ASSERT_THAT(types(events), ElementsAre(EventType::kImproved));
  EXPECT_LT(events[0].cost + hysteresis, events[0].old_cost);
}

}  // namespace
}  // namespace repath
