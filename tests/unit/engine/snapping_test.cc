// An agent's place is its point. A substitute for a blocked place is searched from there, as by a
// query from the same point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "engine/queries.h"
#include "routes/nav_world.h"
#include "support/small_meshes.h"
#include "unit/engine/route_bed.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::SmallWorld;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

PathQuery query_of(const AgentSpec& spec) {
  PathQuery query;
  query.from = spec.position;
  query.goals = spec.goals;
  query.snap_start = spec.snap_start;
  query.allow_partial = spec.allow_partial;
  return query;
}

PathAnswer ask(SmallWorld* world, const AgentSpec& spec) {
  return find_path(*(*world)->capture("default", TeamId{0})->grid, query_of(spec), {});
}

// The free cells to the left and right of the wall are equally near to the centre of its cells.
const std::vector<std::string_view> kThinWall = {".....#.....",  //
                                                 ".....#.....",  //
                                                 ".....#.....",  //
                                                 "..........."};

TEST(Snapping, IsFromThePointNotFromTheCellsCentre) {
  for (const double x : {5.1, 5.9}) {
    SmallWorld world(kThinWall);
    AgentSpec spec = SmallWorld::walker(1, {x, 0.5}, SmallWorld::centre(10, 0));
    spec.snap_start = true;
    world.put(spec);
    const auto events = world.settle();
    ASSERT_EQ(events.size(), 1u);
    const PathAnswer answer = ask(&world, spec);
    EXPECT_EQ(events[0].cost, answer.cost);
    EXPECT_EQ(answer.nodes.front(), events[0].path->nodes.front());
    EXPECT_EQ(events[0].path->nodes.front(), world.at(x < 5.5 ? 4 : 6, 0));
  }
}

TEST(Snapping, FollowsThePointWithinABlockedCell) {
  SmallWorld world(kThinWall);
  AgentSpec spec = SmallWorld::walker(1, {5.1, 0.5}, SmallWorld::centre(10, 0));
  spec.snap_start = true;
  world.put(spec);
  world.settle();
  world.report(1, {5.2, 0.5});
  EXPECT_THAT(world.settle(), IsEmpty());
  world.report(1, {5.9, 0.5});
  const auto events = world.settle();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].path->nodes.front(), world.at(6, 0));
  EXPECT_EQ(events[0].reason, EventReason::kOffPath);
}

TEST(Snapping, ANearerCellThatIsFreedIsFoundFromThePoint) {
  SmallWorld world({".###.....", ".........", "........."});
  AgentSpec spec = SmallWorld::walker(1, {2.2, 0.1}, SmallWorld::centre(8, 0));
  spec.snap_start = true;
  world.put(spec);
  auto events = world.settle();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].path->nodes.front(), world.at(2, 1));
  ChangeBatch batch;
  batch.terrain_edits.push_back({{1, 0, 2, 1}, TerrainId{0}});
  world.apply(batch);
  events = world.settle();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].path->nodes.front(), world.at(1, 0));
  EXPECT_EQ(events[0].cost, ask(&world, spec).cost);
}

TEST(Snapping, ACutOffGoalGetsAPartialPathFromThere) {
  SmallWorld world({"....#...", ".#..#...", "....#..."});
  AgentSpec spec = SmallWorld::walker(1, SmallWorld::centre(1, 1), SmallWorld::centre(7, 1));
  spec.snap_start = spec.allow_partial = true;
  world.put(spec);
  auto events = world.settle();
  ASSERT_EQ(events.size(), 1u);
  ASSERT_EQ(events[0].type, EventType::kPartial);
  EXPECT_EQ(events[0].path->state, PathState::kStartBlocked);
  const PathAnswer answer = ask(&world, spec);
  EXPECT_EQ(events[0].path->nodes.front(), answer.nodes.front());
  EXPECT_EQ(events[0].path->nodes.back(), answer.nodes.back());
  EXPECT_EQ(events[0].cost, answer.cost);
  ChangeBatch batch;
  batch.terrain_edits.push_back({{4, 1, 5, 2}, TerrainId{0}});
  world.apply(batch);
  events = world.settle();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].type, EventType::kNewPath);
  EXPECT_EQ(events[0].path->state, PathState::kStartBlocked);
}

TEST(Snapping, ADryRunBeginsWhereTheAgentWould) {
  SmallWorld world({".......", ".......", "......."});
  AgentSpec spec = SmallWorld::walker(1, SmallWorld::centre(1, 1), SmallWorld::centre(6, 1));
  world.put(spec);
  spec.id = AgentId{2};
  spec.snap_start = true;
  world.put(spec);
  world.settle();
  TestChanges command;
  ChangeBatch batch;
  ObstacleSpec block;
  block.id = ObstacleId{1};
  block.shape = CellRect{1, 1, 2, 2};
  batch.upsert_obstacles.push_back(block);
  command.batch = batch;
  EXPECT_THAT(world->test(command)->affected_agents, ElementsAre(AgentId{1}, AgentId{2}));
  EXPECT_THAT(world->test(command)->cut_off_agents, ElementsAre(AgentId{1}));
  world.apply(batch);
  world.settle();
  EXPECT_EQ(world->agent(AgentId{2})->verdict.type, EventType::kNewPath);
}

