// Each row of the table of events (server/docs/promise.md) on continuous ground, by the smallest
// world that shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/engine/route_bed.h"

namespace repath {
namespace {

using test::length_of;
using test::plane;
using test::PlaneBlock;
using test::RouteBed;
using test::types_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// An agent goes from side to side; a wall across the middle leaves gaps above and below it.
const PlaneBlock kWall{50, 10, 52, 35};
const PlaneBlock kAcross{50, -1, 52, 41};  // no gaps
const PlaneBlock kAside{80, 38, 82, 40};
AgentSpec crosser() { return RouteBed::walker(7, {10, 20, 0}, {90, 20, 0}); }

TEST(RouteEvents, ANewAgentGetsARouteFromTheQueue) {
  RouteBed bed(plane());
  bed.put(crosser());
  EXPECT_THAT(bed.events(), IsEmpty());
  EXPECT_EQ(bed->settled_revision(OwnerId{1}), Revision{0});
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kNewAgent);
  EXPECT_DOUBLE_EQ(length_of(events[0].cost), 80);
  EXPECT_EQ(events[0].spot, (Spot{10, 0, 20}));
  ASSERT_TRUE(events[0].path);
  EXPECT_EQ(events[0].path->optimality, Optimality::kOptimal);
  EXPECT_EQ(events[0].path->points.size(), 2u);
  EXPECT_THAT(events[0].path->nodes, IsEmpty());
  EXPECT_EQ(bed->settled_revision(OwnerId{1}), Revision{1});
}

TEST(RouteEvents, ABrokenLegIsToldAtOnceAndReplannedLater) {
  RouteBed bed(plane());
  bed.put(crosser());
  bed.settle();
  EXPECT_EQ(bed.put_block(3, kWall).invalidated_agents, 1u);
  const auto at_once = bed.events();
  ASSERT_THAT(types_of(at_once), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(at_once[0].first_invalid_waypoint, 1u);
  EXPECT_EQ(at_once[0].first_invalid_node, std::nullopt);
  EXPECT_THAT(at_once[0].cause_obstacles, ElementsAre(ObstacleId{3}));
  EXPECT_THAT(at_once[0].cause_revisions, ElementsAre(Revision{2}));
  EXPECT_EQ(bed->settled_revision(OwnerId{1}), Revision{1});
  const auto later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kReplanned));
  EXPECT_GT(later[0].path_version, at_once[0].path_version);
  EXPECT_THAT(later[0].cause_obstacles, ElementsAre(ObstacleId{3}));
  EXPECT_EQ(later[0].path->points.size(), 4u);
}

TEST(RouteEvents, AWaitingAgentIsToldThatItsRouteBroke) {
  RouteBed bed(plane());
  bed.put_block(1, kWall);
  bed.put(crosser());
  bed.settle();
  bed.shut(1, false);  // a better path opens, so the agent waits
  ASSERT_EQ(bed->waiting(std::nullopt, bed.now).agents, 1u);
  ASSERT_THAT(bed.events(), IsEmpty());
  bed.put_block(2, {60, 1, 62, 39});
  EXPECT_THAT(types_of(bed.events()), ElementsAre(EventType::kInvalidated));
  EXPECT_THAT(types_of(bed.settle()), ElementsAre(EventType::kReplanned));
}

TEST(RouteEvents, OnlyTheLegThatIsBrokenIsNamed) {
  RouteBed bed(plane());
  bed.put_block(1, kWall);
  bed.put(crosser());
  const auto first = bed.settle();
  ASSERT_EQ(first[0].path->points.size(), 4u) << "around the wall's lower corners";
  ChangeBatch batch;
  batch.upsert_obstacles = {RouteBed::block(2, {70, 8, 71, 30}), RouteBed::block(3, kAside)};
  bed.apply(batch);
  const auto events = bed.events();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(events[0].first_invalid_waypoint, 3u);
  EXPECT_THAT(events[0].cause_obstacles, ElementsAre(ObstacleId{2}));
}

