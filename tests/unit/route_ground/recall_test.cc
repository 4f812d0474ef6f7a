// Agents that are settled without a search when an obstacle goes again, or goes and comes back.
#include "route_ground/recall.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "routes/nav_world.h"
#include "support/route_bed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

using test::kinds_of;
using test::RouteBed;

// Two halls and a wall with a door at z = 3.5 and a hole at z = 11.5. The agent's straight path
// leads through the door.
std::unique_ptr<RouteWorld> two_halls() {
  std::vector<std::string> rows(12, std::string(24, '.'));
  for (std::size_t z = 0; z < 11; ++z)
    if (z != 3) rows[z][12] = '#';
  auto world = NavWorld::create({.name = "halls", .mesh = test::squares(rows), .profiles = {}});
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

constexpr std::uint64_t kDoor = 1;

class Recall : public ::testing::Test {
 protected:
  Recall() : bed_(two_halls()) {
    bed_.put({2, 3.5, 0}, {22, 3.5, 0});
    bed_.settle();
    EXPECT_EQ(bed_.searches(), 1u);
    EXPECT_DOUBLE_EQ(cost(), 20);
  }
  void shut(std::uint64_t id = kDoor) { bed_.block(id, Box{{12.5, 3.5}, 1, 1, 0}); }
  void open() { bed_.free(kDoor); }
  double cost() const { return units_from_route_cost(bed_.view().held_cost); }
  RouteBed bed_;
};

TEST_F(Recall, ADoorTakesOneSearchHoweverOftenItShuts) {
  double round_the_wall = 0;
  for (int times = 0; times < 5; ++times) {
    shut();
    EXPECT_EQ(kinds_of(bed_.settle()),
              (std::vector{EventType::kInvalidated, EventType::kReplanned}));
    EXPECT_EQ(bed_.searches(), 2u);
    if (times == 0) round_the_wall = cost();
    EXPECT_DOUBLE_EQ(cost(), round_the_wall);
    open();
    const auto events = bed_.settle();
    ASSERT_EQ(kinds_of(events), std::vector{EventType::kImproved});
    EXPECT_EQ(events[0].path->optimality, Optimality::kOptimal);
    EXPECT_EQ(bed_.searches(), 2u);
    EXPECT_DOUBLE_EQ(cost(), 20);
  }
  EXPECT_GT(round_the_wall, 24);
}

TEST_F(Recall, WhoWasCutOffFindsItsWayAgain) {
  bed_.block(2, Box{{12.5, 11.5}, 1, 1, 0});
  shut();
  EXPECT_EQ(kinds_of(bed_.settle()),
            (std::vector{EventType::kInvalidated, EventType::kUnreachable}));
  open();
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kNewPath});
  EXPECT_EQ(bed_.searches(), 1u);
  EXPECT_DOUBLE_EQ(cost(), 20);
}

TEST_F(Recall, NobodyWaitsForWhatHadNotBeenInTheWay) {
  shut();
  bed_.settle();
  // On the straight line from the agent to the hole's far side, beside its path round the corner.
  bed_.block(2, Box{{16, 6}, 0.5, 0.5, 0});
  EXPECT_EQ(bed_.view().waiting, false);
  bed_.free(2);
  EXPECT_EQ(bed_.view().waiting, false);
  EXPECT_EQ(bed_.searches(), 2u);
}

TEST_F(Recall, WhatWasThereBeforeTheProofWakes) {
  shut();
  bed_.settle();
  bed_.put({2, 3.5, 0}, {22, 3.4, 0});
  bed_.settle();
  open();
  EXPECT_TRUE(bed_.view().waiting);
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kImproved});
}

TEST_F(Recall, TwoWhoShutOneDoorBothHaveToGo) {
  shut(2);
  bed_.settle();
  shut();
  bed_.settle();
  bed_.free(2);
  EXPECT_FALSE(bed_.view().waiting) << "nothing opened";
  open();
  EXPECT_TRUE(bed_.view().waiting);
  EXPECT_EQ(kinds_of(bed_.settle()), std::vector{EventType::kImproved});
  EXPECT_EQ(bed_.searches(), 2u);
  EXPECT_DOUBLE_EQ(cost(), 20);
}