TEST(Snapping, ADryRunThatFreesANearerCellBeginsThere) {
  SmallWorld world({"..........", ".........."});
  world.block(1, {3, 0, 7, 2});
  world.block(2, {1, 0, 3, 2});
  for (const auto& [id, x] : {std::pair(1u, 4), std::pair(2u, 6)}) {
    AgentSpec spec = SmallWorld::walker(id, SmallWorld::centre(x, 0), SmallWorld::centre(9, 0));
    spec.snap_start = true;
    world.put(spec);
  }
  world.settle();
  TestChanges command;
  ChangeBatch batch;
  batch.remove_obstacles.push_back(ObstacleId{2});
  command.batch = batch;
  EXPECT_THAT(world->test(command)->affected_agents, ElementsAre(AgentId{1}));
  EXPECT_THAT(world->test(command)->cut_off_agents, ElementsAre(AgentId{1}));
  world.apply(batch);
  EXPECT_THAT(types(world.settle()), ElementsAre(EventType::kStartBlocked));
}

// An island in a moat, with the agent in the moat: 40 x 40 units, and the goal beyond.
TEST(RouteSnapping, ACutOffGoalGetsAPartialPathFromThere) {
  test::RouteBed bed(test::plane());
  bed.put_block(1, {48, -1, 52, 41});
  bed.put_block(2, {18, 18, 22, 22});
  AgentSpec spec = test::RouteBed::walker(1, {21.5, 20, 0}, {90, 20, 0});
  spec.snap_start = spec.allow_partial = true;
  bed.put(spec);
  const auto events = bed.settle();
  ASSERT_EQ(events.size(), 1u);
  ASSERT_EQ(events[0].type, EventType::kPartial);
  EXPECT_EQ(events[0].path->state, PathState::kStartBlocked);
  const PathAnswer answer =
      find_path(*bed->capture("default", TeamId{0})->routes, query_of(spec), {});
  EXPECT_EQ(answer.state, QueryState::kStartBlocked);
  EXPECT_EQ(events[0].path->points.front().at, answer.route.front().at);
  EXPECT_NEAR(test::length_of(events[0].cost), test::length_of(answer.cost), 1e-6);
}

TEST(RouteSnapping, ADryRunBeginsWhereTheAgentWould) {
  test::RouteBed bed(test::plane());
  AgentSpec spec = test::RouteBed::walker(1, {20, 20, 0}, {90, 20, 0});
  bed.put(spec);
  spec.id = AgentId{2};
  spec.snap_start = true;
  bed.put(spec);
  bed.settle();
  TestChanges command;
  ChangeBatch batch;
  batch.upsert_obstacles.push_back(test::RouteBed::block(1, {18, 18, 22, 22}));
  command.batch = batch;
  const auto answer = bed->test(command);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(answer->affected_agents, ElementsAre(AgentId{1}, AgentId{2}));
  EXPECT_THAT(answer->cut_off_agents, ElementsAre(AgentId{1}));
}

// Two blocks that overlap cut the plane in two. Without the western one the nearest free place for
// the agents in the eastern one is in the west, unless they are in its other half.
TEST(RouteSnapping, ADryRunThatFreesANearerPlaceBeginsThere) {
  test::RouteBed bed(test::plane());
  bed.put_block(1, {50, -1, 58, 41});
  bed.put_block(2, {42, -1, 51, 41});
  for (const auto& [id, x] : {std::pair(1u, 53.0), std::pair(2u, 55.0)}) {
    AgentSpec spec = test::RouteBed::walker(id, {x, 20, 0}, {90, 20, 0});
    spec.snap_start = true;
    bed.put(spec);
  }
  bed.settle();
  TestChanges command;
  ChangeBatch batch;
  batch.remove_obstacles.push_back(ObstacleId{2});
  command.batch = batch;
  auto answer = bed->test(command);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(answer->affected_agents, ElementsAre(AgentId{1}));
  EXPECT_THAT(answer->cut_off_agents, ElementsAre(AgentId{1}));
  // A way from there leads round the eastern block.
  batch.upsert_obstacles.push_back(test::RouteBed::block(1, {50, -1, 58, 35}));
  command.batch = batch;
  answer = bed->test(command);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(answer->affected_agents, ElementsAre(AgentId{1}));
  EXPECT_THAT(answer->cut_off_agents, IsEmpty());
}

// The agent is on the upper of two floors, in a block. The lower floor, 4 units below, stands in
// for its place until the upper floor is free 2 units beside it. No way leads from floor to floor.
TEST(RouteSnapping, TheNearestFreePlaceIsTheNearestInSpace) {
  MeshSource mesh;
  for (const double y : {0.0, 4.0}) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const auto& [x, z] :
         {std::pair(0, 0), std::pair(20, 0), std::pair(20, 10), std::pair(0, 10)})
      mesh.vertices.push_back({test::at(x, z), y});
    mesh.add_cell({first, first + 1, first + 2, first + 3});
  }
  NavWorld::Source source;
  source.name = "floors";
  source.mesh = std::move(mesh);
  test::RouteBed bed(*NavWorld::create(std::move(source)));
  ChangeBatch batch;
  batch.upsert_obstacles = {test::RouteBed::block(1, {-1, -1, 7, 11}),
                            test::RouteBed::block(2, {6, -1, 12, 11})};
  for (ObstacleSpec& block : batch.upsert_obstacles) block.bottom = 3;
  bed.apply(batch);
  AgentSpec spec = test::RouteBed::walker(1, {5, 5, 4}, {1, 1, 0});
  spec.snap_start = true;
  bed.put(spec);
  EXPECT_THAT(types(bed.settle()), ElementsAre(EventType::kNewPath));
  TestChanges command;
  command.batch.remove_obstacles.push_back(ObstacleId{2});
  EXPECT_THAT(bed->test(command)->cut_off_agents, ElementsAre(AgentId{1}));
  bed.apply(command.batch);
  EXPECT_THAT(types(bed.settle()), ElementsAre(EventType::kStartBlocked));
}

}  // namespace
}  // namespace repath
