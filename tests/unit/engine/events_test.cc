// Each row of the table of events (server/docs/promise.md), by the smallest world that shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "grid_ground/path_search.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::SmallWorld;
using test::types;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The path from left to right leads through the gap at (4, 0); the one through (4, 4) is longer.
const std::vector<std::string_view> kTwoGaps = {
    "...."
    ".....",      //
    "....#....",  //
    "....#....",  //
    "....#....",  //
    "........."};
constexpr CellRect kUpperGap{4, 0, 5, 1};
constexpr CellRect kLowerGap{4, 4, 5, 5};

AgentSpec crosser() {
  return SmallWorld::walker(7, SmallWorld::centre(0, 0), SmallWorld::centre(8, 0));
}

TEST(Events, ANewAgentGetsAPathFromTheQueue) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  EXPECT_THAT(world.events(), IsEmpty());
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{0});
  const auto events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kNewAgent);
  EXPECT_EQ(events[0].cost, 8 * kStraightStep);
  EXPECT_EQ(events[0].path->optimality, Optimality::kOptimal);
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{1});
}

TEST(Events, AClosedStepIsToldAtOnceAndReplannedLater) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  world.settle();
  const ChangeAnswer answer = world.block(3, kUpperGap);
  EXPECT_EQ(answer.invalidated_agents, 1u);
  const auto at_once = world.events();
  ASSERT_THAT(types(at_once), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(at_once[0].first_invalid_node, 4u);
  EXPECT_EQ(at_once[0].first_invalid_waypoint, 1u);
  EXPECT_THAT(at_once[0].cause_obstacles, ElementsAre(ObstacleId{3}));
  EXPECT_THAT(at_once[0].cause_revisions, ElementsAre(Revision{2}));
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{1});
  const auto later = world.settle();
  ASSERT_THAT(types(later), ElementsAre(EventType::kReplanned));
  EXPECT_GT(later[0].path_version, at_once[0].path_version);
  EXPECT_THAT(later[0].cause_obstacles, ElementsAre(ObstacleId{3}));
}

// Two obstacles of a batch cover the cell.
TEST(Events, TheCauseIsTheObstacleThatShutTheCell) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  world.settle();
  ChangeBatch batch;
  batch.upsert_obstacles = {{ObstacleId{1}, kUpperGap, Effect{.blocked = false, .factor = 2}},
                            {ObstacleId{2}, kUpperGap, Effect{}}};
  world.apply(batch);
  auto events = world.events();
  ASSERT_THAT(types(events), ElementsAre(EventType::kInvalidated));
  EXPECT_THAT(events[0].cause_obstacles, ElementsAre(ObstacleId{2}));
  world.settle();

  batch = {};
  batch.remove_obstacles = {ObstacleId{1}, ObstacleId{2}};
  world.apply(batch);
  events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kImproved));
  EXPECT_THAT(events[0].cause_obstacles, ElementsAre(ObstacleId{1}))
      << "both were in the way of the cheaper path";

  world.weigh(1, kUpperGap, 1.5);
  world.settle();
  batch = {};
  batch.remove_obstacles = {ObstacleId{1}};
  batch.upsert_obstacles = {{ObstacleId{2}, kUpperGap, Effect{}}};
  world.apply(batch);
  events = world.events();
  ASSERT_THAT(types(events), ElementsAre(EventType::kInvalidated));
  EXPECT_THAT(events[0].cause_obstacles, ElementsAre(ObstacleId{2}));
}

TEST(Events, AWaitingAgentIsToldThatItsPathClosed) {
  SmallWorld world(kTwoGaps);
  world.weigh(1, {2, 0, 3, 1}, 20);
  world.put(crosser());
  world.settle();
  world.weigh(1, {2, 0, 3, 1}, 1);  // a better path opens, so the agent waits
  ASSERT_EQ(world->waiting(std::nullopt, world.now).agents, 1u);
  world.events();
  world.block(2, {6, 0, 9, 4});
  EXPECT_THAT(types(world.events()), ::testing::Contains(EventType::kInvalidated));
}