TEST(RouteEvents, AnOpeningElsewhereImproves) {
  RouteBed bed(plane());
  bed.put_block(1, kWall);
  bed.put(crosser());
  bed.settle();
  bed.shut(1, false);
  EXPECT_THAT(bed.events(), IsEmpty());
  const auto later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kImproved));
  EXPECT_DOUBLE_EQ(length_of(later[0].cost), 80);
  EXPECT_GT(later[0].old_cost, later[0].cost);
  EXPECT_THAT(later[0].cause_obstacles, ElementsAre(ObstacleId{1}));
}

TEST(RouteEvents, WhatOpensOutOfTheWayIsSettledWithoutASearch) {
  RouteBed bed(plane());
  bed.put_block(1, kAside);
  bed.put(crosser());
  bed.settle();
  const std::uint64_t searches = bed->stats().strategies[0].searches;
  bed.shut(1, false);
  EXPECT_EQ(bed->waiting(std::nullopt, bed.now).agents, 0u);
  EXPECT_EQ(bed->settled_revision(std::nullopt), Revision{3});
  EXPECT_EQ(bed->stats().strategies[0].searches, searches);
  EXPECT_EQ(bed->stats().filter_settled, 1u);
}

TEST(RouteEvents, HysteresisKeepsARouteThatIsGoodEnough) {
  RouteBed bed(plane());
  bed.put_block(1, kWall);
  AgentSpec patient = crosser();
  patient.min_improvement_ratio = 0.5;
  bed.put(patient);
  bed.settle();
  bed.shut(1, false);
  EXPECT_THAT(bed.settle(), IsEmpty());
  EXPECT_EQ(bed->settled_revision(std::nullopt), Revision{3});
  const auto view = bed->agent(AgentId{7});
  EXPECT_EQ(view->verdict.path->optimality, Optimality::kWithin);
  EXPECT_GT(view->verdict.path->allowance, 0u);
}

TEST(RouteEvents, ABoundIsClaimedAndKept) {
  RouteBed bed(plane(1, 0.8));
  bed.put(crosser());
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].path->optimality, Optimality::kBounded);
  EXPECT_NEAR(events[0].path->weight, 1.25, 1e-6);
  bed.put_block(1, kAside);
  bed.shut(1, false);  // the bound already shows that a path past it costs more
  EXPECT_EQ(bed->waiting(std::nullopt, bed.now).agents, 0u);
}

TEST(RouteEvents, UnreachableIsToldAndItsEndToo) {
  RouteBed bed(plane());
  bed.put(crosser());
  bed.settle();
  bed.put_block(1, kAcross);
  bed.events();
  const auto cut = bed.settle();
  ASSERT_THAT(types_of(cut), ElementsAre(EventType::kUnreachable));
  EXPECT_EQ(cut[0].path->state, PathState::kUnreachable);
  bed.put_block(2, kAside);
  bed.shut(2, false);
  EXPECT_EQ(bed->waiting(std::nullopt, bed.now).agents, 0u) << "it opens nothing";
  bed.shut(1, false);
  const auto open = bed.settle();
  ASSERT_THAT(types_of(open), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(open[0].reason, EventReason::kReachableAgain);
}

TEST(RouteEvents, ABlockedGoalIsToldApart) {
  RouteBed bed(plane());
  bed.put_block(1, {89, 19, 91, 21});
  bed.put(crosser());
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kUnreachable));
  EXPECT_EQ(events[0].path->state, PathState::kGoalBlocked);
  bed.shut(1, false);
  const auto open = bed.settle();
  ASSERT_THAT(types_of(open), ElementsAre(EventType::kNewPath));
  EXPECT_THAT(open[0].cause_obstacles, ElementsAre(ObstacleId{1}));
}

TEST(RouteEvents, AGoalThatIsCoveredBreaksTheRoute) {
  RouteBed bed(plane());
  bed.put(crosser());
  bed.settle();
  bed.put_block(1, {89, 19, 91, 21});
  EXPECT_THAT(types_of(bed.events()), ElementsAre(EventType::kInvalidated));
  const auto later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kUnreachable));
  EXPECT_EQ(later[0].path->state, PathState::kGoalBlocked);
}

