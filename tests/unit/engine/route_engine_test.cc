// Answers of an engine on meshes and graphs, and searches that take many frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "engine/engine.h"
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
const PlaneBlock kAside{80, 38, 82, 40};
AgentSpec crosser() { return RouteBed::walker(7, {10, 20, 0}, {90, 20, 0}); }

// ---- searches that take many frames ----

TEST(RouteFrames, ASearchOfManyFramesEndsWhateverIsEdited) {
  RouteBed bed(plane(1000));
  bed.put_block(1, kWall);
  bed.put(crosser());
  std::vector<AgentEvent> events;
  int frame = 0;
  for (; frame < 100 && events.empty(); ++frame) {
    bed->step(300, bed.now += 16'000);
    if (frame % 2 == 0) {
      bed.put_block(9, kAside);
    } else {
      bed.shut(9, false);
    }
    events = bed.events();
  }
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
  EXPECT_NE(events[0].path->optimality, Optimality::kStale) << "the edits are out of its way";
  EXPECT_LT(frame, 40) << "a search takes twenty frames";
}

// The agent gets another place before each commit.
TEST(RouteFrames, AnAgentThatWalksInsideAnObstacleIsSettledWhateverIsEdited) {
  RouteBed bed(plane(1000));
  bed.put_block(1, kWall);
  bed.put_block(2, {5, 15, 20, 25});
  AgentSpec agent = crosser();
  agent.snap_start = true;
  bed.put(agent);
  std::vector<AgentEvent> events;
  for (int frame = 0; frame < 100 && events.empty(); ++frame) {
    bed.report(7, {10.0 + frame % 5, 20, 0});
    if (frame % 2 == 0) {
      bed.put_block(9, kAside);
    } else {
      bed.shut(9, false);
    }
    bed->step(300, bed.now += 16'000);
    events = bed.events();
  }
  EXPECT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
}

TEST(RouteFrames, ARouteThatIsOnlyUnprovedIsSentAsStale) {
  RouteBed bed(plane(1000));
  bed.put_block(1, kWall);
  bed.put(crosser());
  bed->step(300, bed.now += 16'000);
  bed.put_block(9, kAside);  // its search starts again, on a copy
  bed->step(300, bed.now += 16'000);
  bed.shut(1, false);  // better than the path that this search will find
  ASSERT_THAT(bed.events(), IsEmpty());
  std::vector<AgentEvent> events = bed.settle(300);
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath, EventType::kImproved));
  EXPECT_EQ(events[0].path->optimality, Optimality::kStale);
  EXPECT_EQ(events[0].revision, Revision{3});
  EXPECT_EQ(events[1].revision, Revision{4});
  EXPECT_DOUBLE_EQ(length_of(events[1].cost), 80);
}

TEST(RouteFrames, AStaleRouteClaimsTheBoundItWasFoundWith) {
  RouteBed bed(plane(1000, 0.95));
  bed.put_block(1, {50, 0, 52, 39});
  bed.put(crosser());
  bed->step(300, bed.now += 16'000);
  bed.put_block(9, kAside);
  bed->step(300, bed.now += 16'000);
  bed.shut(1, false);
  const std::vector<AgentEvent> events = bed.settle(300);
  ASSERT_FALSE(events.empty());
  ASSERT_EQ(events[0].path->optimality, Optimality::kStale);
  EXPECT_EQ(events[0].revision, Revision{3});
  EXPECT_NEAR(events[0].path->weight, 1 / 0.95, 1e-6);
}

TEST(RouteFrames, ABrokenResultIsNotSent) {
  RouteBed bed(plane(1000));
  bed.put(crosser());
  bed->step(300, bed.now += 16'000);
  bed.put_block(9, kAside);
  bed->step(300, bed.now += 16'000);
  bed.put_block(1, kWall);
  const auto events = bed.settle(300);
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].path->points.size(), 4u);
  EXPECT_EQ(events[0].revision, Revision{3});
}

TEST(RouteFrames, NobodyStarvesWhoMovesEveryFrameOfALongSearch) {
  RouteBed bed(plane(1000));
  bed.put_block(1, kWall);
  bed.put(crosser());
  std::vector<AgentEvent> events;
  int frame = 0;
  for (; frame < 200 && events.empty(); ++frame) {
    bed.report(7, {10, 5 + frame * 0.15, 0});
    bed->step(300, bed.now += 16'000);
    events = bed.events();
  }
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
  EXPECT_LT(frame, 80) << "two searches in vain, and one that is not cut";
  EXPECT_EQ(events[0].path->points.front().at, events[0].spot);
}

TEST(RouteFrames, NoFrameReportsMoreThanItsBudgetAndDebtsArePaid) {
  RouteBed bed(plane(1000));
  bed.put_block(1, kWall);
  bed.put(crosser());
  WorkUnits used = 0;
  for (int frame = 0; frame < 200; ++frame) {
    bed.report(7, {10, 5 + (frame % 100) * 0.15, 0});
    const StepReport report = bed->step(300, bed.now += 16'000);
    EXPECT_LE(report.used, 300u);
    used += report.used;
  }
  EXPECT_GE(used + 10'000, bed->stats().strategies[0].expansions);
}

TEST(RouteFrames, WhoWalksItsRouteIsSettledByASearchThatBeganBehindIt) {
  RouteBed bed(plane(1000));
  bed.put_block(1, kWall);
  bed.put_block(2, {20, 25, 30, 30});
  bed.put(crosser());
  bed.settle();
  bed.shut(2, false);  // may matter, but does not
  ASSERT_EQ(bed->waiting(std::nullopt, bed.now).agents, 1u);
  double x = 10;
  int frame = 0;
  while (bed->waiting(std::nullopt, bed.now).agents > 0 && ++frame < 100) {
    x += 0.4;  // along the first leg, from (10, 20) to (50, 10)
    bed.report(7, {x, 20 - (x - 10) / 4, 0});
    bed->step(300, bed.now += 16'000);
  }
  EXPECT_THAT(bed.events(), IsEmpty());
  EXPECT_EQ(bed->stats().strategies[0].searches, 2u);
}

// At the revision in between there was a better path. Another agent still waits with a proof for
// it, so silence covers that revision and must not be taken for "the held route is the best".
TEST(RouteFrames, WhoIsRightAgainIsSilentOnlySinceThen) {
  RouteBed bed(plane(10));
  bed.put_block(1, kWall);
  bed.put_block(2, {20, 36, 25, 41});
  AgentSpec first = crosser();
  first.priority = 7;
  bed.put(first);
  bed.put(RouteBed::walker(8, {10, 39, 0}, {40, 39, 0}));
  bed.settle();
  bed.shut(1, false);
  ASSERT_EQ(bed->settled_revision_of(AgentId{7}), Revision{3});
  ASSERT_EQ(bed->settled_revision_of(AgentId{8}), Revision{4});
  ChangeBatch batch;
  batch.switch_obstacles = {{ObstacleId{1}, true}, {ObstacleId{2}, false}};
  bed.apply(batch);
  for (int frame = 0; frame < 50 && bed->agent(AgentId{7})->waiting; ++frame)
    bed->step(5, bed.now += 16'000);
  ASSERT_EQ(bed->settled_revision_of(AgentId{7}), Revision{5});
  ASSERT_EQ(bed->settled_revision(std::nullopt), Revision{4}) << "the other one still waits";
  const auto events = bed.events();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kConfirmed));
  EXPECT_EQ(events[0].agent, AgentId{7});
  EXPECT_EQ(events[0].revision, Revision{5});
}

// ---- the engine ----

TEST(EngineOfRoutes, AnswersARepeatedRequestWithItsFirstAnswer) {
  RouteBed bed(plane());
  ChangeBatch batch;
  batch.upsert_obstacles = {RouteBed::block(1, kWall)};
  const auto first = bed->apply({batch, "once", Revision{1}}, 0);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second = bed->apply({batch, "once", Revision{1}}, 1);
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(second->repeated_request);
  EXPECT_EQ(second->revision, Revision{2});
  EXPECT_EQ(bed->revision(), Revision{2});
}

TEST(EngineOfRoutes, RefusesAndChangesNothing) {
  RouteBed bed(plane());
  bed.put(crosser());
  ChangeBatch batch;
  batch.switch_obstacles.push_back({ObstacleId{4}, true});
  auto refused = bed->apply({batch, "", std::nullopt}, 0);
  EXPECT_EQ(error_field(refused.status()), "batch.switch_obstacles");
  refused = bed->apply({batch, "", Revision{9}}, 0);
  EXPECT_EQ(error_reason(refused.status()), "REVISION_MISMATCH");
  EXPECT_EQ(bed->revision(), Revision{1});
  EXPECT_THAT(types_of(bed.settle()), ElementsAre(EventType::kNewPath));
}

// The search in progress goes on; it does not begin again on a copy of the ground.
TEST(EngineOfRoutes, ARefusedBatchDisturbsNoSearch) {
  const auto frames_to_settle = [](bool has_refusal) {
    RouteBed bed(plane(10));
    bed.put_block(1, kWall);
    bed.put(crosser());
    ChangeBatch refused;
    refused.switch_obstacles.push_back({ObstacleId{4}, true});
    for (int frame = 1; frame < 1000; ++frame) {
      if (bed->step(5, bed.now += 16'000).idle) return frame;
      if (frame == 3 && has_refusal) {
        EXPECT_FALSE(bed->apply({refused, "", std::nullopt}, bed.now).ok());
      }
    }
    return 1000;
  };
  const int frames = frames_to_settle(false);
  EXPECT_GT(frames, 5);
  EXPECT_LT(frames, 1000);
  EXPECT_EQ(frames_to_settle(true), frames);
}

TEST(EngineOfRoutes, RefusesAgentsByField) {
  EngineOptions options;
  options.agents_max = 1;
  RouteBed bed(plane(), options);
  const auto refuse = [&](AgentSpec spec) {
    const std::vector<AgentSpec> agents{spec};
    return bed->upsert_agents(agents, OwnerId{1}, 0);
  };
  AgentSpec spec = crosser();
  spec.position.x = -65;
  EXPECT_EQ(error_field(refuse(spec)), "agents[0].position");
  EXPECT_EQ(error_reason(refuse(spec)), "OUT_OF_MAP");
  spec = crosser();
  spec.profile = "tank";
  EXPECT_EQ(error_field(refuse(spec)), "agents[0].profile");
  spec = crosser();
  spec.crowd = CrowdSpec{1, 8, 0.5};
  EXPECT_EQ(error_field(refuse(spec)), "agents[0].crowd");
  EXPECT_EQ(error_reason(refuse(spec)), "KIND_UNSUITED");
  EXPECT_EQ(bed->agent_count(), 0u);
  bed.put(crosser());
  spec = crosser();
  spec.id = AgentId{8};
  EXPECT_EQ(error_reason(refuse(spec)), "AGENTS_TOO_MANY");
  const PositionReport unknown{AgentId{3}, {1, 1, 0}, {}};
  const auto passed_over = bed->report_positions(std::span(&unknown, 1), 0);
  ASSERT_TRUE(passed_over.ok()) << passed_over.status();
  EXPECT_EQ(*passed_over, std::vector{AgentId{3}});
}

TEST(EngineOfRoutes, CapturedGroundStaysAsItWas) {
  RouteBed bed(plane());
  const auto before = bed->capture("default", TeamId{0});
  ASSERT_TRUE(before.ok());
  bed.put_block(1, kWall);
  EXPECT_TRUE(before->routes->locate({51, 0, 20}));
  EXPECT_EQ(before->revision, Revision{1});
  EXPECT_EQ(before->grid, nullptr);
  const auto after = bed->capture("default", TeamId{0});
  EXPECT_FALSE(after->routes->locate({51, 0, 20}));
  EXPECT_EQ(error_reason(bed->capture("tank", TeamId{0}).status()), "PROFILE_UNKNOWN");
}

}  // namespace
}  // namespace repath