// The agent has been waiting since an older change, but these events are about new ones.
TEST(Events, AtOnceNoTimeHasPassed) {
  SmallWorld world(kTwoGaps);
  world.weigh(1, {2, 0, 3, 1}, 20);
  world.put(crosser());
  world.settle();
  world.weigh(1, {2, 0, 3, 1}, 1);  // a better path opens
  for (int frame = 0; frame < 30; ++frame) world->step(0, world.now += 16'000);
  ASSERT_TRUE(world->agent(AgentId{7})->waiting);
  world.weigh(2, {7, 0, 8, 5}, 2);
  world.block(3, {6, 0, 7, 4});
  world.block(4, {0, 0, 1, 1});
  world->remove_owner(OwnerId{1}, EventReason::kRemovedByClient);
  const auto events = world.events();
  EXPECT_THAT(types(events), ElementsAre(EventType::kCostChanged, EventType::kInvalidated,
                                         EventType::kStartBlocked, EventType::kRemoved));
  for (const AgentEvent& event : events) {
    EXPECT_EQ(event.waited_frames, 0u);
    EXPECT_EQ(event.waited_us, 0u);
  }
}

TEST(Events, ADearerStepIsToldAtOnceWithItsCost) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  world.settle();
  world.weigh(1, {2, 0, 3, 5}, 2);
  const auto at_once = world.events();
  ASSERT_THAT(types(at_once), ElementsAre(EventType::kCostChanged));
  EXPECT_EQ(at_once[0].old_cost, 8 * kStraightStep);
  EXPECT_EQ(at_once[0].cost, 9 * kStraightStep);
  EXPECT_THAT(world.settle(), IsEmpty()) << "every way got dearer, so the held one is still best";
}

TEST(Events, ADearerStepWithAWayRoundIsReplanned) {
  SmallWorld world({"........", "........"});
  world.put(SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(7, 0)));
  world.settle();
  world.weigh(1, {3, 0, 4, 1}, 9);
  EXPECT_THAT(types(world.events()), ElementsAre(EventType::kCostChanged));
  EXPECT_THAT(types(world.settle()), ElementsAre(EventType::kReplanned));
}

TEST(Events, AnOpeningElsewhereImproves) {
  SmallWorld world(kTwoGaps);
  world.block(1, kUpperGap);
  world.put(crosser());
  world.settle();
  world.shut(1, false);
  EXPECT_THAT(world.events(), IsEmpty());
  const auto later = world.settle();
  ASSERT_THAT(types(later), ElementsAre(EventType::kImproved));
  EXPECT_EQ(later[0].cost, 8 * kStraightStep);
  EXPECT_GT(later[0].old_cost, later[0].cost);
}

TEST(Events, HysteresisKeepsAPathThatIsGoodEnough) {
  SmallWorld world(kTwoGaps);
  world.block(1, kUpperGap);
  AgentSpec patient = crosser();
  patient.min_improvement_ratio = 0.5;
  world.put(patient);
  world.settle();
  world.shut(1, false);
  EXPECT_THAT(world.settle(), IsEmpty());
  EXPECT_EQ(world->settled_revision(std::nullopt), Revision{3});
}

TEST(Events, UnreachableIsToldAndItsEndToo) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  world.settle();
  world.block(1, kUpperGap);
  world.block(2, kLowerGap);
  world.events();
  const auto cut = world.settle();
  ASSERT_THAT(types(cut), ElementsAre(EventType::kUnreachable));
  EXPECT_EQ(cut[0].path->state, PathState::kUnreachable);
  world.shut(2, false);
  const auto open = world.settle();
  ASSERT_THAT(types(open), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(open[0].reason, EventReason::kReachableAgain);
}

// Labels are used once a search has cost as much as they do, so it does not reach all of the 8,000
// corners on its side.
TEST(Events, UnreachableIsToldBeforeASearchHasGoneEverywhere) {
  constexpr std::size_t kSide = 256;
  std::vector<std::string> map(kSide, std::string(kSide, '.'));
  for (std::size_t y = 2; y < kSide; y += 4)
    for (std::size_t x = 2; x < kSide; x += 4) map[y][x] = '#';
  SmallWorld world(std::vector<std::string_view>(map.begin(), map.end()));
  world.put(SmallWorld::walker(7, SmallWorld::centre(64, 128), SmallWorld::centre(192, 130)));
  world.settle();
  const auto expansions = [&] {
    const auto jumps = static_cast<std::size_t>(SearchKind::kJump);
    return world->stats().strategies[jumps].expansions;
  };
  const std::uint64_t before = expansions();
  world.block(1, {128, 0, 129, kSide});
  world.events();
  ASSERT_THAT(types(world.settle()), ElementsAre(EventType::kUnreachable));
  EXPECT_GT(expansions(), before);
  EXPECT_LT(expansions(), before + 1000);
}

TEST(Events, ABlockedGoalIsToldApart) {
  SmallWorld world(kTwoGaps);
  world.block(1, {8, 0, 9, 1});
  world.put(crosser());
  const auto events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kUnreachable));
  EXPECT_EQ(events[0].path->state, PathState::kGoalBlocked);
}