TEST(RouteEvents, AGoalThatMovesWithinItsRadiusIsReplanned) {
  RouteBed bed(plane());
  AgentSpec wide = crosser();
  wide.goal_radius = 5;
  bed.put(wide);
  bed.settle();
  bed.put_block(1, {88, 19, 92, 23});
  bed.events();
  auto later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kReplanned));
  EXPECT_EQ(later[0].path->points.back().at, (Spot{90, 0, 19}));
  EXPECT_THAT(later[0].cause_obstacles, ElementsAre(ObstacleId{1}));
  bed.shut(1, false);
  EXPECT_THAT(bed.events(), IsEmpty()) << "the held route may be walked still";
  EXPECT_EQ(bed->waiting(std::nullopt, bed.now).agents, 1u);
  later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kReplanned));
  EXPECT_EQ(later[0].path->points.back().at, (Spot{90, 0, 20}));
  EXPECT_THAT(later[0].cause_obstacles, ElementsAre(ObstacleId{1}));
}

TEST(RouteEvents, ANearerGoalThatIsUncoveredImproves) {
  RouteBed bed(plane());
  bed.put_block(1, {29, 19, 31, 21});
  AgentSpec spec = crosser();
  spec.goals.push_back({30, 20, 0});
  bed.put(spec);
  bed.settle();
  bed.shut(1, false);
  const auto later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kImproved));
  EXPECT_DOUBLE_EQ(length_of(later[0].cost), 20);
  EXPECT_THAT(later[0].cause_obstacles, ElementsAre(ObstacleId{1}));
}

TEST(RouteEvents, PartialLeadsToTheNearestReachablePlace) {
  RouteBed bed(plane());
  bed.put_block(1, kAcross);
  bed.put_block(2, {45, 18, 48, 22});
  AgentSpec modest = crosser();
  modest.allow_partial = true;
  bed.put(modest);
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kPartial));
  EXPECT_EQ(events[0].path->state, PathState::kPartial);
  EXPECT_EQ(events[0].path->points.back().at.x, 48);
  bed.put_block(3, kAside);
  bed.shut(3, false);
  EXPECT_THAT(bed.settle(), IsEmpty()) << "looked at again, and the same";
  bed.shut(1, false);
  EXPECT_THAT(types_of(bed.settle()), ElementsAre(EventType::kNewPath));
}

TEST(RouteEvents, AnAgentInANewObstacleIsToldAtOnce) {
  RouteBed bed(plane());
  bed.put(crosser());
  bed.settle();
  bed.put_block(1, {9, 19, 11, 21});
  const auto at_once = bed.events();
  ASSERT_THAT(types_of(at_once), ElementsAre(EventType::kStartBlocked));
  EXPECT_THAT(at_once[0].cause_obstacles, ElementsAre(ObstacleId{1}));
  EXPECT_THAT(bed.settle(), IsEmpty());
  EXPECT_EQ(bed->settled_revision(std::nullopt), Revision{2});
  bed.shut(1, false);
  const auto free = bed.settle();
  ASSERT_THAT(types_of(free), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(free[0].reason, EventReason::kStartFreeAgain);
  EXPECT_THAT(free[0].cause_obstacles, ElementsAre(ObstacleId{1}));
}

TEST(RouteEvents, ASnappedStartGetsARouteFromTheNearestPlace) {
  RouteBed bed(plane());
  AgentSpec snapper = crosser();
  snapper.snap_start = true;
  bed.put(snapper);
  bed.settle();
  bed.put_block(1, {5, 15, 11, 25});
  EXPECT_THAT(types_of(bed.events()), ElementsAre(EventType::kStartBlocked));
  auto later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(later[0].path->state, PathState::kStartBlocked);
  EXPECT_EQ(later[0].path->points.front().at, (Spot{11, 0, 20}));
  EXPECT_EQ(later[0].spot, (Spot{10, 0, 20}));
  bed.shut(1, false);
  later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(later[0].reason, EventReason::kStartFreeAgain);
  EXPECT_EQ(later[0].path->state, PathState::kComplete);
}

TEST(RouteEvents, ConfirmationsComeOnlyWhenAskedFor) {
  RouteBed bed(plane());
  AgentSpec anxious = crosser();
  anxious.confirm = true;
  bed.put(anxious);
  AgentSpec calm = crosser();
  calm.id = AgentId{8};
  bed.put(calm);
  bed.settle();
  bed.put_block(1, kAside);
  const auto events = bed.events();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kConfirmed));
  EXPECT_EQ(events[0].agent, AgentId{7});
  EXPECT_EQ(events[0].revision, Revision{2});
}

