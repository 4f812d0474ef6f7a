// TestChanges on meshes and graphs: answers in drawn situations, and rejections.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/engine/route_bed.h"

namespace repath {
namespace {

using test::plane;
using test::PlaneBlock;
using test::RouteBed;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The plane is 100 x 40 units: kAcross splits it, kTower only makes the path longer.
constexpr PlaneBlock kAcross{50, -1, 52, 41};
constexpr PlaneBlock kTower{50, 10, 52, 30};

AgentSpec west_to_east(std::uint64_t id) { return RouteBed::walker(id, {10, 20, 0}, {90, 20, 0}); }
AgentSpec within_west(std::uint64_t id) { return RouteBed::walker(id, {10, 5, 0}, {40, 5, 0}); }

TestChanges built(const PlaneBlock& block) {
  TestChanges command;
  ChangeBatch batch;
  batch.upsert_obstacles.push_back(RouteBed::block(1, block));
  command.batch = batch;
  return command;
}

TestAnswer tried(RouteBed& bed, const TestChanges& command) {
  const auto answer = bed->test(command);
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? *answer : TestAnswer{};
}

TEST(TriedRouteChange, TellsWhomAWallCutsOffAndBuildsNothing) {
  RouteBed bed(plane());
  bed.put(west_to_east(7));
  bed.put(within_west(8));
  bed.settle();
  TestChanges wall = built(kAcross);
  wall.pairs = {{{10, 20, 0}, {90, 20, 0}, "default", TeamId{0}},
                {{10, 20, 0}, {40, 20, 0}, "default", TeamId{0}},
                {{10, 20, 0}, {51, 20, 0}, "default", TeamId{3}}};
  const TestAnswer answer = tried(bed, wall);
  EXPECT_EQ(answer.revision, Revision{1});
  EXPECT_THAT(answer.affected_agents, ElementsAre(AgentId{7}));
  EXPECT_THAT(answer.cut_off_agents, ElementsAre(AgentId{7}));
  ASSERT_EQ(answer.pairs.size(), 3u);
  EXPECT_TRUE(answer.pairs[0].before && !answer.pairs[0].after);
  EXPECT_TRUE(answer.pairs[1].before && answer.pairs[1].after);
  EXPECT_TRUE(answer.pairs[2].before && !answer.pairs[2].after) << "the wall stands on it";
  EXPECT_EQ(bed->revision(), Revision{1});
  EXPECT_EQ(bed->obstacle_count(), 0u);
  EXPECT_THAT(bed.events(), IsEmpty());
}

TEST(TriedRouteChange, TellsWhomATowerSendsRound) {
  RouteBed bed(plane());
  bed.put(west_to_east(7));
  bed.put(within_west(8));
  bed.settle();
  const TestAnswer answer = tried(bed, built(kTower));
  EXPECT_THAT(answer.affected_agents, ElementsAre(AgentId{7}));
  EXPECT_THAT(answer.cut_off_agents, IsEmpty());
}

TEST(TriedRouteChange, WhoStandsInTheTowerIsCutOffUnlessItMayBeginBesideIt) {
  RouteBed bed(plane());
  AgentSpec snapped = RouteBed::walker(7, {51, 20, 0}, {90, 20, 0});
  snapped.snap_start = true;
  bed.put(snapped);
  bed.put(RouteBed::walker(8, {51, 25, 0}, {51, 35, 0}));
  bed.settle();
  const TestAnswer answer = tried(bed, built(kTower));
  EXPECT_THAT(answer.affected_agents, ElementsAre(AgentId{7}, AgentId{8}));
  EXPECT_THAT(answer.cut_off_agents, ElementsAre(AgentId{8}));
}

TEST(TriedRouteChange, WhoWouldGetAPartOfTheWayIsCutOffWhoHasOneAlreadyIsNot) {
  RouteBed bed(plane());
  AgentSpec partial = west_to_east(7);
  partial.allow_partial = true;
  bed.put(partial);
  bed.settle();
  EXPECT_THAT(tried(bed, built(kAcross)).cut_off_agents, ElementsAre(AgentId{7}));
  // A closed cell around its goal.
  bed.put_block(2, {80, 10, 82, 30});
  bed.put_block(3, {80, 10, 101, 12});
  bed.put_block(4, {80, 28, 101, 30});
  bed.settle();
  const TestAnswer answer = tried(bed, built(kAcross));
  EXPECT_THAT(answer.affected_agents, ElementsAre(AgentId{7}));
  EXPECT_THAT(answer.cut_off_agents, IsEmpty());
}

TEST(TriedRouteChange, SaysWhenThereAreMoreAgentsThanAskedFor) {
  RouteBed bed(plane());
  for (std::uint64_t id = 1; id <= 3; ++id) bed.put(west_to_east(id));
  bed.settle();
  TestChanges wall = built(kAcross);
  wall.max_agents = 2;
  const TestAnswer answer = tried(bed, wall);
  EXPECT_TRUE(answer.truncated);
  EXPECT_THAT(answer.affected_agents, ElementsAre(AgentId{1}, AgentId{2}));
  wall.max_agents = 3;
  EXPECT_FALSE(tried(bed, wall).truncated);
}

// The batch opens a node that is nearer to the agent.
TEST(TriedRouteChange, PathsBeginAtTheNodeThatWouldStandForTheAgent) {
  GraphWorld::Source source{"line", {}, {}};
  source.graph.nodes = {{.id = 1}, {.id = 2, .x = 10}, {.id = 3, .x = 4, .enabled = false}};
  source.graph.edges = {{.from = 1, .to = 2}, {.from = 3, .to = 2}};
  auto world = GraphWorld::create(std::move(source));
  ASSERT_TRUE(world.ok()) << world.status();
  RouteBed bed(*std::move(world));
  bed.put(RouteBed::walker(7, {3, 0, 0}, {10, 0, 0}));
  bed.settle();
  TestChanges opening;
  opening.batch.graph_edits = {SwitchGraphNode{3, true}};
  opening.max_paths = 1;
  const TestAnswer answer = tried(bed, opening);
  EXPECT_THAT(answer.affected_agents, ElementsAre(AgentId{7}));
  ASSERT_EQ(answer.new_paths.size(), 1u);
  EXPECT_EQ(answer.new_paths[0].query.from.x, 4);
}

TEST(TriedRouteChange, RefusesByField) {
  RouteBed bed(plane());
  const auto refusal = [&](const TestChanges& command) { return bed->test(command).status(); };
  TestChanges command = built(kTower);
  command.expected_revision = Revision{4};
  EXPECT_EQ(error_reason(refusal(command)), "REVISION_MISMATCH");
  command = built(kTower);
  command.pairs = {{{10, 20, 0}, {165, 20, 0}, "default", TeamId{0}}};
  EXPECT_EQ(error_reason(refusal(command)), "OUT_OF_MAP");
  EXPECT_EQ(error_field(refusal(command)), "pairs[0].to");
  command.pairs = {{{10, 20, 0}, {20, 20, 0}, "tank", TeamId{0}}};
  EXPECT_EQ(error_field(refusal(command)), "pairs[0].profile");
  command = {};
  ChangeBatch batch;
  batch.switch_obstacles.push_back({ObstacleId{4}, true});
  command.batch = batch;
  EXPECT_EQ(error_field(refusal(command)), "batch.switch_obstacles");
}

}  // namespace
}  // namespace repath
