// TestChanges about agents that wait for a verdict: whether a batch would cut them off is decided
// by the ground between their place and their goals. In each kind of world two gaps, 1 and 2, lead
// from the agent's side to its goal. Gap 1 is nearer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "engine/engine.h"
#include "routes/graph_world.h"
#include "routes/nav_world.h"
#include "support/ascii_grid.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

enum class TwoGaps : std::uint8_t { kGrid, kMesh, kLinks, kGraph };

std::unique_ptr<RouteWorld> mesh_with_gaps(MeshSource mesh) {
  NavWorld::Source source;
  source.name = "gaps";
  source.mesh = std::move(mesh);
  auto world = NavWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

std::unique_ptr<RouteWorld> graph_with_gaps() {
  GraphWorld::Source source{"gaps", {}, {}};
  source.graph.nodes = {{.id = 10, .x = 0.5, .z = 0.5}, {.id = 20, .x = 4.5, .z = 0.5},
                        {.id = 1, .x = 1.5, .z = 1.5},  {.id = 2, .x = 3.5, .z = 1.5},
                        {.id = 30, .x = 0.5, .z = 2.5}, {.id = 40, .x = 8.5, .z = 0.5}};
  source.graph.edges = {{.from = 10, .to = 1}, {.from = 10, .to = 2}, {.from = 20, .to = 1},
                        {.from = 20, .to = 2}, {.from = 1, .to = 30}, {.from = 2, .to = 30},
                        {.from = 10, .to = 40}};
  auto world = GraphWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

NavLink link_at(std::uint64_t id, std::int32_t column) {
  const auto from = static_cast<std::uint32_t>(column);
  NavLink link{.id = id, .flags = 1};
  link.from_cell = from;
  link.from = test::at(column, 1);
  link.to_cell = from + 9;
  link.to = test::at(column, 2);
  return link;
}

class TriedWhileWaiting : public ::testing::TestWithParam<TwoGaps> {
 protected:
  static constexpr MapPoint kStart{0.5, 0.5, 0};
  static constexpr MapPoint kAside{4.5, 0.5, 0};
  static constexpr MapPoint kGoal{0.5, 2.5, 0};
  static constexpr MapPoint kFar{8.5, 0.5, 0};  // farther than the goal, but on the agent's side

  TriedWhileWaiting() : engine_(make()) {}

  static AgentSpec walker(std::uint64_t id, MapPoint from = kStart, MapPoint to = kGoal) {
    AgentSpec spec;
    spec.id = AgentId{id};
    spec.position = from;
    spec.goals = {to};
    return spec;
  }
  void put(const AgentSpec& spec) {
    ASSERT_TRUE(engine_->upsert_agents(std::span(&spec, 1), OwnerId{1}, 0).ok());
  }
  void settle() {
    for (int frame = 0; frame < 1'000; ++frame)
      if (engine_->step(100'000, 0).idle) return;
    FAIL() << "never settles";
  }
  static ChangeBatch shut(const std::vector<std::uint64_t>& gaps) {
    ChangeBatch batch;
    for (const std::uint64_t gap : gaps) {
      const std::int32_t column = gap == 1 ? 1 : 3;
      if (GetParam() == TwoGaps::kGrid)
        batch.upsert_obstacles.push_back({ObstacleId{gap}, CellRect{column, 1, column + 1, 2}});
      if (GetParam() == TwoGaps::kMesh)
        batch.upsert_obstacles.push_back({ObstacleId{gap}, Box{{column + 0.5, 1.5}, 0.6, 0.4, 0}});
      if (GetParam() == TwoGaps::kLinks) batch.switch_links.push_back({gap, false});
      if (GetParam() == TwoGaps::kGraph)
        batch.graph_edits.push_back(SwitchGraphEdge{gap, 30, false});
    }
    return batch;
  }
  void apply(const ChangeBatch& batch) {
    ASSERT_TRUE(engine_->apply({batch, "", std::nullopt}, 0).ok());
  }
  TestAnswer tried(const ChangeBatch& batch, std::uint32_t max_agents = 1000) {
    TestChanges command;
    command.batch = batch;
    command.max_agents = max_agents;
    command.max_paths = 8;
    const absl::StatusOr<TestAnswer> answer = engine_->test(command);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? *answer : TestAnswer{};
  }
  // Both gaps shut would cut the agents off. One gap would not, and concerns no path.
  void expect_both_gaps_cut_off(const std::vector<AgentId>& agents) {
    engine_->take_events();
    const TestAnswer both = tried(shut({1, 2}));
    EXPECT_EQ(both.cut_off_agents, agents);
    EXPECT_EQ(both.affected_agents, agents);
    EXPECT_THAT(both.new_paths, IsEmpty());
    for (const std::uint64_t gap : {1, 2}) {
      const TestAnswer one = tried(shut({gap}));
      EXPECT_THAT(one.cut_off_agents, IsEmpty()) << "gap " << gap;
      EXPECT_THAT(one.affected_agents, IsEmpty()) << "gap " << gap;
    }
    EXPECT_THAT(engine_->take_events(), IsEmpty()) << "a dry run tells agents nothing";
  }

  Engine& engine() { return *engine_; }

 private:
  std::unique_ptr<Engine> make() {
    switch (GetParam()) {
      case TwoGaps::kGrid:
        return Engine::create(
            *World::create(
                {"gaps", test::draw_map({".........", "#.#.#####", "........."}), 1.0, {}}, {}),
            {}, executor_);
      case TwoGaps::kMesh:
        return Engine::create(
            mesh_with_gaps(test::squares({".........", "#.#.#####", "........."})), {}, executor_);
      case TwoGaps::kLinks: {
        MeshSource mesh = test::squares({".........", "#########", "........."});
        mesh.links = {link_at(1, 1), link_at(2, 3)};
        return Engine::create(mesh_with_gaps(std::move(mesh)), {}, executor_);
      }
      case TwoGaps::kGraph:
        return Engine::create(graph_with_gaps(), {}, executor_);
    }
    return nullptr;
  }

  InlineExecutor executor_;
  std::unique_ptr<Engine> engine_;
};

TEST_P(TriedWhileWaiting, ANewAgentIsCutOff) {
  put(walker(7));
  put(walker(8, kStart, kFar));  // needs no gap
  expect_both_gaps_cut_off({AgentId{7}});
}

TEST_P(TriedWhileWaiting, ARestoredAgentIsCutOff) {
  const std::vector<RestoredAgent> agents{{walker(7), OwnerId{1}}};
  ASSERT_TRUE(engine().restore_agents(agents, 0).ok());
  expect_both_gaps_cut_off({AgentId{7}});
}

TEST_P(TriedWhileWaiting, AnAgentBesideItsPathIsCutOff) {
  put(walker(7));
  settle();
  const PositionReport report{AgentId{7}, kAside, {}};
  ASSERT_TRUE(engine().report_positions(std::span(&report, 1), 0).ok());
  ASSERT_TRUE(engine().agent(AgentId{7})->waiting);
  expect_both_gaps_cut_off({AgentId{7}});
}

TEST_P(TriedWhileWaiting, TheLastGapCutsOffTheAgentWhosePathIsBroken) {
  put(walker(7));
  settle();
  apply(shut({1}));
  ASSERT_TRUE(engine().agent(AgentId{7})->waiting);
  const TestAnswer answer = tried(shut({2}));
  EXPECT_THAT(answer.cut_off_agents, ElementsAre(AgentId{7}));
  EXPECT_THAT(answer.affected_agents, ElementsAre(AgentId{7}));
  settle();
  EXPECT_THAT(tried(shut({2})).cut_off_agents, ElementsAre(AgentId{7}));
}

TEST_P(TriedWhileWaiting, WhereThereIsNoWayNowNoneIsCutOff) {
  put(walker(7));
  settle();
  apply(shut({1, 2}));
  put(walker(8));
  ASSERT_TRUE(engine().agent(AgentId{7})->waiting);
  ChangeBatch batch = shut({1, 2});
  if (GetParam() == TwoGaps::kGrid || GetParam() == TwoGaps::kMesh) {
    batch.upsert_obstacles[0].shape = Box{{1.5, 1.5}, 1.5, 1.4, 0};  // on both sides of the gap
  } else if (GetParam() == TwoGaps::kGraph) {
    batch.graph_edits.push_back(SwitchGraphNode{30, false});
  }
  EXPECT_THAT(tried(batch).cut_off_agents, IsEmpty());
}

TEST_P(TriedWhileWaiting, AnAgentWithAnotherGoalIsNotCutOff) {
  AgentSpec spec = walker(7);
  spec.goals.push_back(kFar);
  put(spec);
  EXPECT_THAT(tried(shut({1, 2})).cut_off_agents, IsEmpty());
}

TEST_P(TriedWhileWaiting, OneThatIsCutOffIsNamedHoweverManyAreAffected) {
  for (const std::uint64_t id : {1, 2, 3}) {
    AgentSpec spec = walker(id);
    spec.goals.push_back(kFar);
    put(spec);
  }
  settle();
  put(walker(9));
  TestAnswer answer = tried(shut({1, 2}), 2);
  EXPECT_THAT(answer.affected_agents, ElementsAre(AgentId{1}, AgentId{2}));
  EXPECT_THAT(answer.cut_off_agents, ElementsAre(AgentId{9}));
  EXPECT_TRUE(answer.truncated);
  EXPECT_EQ(answer.new_paths.size(), 3u) << "max_paths alone limits them";
  answer = tried(shut({1, 2}), 4);
  EXPECT_EQ(answer.affected_agents.size(), 4u);
  EXPECT_THAT(answer.cut_off_agents, ElementsAre(AgentId{9}));
  EXPECT_FALSE(answer.truncated);
}

std::string name_of(const ::testing::TestParamInfo<TwoGaps>& kind) {
  constexpr std::array kNames{"Grid", "Mesh", "Links", "Graph"};
  return kNames[static_cast<std::size_t>(kind.param)];
}

INSTANTIATE_TEST_SUITE_P(Kinds, TriedWhileWaiting,
                         ::testing::Values(TwoGaps::kGrid, TwoGaps::kMesh, TwoGaps::kLinks,
                                           TwoGaps::kGraph),
                         name_of);

}  // namespace
}  // namespace repath