TEST(RouteEvents, OtherTeamsDoNotMind) {
  RouteBed bed(plane());
  bed.put(crosser());
  bed.settle();
  ChangeBatch batch;
  batch.upsert_obstacles = {RouteBed::block(1, kWall)};
  batch.upsert_obstacles[0].teams = 2;
  bed.apply(batch);
  EXPECT_THAT(bed.events(), IsEmpty());
  EXPECT_EQ(bed->settled_revision(std::nullopt), Revision{2});
}

TEST(RouteEvents, WalkingProvesItselfAndLeavingTheRouteIsAnswered) {
  RouteBed bed(plane());
  bed.put(crosser());
  bed.settle();
  bed.report(7, {40.5, 20.05, 0});
  EXPECT_EQ(bed->waiting(std::nullopt, bed.now).agents, 0u) << "a little beside is on it";
  EXPECT_EQ(bed->agent(AgentId{7})->spot, (Spot{40.5, 0, 20}));
  EXPECT_NEAR(length_of(bed->agent(AgentId{7})->held_cost), 49.5, 1e-6);
  bed.report(7, {40.5, 20.2, 0});
  EXPECT_EQ(bed->settled_revision(OwnerId{1}), Revision{0});
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kOffPath);
  EXPECT_EQ(events[0].path->points.front().at, (Spot{40.5, 0, 20.2}));
}

TEST(RouteEvents, WhatIsBehindTheWalkerDoesNotConcernIt) {
  RouteBed bed(plane());
  bed.put(crosser());
  bed.settle();
  bed.report(7, {60, 20, 0});
  bed.put_block(1, kWall);
  EXPECT_THAT(bed.events(), IsEmpty());
  bed.put_block(2, {70, 10, 71, 30});
  const auto events = bed.events();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kInvalidated));
  EXPECT_NEAR(length_of(events[0].old_cost), 30, 1e-6);
}

TEST(RouteEvents, FollowingAnOlderRouteIsNoStrayingUntilTheNewerIsAcknowledged) {
  RouteBed bed(plane());
  bed.put(crosser());
  const PathVersion first = bed.settle()[0].path_version;
  bed.put_block(1, kWall);
  const PathVersion second = bed.settle().back().path_version;
  bed.report(7, {30, 20, 0}, first);
  auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kReplanned));
  bed->acknowledge(AgentId{7}, events[0].path_version);
  bed.report(7, {32, 21, 0}, second);
  events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kOffPath);
}

TEST(RouteEvents, RemovedIsToldWithItsReason) {
  RouteBed bed(plane());
  bed.put(crosser());
  bed->step(1, bed.now);
  EXPECT_EQ(bed->remove_owner(OwnerId{1}, EventReason::kSessionExpired), 1u);
  const auto events = bed.events();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().type, EventType::kRemoved);
  EXPECT_EQ(events.back().reason, EventReason::kSessionExpired);
  EXPECT_EQ(bed->agent_count(), 0u);
  EXPECT_THAT(bed.settle(), IsEmpty());
}

TEST(RouteEvents, AnUnchangedAgentKeepsItsVerdictAChangedOneWaits) {
  RouteBed bed(plane());
  bed.put(crosser());
  bed.settle();
  bed.put(crosser());
  EXPECT_EQ(bed->waiting(std::nullopt, bed.now).agents, 0u);
  AgentSpec elsewhere = crosser();
  elsewhere.goals = {{90, 30, 0}};
  bed.put(elsewhere);
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kAsked, EventType::kNewPath));
  EXPECT_EQ(events[1].reason, EventReason::kAgentChanged);
}

}  // namespace
}  // namespace repath