TEST(Events, AGoalThatOpensOrClosesBehindAWallShowsInTheLatestVerdict) {
  SmallWorld world(kTwoGaps);
  world.block(1, kUpperGap);
  world.block(2, kLowerGap);
  world.block(3, {8, 0, 9, 1});
  world.put(crosser());
  ASSERT_THAT(types(world.settle()), ElementsAre(EventType::kUnreachable));
  const auto latest = [&] {
    const std::optional<AgentEvent> verdict = world->latest_verdict(crosser().id);
    EXPECT_EQ(verdict->revision, world->revision());
    return verdict->path->state;
  };
  EXPECT_EQ(latest(), PathState::kGoalBlocked);
  world.shut(3, false);
  EXPECT_TRUE(world.settle().empty()) << "it is no news";
  EXPECT_EQ(latest(), PathState::kUnreachable);
  world.shut(3, true);
  EXPECT_TRUE(world.settle().empty());
  EXPECT_EQ(latest(), PathState::kGoalBlocked);
}

TEST(Events, PartialLeadsToTheNearestReachableCell) {
  SmallWorld world(kTwoGaps);
  world.block(1, kUpperGap);
  world.block(2, kLowerGap);
  AgentSpec modest = crosser();
  modest.allow_partial = true;
  world.put(modest);
  const auto events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kPartial));
  EXPECT_EQ(events[0].path->nodes.back(), world.at(3, 0));
  world.shut(1, false);
  EXPECT_THAT(types(world.settle()), ElementsAre(EventType::kNewPath));
}

// The agent walks down a side of the map and is nowhere near the path of the search that began for
// it.
TEST(Events, PartialIsFoundForAnAgentThatMovesEveryFrameOfALongSearch) {
  constexpr int kSide = 60;
  std::vector<std::string> rows(kSide, std::string(kSide, '.'));
  for (int y = 0; y < 3; ++y) rows[static_cast<std::size_t>(y)].replace(0, 3, "###");
  rows[1][1] = '.';
  SmallWorld world({rows.begin(), rows.end()});
  AgentSpec stray = SmallWorld::walker(1, SmallWorld::centre(59, 0), SmallWorld::centre(1, 1));
  stray.allow_partial = true;
  world.put(stray);
  std::vector<AgentEvent> events;
  for (int frame = 0; frame < kSide && events.empty(); ++frame) {
    world.report(1, SmallWorld::centre(59, frame));
    world->step(200, world.now += 16'000);
    events = world.events();
  }
  ASSERT_THAT(types(events), ElementsAre(EventType::kPartial));
  EXPECT_EQ(events[0].path->nodes.back(), world.at(3, 1));
}

TEST(Events, AnAgentInANewObstacleIsToldAtOnce) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  world.settle();
  world.block(1, {0, 0, 1, 1});
  EXPECT_THAT(types(world.events()), ElementsAre(EventType::kStartBlocked));
  EXPECT_THAT(world.settle(), IsEmpty());
  EXPECT_EQ(world->settled_revision(std::nullopt), Revision{2});
  world.shut(1, false);
  const auto free = world.settle();
  ASSERT_THAT(types(free), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(free[0].reason, EventReason::kStartFreeAgain);
  EXPECT_THAT(free[0].cause_obstacles, ElementsAre(ObstacleId{1}));
}

TEST(Events, ASnappedStartGetsAPathFromTheNearestFreeCell) {
  SmallWorld world(kTwoGaps);
  AgentSpec snapper = crosser();
  snapper.snap_start = true;
  world.put(snapper);
  world.settle();
  world.block(1, {0, 0, 2, 2});
  EXPECT_THAT(types(world.events()), ElementsAre(EventType::kStartBlocked));
  const auto later = world.settle();
  ASSERT_THAT(types(later), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(later[0].path->state, PathState::kStartBlocked);
  EXPECT_EQ(later[0].path->nodes.front(), world.at(2, 0));
  EXPECT_EQ(later[0].position, world.at(0, 0));
}

TEST(Events, ConfirmationsComeOnlyWhenAskedFor) {
  SmallWorld world(kTwoGaps);
  AgentSpec anxious = crosser();
  anxious.confirm = true;
  world.put(anxious);
  AgentSpec calm = crosser();
  calm.id = AgentId{8};
  world.put(calm);
  world.settle();
  world.block(1, {0, 4, 1, 5});
  const auto events = world.events();
  ASSERT_THAT(types(events), ElementsAre(EventType::kConfirmed));
  EXPECT_EQ(events[0].agent, AgentId{7});
  EXPECT_EQ(events[0].revision, Revision{2});
}

// Before the last change a goal could be reached from the agent's present place. Another agent
// still waits at the earlier revision, so silence covers that revision and must not be taken for
// UNREACHABLE.
TEST(Events, AnAgentThatIsCutOffElsewhereTooIsSilentOnlySinceItIsThere) {
  std::vector<std::string> rows(12, std::string(40, '.'));
  rows[0].replace(0, 2, ".#");
  rows[1].replace(0, 2, "##");
  rows[2].replace(0, 3, "###");
  rows[4].replace(0, 3, "###");
  EngineOptions options;
  options.strategy = Strategy::kAStar;
  SmallWorld world({rows.begin(), rows.end()}, options);
  AgentSpec shut_in = SmallWorld::walker(7, SmallWorld::centre(0, 0), SmallWorld::centre(20, 3));
  shut_in.priority = 1;
  world.put(shut_in);
  world.put(SmallWorld::walker(8, SmallWorld::centre(5, 8), SmallWorld::centre(39, 8)));
  world.settle();
  ChangeBatch batch;
  batch.upsert_obstacles.push_back({ObstacleId{1}, CellRect{2, 3, 3, 4}});
  batch.upsert_obstacles.push_back({ObstacleId{2}, CellRect{10, 4, 11, 12}});
  world.apply(batch);
  world.report(7, SmallWorld::centre(0, 3));
  world.events();
  world->step(20, world.now += 16'000);
  ASSERT_EQ(world->settled_revision_of(AgentId{7}), Revision{2});
  ASSERT_EQ(world->settled_revision(std::nullopt), Revision{1}) << "the other one still waits";
  const auto events = world.events();
  ASSERT_THAT(types(events), ElementsAre(EventType::kConfirmed));
  EXPECT_EQ(events[0].agent, AgentId{7});
  EXPECT_EQ(events[0].revision, Revision{2});
}

TEST(Events, LeavingThePathIsAnsweredWithANewOne) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  world.settle();
  world.report(7, SmallWorld::centre(2, 0));
  EXPECT_EQ(world->waiting(std::nullopt, world.now).agents, 0u) << "walking proves itself";
  world.report(7, SmallWorld::centre(2, 3));
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{0});
  const auto events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kOffPath);
  EXPECT_EQ(events[0].path->nodes.front(), world.at(2, 3));
}