TEST_F(Recall, WhoLeftTheWayHasLostIt) {
  shut();
  bed_.settle();
  const AgentView view = bed_.view();
  ASSERT_GT(view.verdict.path->points.size(), 2u);
  const Spot corner = view.verdict.path->points[1].at;
  bed_.report({0.7 * 2 + 0.3 * corner.x, 0.7 * 3.5 + 0.3 * corner.z, 0});
  open();
  bed_.settle();
  EXPECT_EQ(bed_.searches(), 3u);
}

TEST(RecallOnTheWay, WhoWalksOnAlongBothKeepsIt) {
  std::vector<std::string> rows(12, std::string(24, '.'));
  for (std::size_t z = 1; z < 12; ++z) {
    if (z != 3) rows[z][12] = '#';
    if (z >= 6) rows[z][6] = '#';  // its corner is on all paths
  }
  RouteBed bed(*NavWorld::create({.name = "w", .mesh = test::squares(rows), .profiles = {}}));
  bed.put({2, 10.5, 0}, {22, 3.5, 0});
  bed.settle();
  const Cost before = bed.view().held_cost;
  bed.block(kDoor, Box{{12.5, 3.5}, 1, 1, 0});
  bed.report({3, 9.375, 0});  // the agent is followed even when its path is broken
  bed.settle();
  EXPECT_EQ(bed.searches(), 2u);
  bed.report({4, 8.25, 0});
  bed.free(kDoor);
  EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kImproved});
  EXPECT_EQ(bed.searches(), 2u);
  EXPECT_NEAR(units_from_route_cost(before - bed.view().held_cost), std::hypot(2, 2.25), 1e-6);
}

// The best path with the door shut is not the best one behind the door.
TEST(RecallOnTheWay, WhoWalkedThroughTheDoorHasABetterOne) {
  RouteBed bed(two_halls());
  bed.block(kDoor, Box{{12.5, 3.5}, 1, 1, 0});
  bed.put({2, 3.5, 0}, {14, 3.5, 0});
  bed.settle();  // through the hole, because the door is shut
  const Cost round_the_wall = bed.view().held_cost;
  bed.free(kDoor);
  bed.settle();
  EXPECT_LT(bed.view().held_cost, round_the_wall);
  bed.report({13.75, 3.5, 0});
  bed.block(kDoor, Box{{12.5, 3.5}, 1, 1, 0});
  EXPECT_FALSE(bed.view().waiting);
  bed.block(2, Box{{13.9, 3.5}, 0.05, 3, 0});
  bed.settle();
  const AgentView view = bed.view();
  EXPECT_EQ(view.verdict.path->optimality, Optimality::kOptimal);
  EXPECT_LT(view.held_cost, round_the_wall / 2);
}

TEST_F(Recall, OtherGoalsAreOthers) {
  shut();
  bed_.settle();
  bed_.put({2, 3.5, 0}, {22, 8.5, 0});
  bed_.settle();
  const std::uint64_t searches = bed_.searches();
  open();
  bed_.settle();
  EXPECT_EQ(bed_.searches(), searches + 1);
  EXPECT_LT(cost(), 22);
}

TEST_F(Recall, SomethingElseThatOpenedIsLookedAt) {
  bed_.block(2, Box{{6, 3.5}, 1, 2, 0});
  bed_.settle();
  bed_.put({2, 3.5, 0}, {22, 3.6, 0});  // has been there since before any change
  bed_.settle();
  const std::uint64_t searches = bed_.searches();
  shut();
  bed_.settle();
  bed_.free(2);
  bed_.settle();
  open();
  bed_.settle();
  EXPECT_GT(bed_.searches(), searches + 1);
  EXPECT_NEAR(cost(), 20, 0.001);
}

}  // namespace
}  // namespace repath
