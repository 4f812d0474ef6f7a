// An upsert of a known agent. The same question in another form keeps path and verdict; another
// question ends the older verdict at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/engine/route_bed.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::SmallWorld;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<EventType> kinds_of(const std::vector<AgentEvent>& events) {
  std::vector<EventType> kinds;
  for (const AgentEvent& e : events) kinds.push_back(e.type);
  return kinds;
}

const std::vector<std::string_view> kOneGap = {".........",  //
                                               "....#....",  //
                                               "........."};

AgentSpec asker() {
  return SmallWorld::walker(7, SmallWorld::centre(0, 0), SmallWorld::centre(8, 0));
}

AgentSpec put_another_way(AgentSpec spec) {
  spec.priority = 5;
  spec.max_staleness_ms = 20;
  spec.confirm = true;
  spec.goal_generation = 4;
  return spec;
}

TEST(Questions, TheSameOneKeepsPathAndVerdict) {
  SmallWorld world(kOneGap);
  world.put(asker());
  world.settle();
  world.put(put_another_way(asker()));
  EXPECT_THAT(world.events(), IsEmpty());
  AgentView view = *world->agent(AgentId{7});
  EXPECT_FALSE(view.waiting);
  EXPECT_EQ(view.spec.priority, 5u);
  ASSERT_TRUE(view.has_verdict);
  EXPECT_EQ(view.verdict.path->nodes.size(), 9u);
  EXPECT_EQ(view.verdict.goal_generation, 4u);
  // A closed step is reported at once, and `confirm` is that of the latest upsert.
  world.block(1, {4, 0, 5, 1});
  const auto events = world.events();
  ASSERT_THAT(kinds_of(events), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(events[0].goal_generation, 4u);
  world.settle();
  world.block(2, {0, 2, 1, 3});
  EXPECT_THAT(kinds_of(world.events()), ElementsAre(EventType::kConfirmed));
  world.put(asker());
  world.block(3, {1, 2, 2, 3});
  EXPECT_THAT(world.events(), IsEmpty());
}

TEST(Questions, OneThatWaitsIsServedAsAskedLast) {
  SmallWorld world(kOneGap);
  world.put(asker());
  AgentSpec other = asker();
  other.id = AgentId{8};
  other.goals = {SmallWorld::centre(8, 2)};
  world.put(other);
  other.priority = 7;
  world.put(other);
  const auto events = world.settle();
  ASSERT_THAT(kinds_of(events), ElementsAre(EventType::kNewPath, EventType::kNewPath));
  EXPECT_EQ(events[0].agent, AgentId{8});
  EXPECT_EQ(events[0].reason, EventReason::kNewAgent);
}

TEST(Questions, ItsDeadlineFollowsTheNewStaleness) {
  SmallWorld world(kOneGap);
  world.put(asker());
  AgentSpec sooner = asker();
  sooner.max_staleness_ms = 1;
  world.put(sooner);
  EXPECT_EQ(world->waiting(std::nullopt, 2'000).late, 1u);
  world.put(asker());
  EXPECT_EQ(world->waiting(std::nullopt, 2'000).late, 0u);
}

TEST(Questions, AnotherOneEndsTheOlderVerdictAtOnce) {
  SmallWorld world(kOneGap);
  AgentSpec spec = asker();
  spec.goal_generation = 1;
  world.put(spec);
  world.settle();
  spec.goals = {SmallWorld::centre(8, 2)};
  spec.goal_generation = 2;
  world.put(spec);
  const auto at_once = world.events();
  ASSERT_THAT(kinds_of(at_once), ElementsAre(EventType::kAsked));
  EXPECT_EQ(at_once[0].agent, AgentId{7});
  EXPECT_EQ(at_once[0].owner, OwnerId{1});
  EXPECT_EQ(at_once[0].goal_generation, 2u);
  EXPECT_FALSE(world->latest_verdict(AgentId{7}).has_value());
  EXPECT_FALSE(world->agent(AgentId{7})->has_verdict);
  EXPECT_FALSE(world->agent(AgentId{7})->verdict.path.has_value());
  const auto later = world.settle();
  ASSERT_THAT(kinds_of(later), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(later[0].goal_generation, 2u);
  EXPECT_EQ(later[0].reason, EventReason::kAgentChanged);
}

TEST(Questions, APathThatBreaksTwiceHasNoCostTheSecondTime) {
  SmallWorld world(kOneGap);
  world.put(asker());
  world.settle();
  world.block(1, {6, 0, 7, 3});
  auto events = world.events();
  ASSERT_THAT(kinds_of(events), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(events[0].old_cost, 8 * kStraightStep);
  world.block(2, {2, 0, 3, 3});
  events = world.events();
  ASSERT_THAT(kinds_of(events), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(events[0].old_cost, 0u);
}

TEST(RouteQuestions, TheSameOneKeepsPathAndVerdict) {
  test::RouteBed bed(test::plane());
  const AgentSpec spec = test::RouteBed::walker(7, {10, 20, 0}, {90, 20, 0});
  bed.put(spec);
  bed.settle();
  bed.put(put_another_way(spec));
  EXPECT_THAT(bed.events(), IsEmpty());
  AgentView view = *bed->agent(AgentId{7});
  EXPECT_FALSE(view.waiting);
  EXPECT_EQ(view.verdict.path->points.size(), 2u);
  EXPECT_EQ(view.verdict.goal_generation, 4u);
  bed.put_block(1, {50, 10, 52, 30});
  const auto events = bed.events();
  ASSERT_THAT(kinds_of(events), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(events[0].goal_generation, 4u);
}

TEST(RouteQuestions, APathThatBreaksTwiceHasNoCostTheSecondTime) {
  test::RouteBed bed(test::plane());
  bed.put_block(1, {50, 10, 52, 30});
  bed.put(test::RouteBed::walker(7, {10, 19, 0}, {90, 19, 0}));
  bed.settle();
  bed.put_block(2, {70, 10, 72, 20});
  auto events = bed.events();
  ASSERT_THAT(kinds_of(events), ElementsAre(EventType::kInvalidated));
  EXPECT_GT(test::length_of(events[0].old_cost), 80);
  bed.put_block(3, {30, 10, 32, 20});
  events = bed.events();
  ASSERT_THAT(kinds_of(events), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(events[0].old_cost, 0u);
}

TEST(RouteQuestions, AnotherOneEndsTheOlderVerdictAtOnce) {
  test::RouteBed bed(test::plane());
  AgentSpec spec = test::RouteBed::walker(7, {10, 20, 0}, {90, 20, 0});
  bed.put(spec);
  bed.settle();
  spec.goals = {{90, 30, 0}};
  spec.goal_generation = 2;
  bed.put(spec);
  const auto at_once = bed.events();
  ASSERT_THAT(kinds_of(at_once), ElementsAre(EventType::kAsked));
  EXPECT_EQ(at_once[0].goal_generation, 2u);
  EXPECT_FALSE(bed->latest_verdict(AgentId{7}).has_value());
  EXPECT_FALSE(bed->agent(AgentId{7})->has_verdict);
  const auto later = bed.settle();
  ASSERT_THAT(kinds_of(later), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(later[0].goal_generation, 2u);
}

TEST(RouteQuestions, OneThatWaitsIsServedAsAskedLast) {
  test::RouteBed bed(test::plane());
  bed.put(test::RouteBed::walker(7, {10, 20, 0}, {90, 20, 0}));
  AgentSpec other = test::RouteBed::walker(8, {10, 21, 0}, {90, 21, 0});
  bed.put(other);
  other.priority = 7;
  other.max_staleness_ms = 1;
  bed.put(other);
  EXPECT_EQ(bed->waiting(std::nullopt, 2'000).late, 1u);
  const auto events = bed.settle();
  ASSERT_THAT(kinds_of(events), ElementsAre(EventType::kNewPath, EventType::kNewPath));
  EXPECT_EQ(events[0].agent, AgentId{8});
}

}  // namespace
}  // namespace repath