TEST(Events, HalfACellBesideThePathIsNoStraying) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  world.settle();
  world.report(7, {2.9, 0.99});
  EXPECT_EQ(world->waiting(std::nullopt, world.now).agents, 0u);
  EXPECT_EQ(world->agent(AgentId{7})->node, world.at(2, 0));
  EXPECT_EQ(world->agent(AgentId{7})->held_cost, 6 * kStraightStep);
}

TEST(Events, FollowingAnOlderPathIsNoStrayingUntilTheNewerIsAcknowledged) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  const PathVersion first = world.settle()[0].path_version;
  world.block(1, kUpperGap);
  const PathVersion second = world.settle().back().path_version;
  world.report(7, {3.4, 0.5}, first);
  EXPECT_EQ(world->agent(AgentId{7})->node, world.at(3, 0));
  auto events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kReplanned));
  world->acknowledge(AgentId{7}, events[0].path_version);
  world.report(7, SmallWorld::centre(1, 0), second);
  events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kOffPath);
}

TEST(Events, RemovedIsToldWithItsReason) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  world.settle();
  EXPECT_EQ(world->remove_owner(OwnerId{1}, EventReason::kSessionExpired), 1u);
  const auto events = world.events();
  ASSERT_THAT(types(events), ElementsAre(EventType::kRemoved));
  EXPECT_EQ(events[0].reason, EventReason::kSessionExpired);
  EXPECT_EQ(world->agent_count(), 0u);
}

// A stream may leave the removal out if it has not sent it yet; its client drops lower versions.
TEST(Events, VersionsGrowOverARemoval) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  const PathVersion first = world.settle().at(0).path_version;
  world.block(3, kUpperGap);
  const PathVersion second = world.settle().back().path_version;
  EXPECT_GT(second, first);
  world->remove_owner(OwnerId{1}, EventReason::kRemovedByClient);
  world.events();
  world.put(crosser());
  EXPECT_GT(world.settle().at(0).path_version, second);
}

TEST(Events, AnUnchangedAgentKeepsItsVerdictAChangedOneWaits) {
  SmallWorld world(kTwoGaps);
  world.put(crosser());
  world.settle();
  world.put(crosser());
  EXPECT_EQ(world->waiting(std::nullopt, world.now).agents, 0u);
  AgentSpec elsewhere = crosser();
  elsewhere.goals = {SmallWorld::centre(8, 4)};
  world.put(elsewhere);
  const auto events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kAsked, EventType::kNewPath));
  EXPECT_EQ(events[1].reason, EventReason::kAgentChanged);
}

}  // namespace
}  // namespace repath
