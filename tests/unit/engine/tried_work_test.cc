// The work of TestChanges for many agents that wait. It is counted by how often the engine asks
// whether it shall stop, which is once every 65,536 units.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/executor.h"
#include "engine/engine.h"
#include "routes/graph_world.h"
#include "support/ascii_grid.h"
#include "support/counted_stop.h"

namespace repath {
namespace {

using test::CountedStop;

constexpr int kNeverStop = 1'000'000;
constexpr std::uint64_t kWaiting = 2'000;

void put_waiting(Engine* engine, std::uint64_t id, MapPoint from,
                 const std::vector<MapPoint>& goals, double radius) {
  AgentSpec spec;
  spec.id = AgentId{id};
  spec.position = from;
  spec.goals = goals;
  spec.goal_radius = radius;
  ASSERT_TRUE(engine->upsert_agents(std::span(&spec, 1), OwnerId{1}, 0).ok());
}

void expect_work(Engine* engine, ChangeBatch batch, std::size_t cut_off, int asked_most) {
  TestChanges command;
  command.batch = std::move(batch);
  command.max_agents = 10'000;
  const CountedStop never(kNeverStop);
  const absl::StatusOr<TestAnswer> answer = engine->test(command, &never);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->cut_off_agents.size(), cut_off);
  EXPECT_LE(never.asked(), asked_most);
  const CountedStop at_once(1);
  const absl::Status ended = engine->test(command, &at_once).status();
  EXPECT_EQ(ended.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(at_once.asked(), 1);
  EXPECT_TRUE(engine->test(command).ok()) << "the stopped one left nothing behind";
}

// Edges lead right and down on a square of nodes, and from its last node to the goals.
constexpr int kSquareSide = 120;
constexpr std::uint64_t kLastNode = 1'000 + kSquareSide * kSquareSide - 1;

std::unique_ptr<RouteWorld> one_way_graph(int goals) {
  GraphWorld::Source source{"one-way", {}, {}};
  const auto id = [](int x, int y) { return std::uint64_t(1'000 + y * kSquareSide + x); };
  for (int y = 0; y < kSquareSide; ++y)
    for (int x = 0; x < kSquareSide; ++x) {
      source.graph.nodes.push_back({.id = id(x, y), .x = double(x), .z = double(y)});
      if (x + 1 < kSquareSide)
        source.graph.edges.push_back({.from = id(x, y), .to = id(x + 1, y), .both = false});
      if (y + 1 < kSquareSide)
        source.graph.edges.push_back({.from = id(x, y), .to = id(x, y + 1), .both = false});
    }
  for (int g = 1; g <= goals; ++g) {
    source.graph.nodes.push_back({.id = std::uint64_t(g), .x = double(g), .z = -10});
    source.graph.edges.push_back({.from = kLastNode, .to = std::uint64_t(g), .both = false});
  }
  auto world = GraphWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// The way to all goals leads over the whole graph, and each is behind an edge of its own.
TEST(TriedWork, AOneWayGraphIsPassedOnceForAllAgentsThatWait) {
  constexpr int kGoalNodes = 16;
  InlineExecutor executor;
  const auto engine = Engine::create(one_way_graph(kGoalNodes), {}, executor);
  std::vector<MapPoint> goals;
  ChangeBatch batch;
  for (int g = 1; g <= kGoalNodes; ++g) {
    goals.push_back({double(g), -10, 0});
    batch.graph_edits.push_back(SwitchGraphEdge{kLastNode, std::uint64_t(g), false});
  }
  for (std::uint64_t i = 0; i < kWaiting; ++i)
    put_waiting(engine.get(), 1 + i, {double(i % 20), double(i % 3), 0}, goals, 0);
  // Two tables; five looks of 64 units at each agent, and two sweeps.
  expect_work(engine.get(), batch, kWaiting, 9 + 14);
}

TEST(TriedWork, AgentsWithGoalsOfTheirOwnShareItToo) {
  InlineExecutor executor;
  const auto engine = Engine::create(one_way_graph(900), {}, executor);
  ChangeBatch batch;
  for (std::uint64_t g = 1; g <= 900; ++g)
    batch.graph_edits.push_back(SwitchGraphEdge{kLastNode, g, false});
  for (std::uint64_t i = 0; i < kWaiting; ++i)
    put_waiting(engine.get(), 1 + i, {double(i % 100), double(i % 99), 0},
                {{1.0 + double(i % 900), -10, 0}}, 0);
  // The same, four looks at each goal, and eight sweeps. Each agent is held against 900 changes.
  expect_work(engine.get(), batch, kWaiting, 9 + 24 + 28);
}

// Of the cells of the goals only the last one can be reached.
TEST(TriedWork, CellsOfGoalsAreLookedAtOnceForAllAgentsThatWait) {
  InlineExecutor executor;
  constexpr int kWallWidth = 200;
  const std::string open(kWallWidth, '.');
  const std::string wall(kWallWidth, '#');
  std::vector<std::string_view> rows(kWallWidth, open);
  rows[150] = wall;
  const auto engine =
      Engine::create(*World::create({"goals", test::draw_map(rows), 1.0, {}}, {}), {}, executor);
  std::vector<MapPoint> goals;
  for (int g = 0; g < 15; ++g) goals.push_back({60.5 + g, 75.5, 0});
  goals.push_back({100.5, 199.5, 0});
  for (std::uint64_t i = 0; i < kWaiting; ++i)
    put_waiting(engine.get(), 1 + i, {double(i % 200) + 0.5, 170.5, 0}, goals, 49);
  ChangeBatch aside;
  aside.upsert_obstacles.push_back({ObstacleId{1}, CellRect{5, 5, 6, 6}});
  expect_work(engine.get(), aside, 0, 8);
  ChangeBatch across;
  across.upsert_obstacles.push_back({ObstacleId{1}, CellRect{0, 180, kWallWidth, 181}});
  expect_work(engine.get(), across, 0, 8);
}

}  // namespace
}  // namespace repath
