// The limits of TestChanges: all of its work counts, and its tables are made one view after the
// other.
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
#include "routes/nav_world.h"
#include "support/ascii_grid.h"
#include "support/counted_stop.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

using test::CountedStop;
using ::testing::HasSubstr;
using ::testing::Not;

// A square of nodes with edges right and down. Those from the first row down have flag 2.
constexpr int kGraphSide = 100;
constexpr std::uint64_t kTableUnits =
    6 * (kGraphSide * kGraphSide + 2 * kGraphSide * (kGraphSide - 1));

std::unique_ptr<RouteWorld> square_graph() {
  GraphWorld::Source source{"square", {}, {{.name = "same"}, {.name = "barred", .exclude = 2}}};
  const auto id = [](int x, int y) { return std::uint64_t(1 + y * kGraphSide + x); };
  for (int y = 0; y < kGraphSide; ++y)
    for (int x = 0; x < kGraphSide; ++x) {
      source.graph.nodes.push_back({.id = id(x, y), .x = double(x), .z = double(y)});
      if (x + 1 < kGraphSide)
        source.graph.edges.push_back({.from = id(x, y), .to = id(x + 1, y), .both = false});
      if (y + 1 < kGraphSide)
        source.graph.edges.push_back({.from = id(x, y),
                                      .to = id(x, y + 1),
                                      .flags = std::uint16_t(y == 0 ? 2 : 1),
                                      .both = false});
    }
  auto world = GraphWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// Closes the only edge that leads to the node below the first one.
ChangeBatch closed_edge() {
  ChangeBatch batch;
  batch.graph_edits.push_back(SwitchGraphEdge{1, 1 + kGraphSide, false});
  return batch;
}

TestChanges with_pairs(int pairs, const std::vector<std::string>& profiles) {
  TestChanges command;
  command.batch = closed_edge();
  for (int i = 0; i < pairs; ++i)
    command.pairs.push_back({{0, 0, 0},
                             {0, 1, 0},
                             profiles[std::size_t(i) % profiles.size()],
                             TeamId{std::uint8_t(i / int(profiles.size()))}});
  return command;
}

class TriedLimit : public ::testing::Test {
 protected:
  template <class AnyWorld>
  std::unique_ptr<Engine> engine_of(std::unique_ptr<AnyWorld> world,
                                    std::uint64_t units = kTestUnitsMax) {
    EngineOptions options;
    options.test_units_max = units;
    return Engine::create(std::move(world), options, executor_);
  }
  static void put(Engine* engine, const AgentSpec& spec) {
    ASSERT_TRUE(engine->upsert_agents(std::span(&spec, 1), OwnerId{1}, 0).ok());
  }
  // Returns how often 65,536 units were spent.
  static int slices(Engine* engine, const TestChanges& command) {
    const CountedStop never(1'000'000);
    const absl::StatusOr<TestAnswer> answer = engine->test(command, &never);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return never.asked();
  }
  static void expect_too_large(Engine* engine, const TestChanges& command) {
    const absl::Status refused = engine->test(command).status();
    EXPECT_EQ(error_reason(refused), "TEST_TOO_LARGE") << refused;
  }

 private:
  InlineExecutor executor_;
};

constexpr int slices_of(std::uint64_t units) { return static_cast<int>(units >> 16); }

TEST_F(TriedLimit, MakingTablesForPairsCounts) {
  const auto engine = engine_of(square_graph(), kTableUnits);
  const absl::Status refused = engine->test(with_pairs(1, {"default"})).status();
  EXPECT_EQ(error_reason(refused), "TEST_TOO_LARGE") << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr(std::to_string(kTableUnits)));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("fewer profiles"));
  EXPECT_THAT(std::string(refused.message()), Not(HasSubstr("agents"))) << "there are none";
  EXPECT_TRUE(engine->test(with_pairs(0, {"default"})).ok());
  const auto able = engine_of(square_graph(), 3 * kTableUnits);
  EXPECT_TRUE(able->test(with_pairs(1, {"default"})).ok());
}

TEST_F(TriedLimit, MakingTablesForAgentsCounts) {
  const auto engine = engine_of(square_graph(), kTableUnits);
  AgentSpec spec;
  spec.id = AgentId{1};
  spec.goals = {{50, 50, 0}};
  put(engine.get(), spec);
  const absl::Status refused = engine->test(with_pairs(0, {"default"})).status();
  EXPECT_EQ(error_reason(refused), "TEST_TOO_LARGE") << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("fewer agents wait"));
  EXPECT_THAT(std::string(refused.message()), Not(HasSubstr("pairs")));
}

TEST_F(TriedLimit, ViewsThatSeeTheSameShareTheirTables) {
  const auto engine = engine_of(square_graph());
  const int one = slices(engine.get(), with_pairs(1, {"default"}));
  EXPECT_GE(one, slices_of(2 * kTableUnits));
  EXPECT_LE(slices(engine.get(), with_pairs(60, {"default", "same"})), one + 1);
}

TEST_F(TriedLimit, ViewsThatSeeOtherEdgesHaveTheirOwn) {
  const auto engine = engine_of(square_graph());
  const TestChanges command = with_pairs(60, {"default", "barred", "same"});
  const int asked = slices(engine.get(), command);
  EXPECT_GE(asked, slices_of(4 * kTableUnits));
  EXPECT_LE(asked, slices_of(6 * kTableUnits));
  const absl::StatusOr<TestAnswer> answer = engine->test(command);
  ASSERT_TRUE(answer.ok()) << answer.status();
  ASSERT_EQ(answer->pairs.size(), 60u);
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(answer->pairs[i].before, command.pairs[i].profile != "barred") << i;
    EXPECT_FALSE(answer->pairs[i].after) << i;
  }
}

TEST_F(TriedLimit, AStopEndsTheMakingOfTables) {
  const auto engine = engine_of(square_graph());
  for (const int after : {1, 2, 4, 5}) {
    const CountedStop stop(after);
    const absl::Status ended = engine->test(with_pairs(1, {"default"}), &stop).status();
    EXPECT_EQ(ended.code(), absl::StatusCode::kCancelled) << after;
    EXPECT_EQ(stop.asked(), after);
  }
}

TEST_F(TriedLimit, TablesCountInTheWorldsMemory) {
  const auto engine = engine_of(square_graph());
  engine->set_memory_limit(engine->memory_bytes() + 20'000);
  const absl::Status full = engine->test(with_pairs(1, {"default"})).status();
  EXPECT_EQ(error_reason(full), "WORLD_MEMORY");
  EXPECT_NE(full.message().find("all of its memory_limit_mb"), absl::string_view::npos) << full;
  EXPECT_TRUE(engine->test(with_pairs(0, {"default"})).ok()) << "it needs no tables";
  engine->set_memory_limit(3 * engine->memory_bytes());
  EXPECT_TRUE(engine->test(with_pairs(1, {"default"})).ok());
}

// All agents stand in the middle of a blocked square, too far from free cells.
TEST_F(TriedLimit, CellsThatAreLookedAtForStandInsCount) {
  constexpr int kMapWidth = 150;
  const std::string open(kMapWidth, '.');
  const std::string blocked = ".." + std::string(kMapWidth - 4, '#') + "..";
  std::vector<std::string_view> rows(kMapWidth, blocked);
  rows[0] = rows[1] = rows[kMapWidth - 2] = rows[kMapWidth - 1] = open;
  const auto world = [&rows] {
    return *World::create({"snap", test::draw_map(rows), 1.0, {}}, {});
  };
  constexpr int kAgents = 60;
  constexpr std::uint64_t kCells = 129 * 129;
  TestChanges command;
  command.batch.upsert_obstacles.push_back({ObstacleId{1}, CellRect{0, 0, 1, 1}});
  for (const bool is_little : {false, true}) {
    const auto engine = engine_of(world(), is_little ? kAgents * kCells : kTestUnitsMax);
    for (int i = 0; i < kAgents; ++i) {
      AgentSpec spec;
      spec.id = AgentId{std::uint64_t(1 + i)};
      spec.position = {75.5, 75.5, 0};
      spec.goals = {{149.5, 149.5, 0}};
      spec.snap_start = true;
      put(engine.get(), spec);
    }
    if (is_little) {
      expect_too_large(engine.get(), command);
    } else {
      EXPECT_GE(slices(engine.get(), command), slices_of(2 * kAgents * kCells));  // before, after
    }
  }
}

TEST_F(TriedLimit, LabelsOfGridsCount) {
  const auto engine =
      engine_of(*World::create({"grid", test::open_map(1000, 1000), 1.0, {}}, {}), /*units=*/1'000);
  TestChanges command;
  command.batch.upsert_obstacles.push_back({ObstacleId{1}, CellRect{5, 5, 6, 6}});
  EXPECT_TRUE(engine->test(command).ok());
  command.pairs.push_back({{0.5, 0.5, 0}, {9.5, 9.5, 0}, "default", TeamId{0}});
  expect_too_large(engine.get(), command);
}

// A mesh of squares of side 1 with a hole, in the middle of which the agents are.
TEST_F(TriedLimit, GroundThatIsLookedAtForStandInsCounts) {
  constexpr int kMapWidth = 60;
  std::vector<std::string> rows(kMapWidth, std::string(kMapWidth, '.'));
  for (int z = 10; z < 50; ++z) rows[std::size_t(z)].replace(10, 40, std::string(40, '#'));
  NavWorld::Source source;
  source.name = "hole";
  source.mesh = test::squares(rows);
  auto world = NavWorld::create(std::move(source));
  ASSERT_TRUE(world.ok()) << world.status();
  const auto engine = engine_of(*std::move(world));
  TestChanges command;
  command.batch.upsert_obstacles.push_back({ObstacleId{1}, Box{{55.5, 55.5}, 0.4, 0.4, 0}});
  constexpr int kAgents = 500;
  const auto put_all = [&](bool snaps) {
    for (int i = 0; i < kAgents; ++i) {
      AgentSpec spec;
      spec.id = AgentId{std::uint64_t(1 + i)};
      spec.position = {30, 30, 0};
      spec.goals = {{1.5, 1.5, 0}};
      spec.snap_start = snaps;
      put(engine.get(), spec);
    }
  };
  put_all(false);
  EXPECT_LE(slices(engine.get(), command), slices_of(kAgents * 64 * 8));
  put_all(true);
  // Each looks at most of the 2,000 squares with their corners, and after the batch too.
  EXPECT_GE(slices(engine.get(), command), slices_of(kAgents * 2'000 * 4));
}

// Settled agents with goals of their own, which are looked up again after the batch.
TEST_F(TriedLimit, GoalsOfSettledAgentsCount) {
  constexpr int kAgents = 500;
  constexpr int kGoals = 16;
  const auto engine = engine_of(square_graph());
  for (int i = 0; i < kAgents; ++i) {
    AgentSpec spec;
    spec.id = AgentId{std::uint64_t(1 + i)};
    spec.position = {double(i % 10), 0, 0};
    for (int g = 0; g < kGoals; ++g)
      spec.goals.push_back({10 + double((i + g) % 80), double(10 + i % 89), 0});
    put(engine.get(), spec);
  }
  for (int frame = 0; frame < 10'000 && !engine->is_idle(); ++frame) engine->step(100'000, 0);
  ASSERT_TRUE(engine->is_idle());
  TestChanges command;
  command.batch.graph_edits.push_back(
      SwitchGraphEdge{kGraphSide * kGraphSide - 1, kGraphSide * kGraphSide, false});
  EXPECT_GE(slices(engine.get(), command), slices_of(kAgents * (kGoals + 1) * 64));
}

}  // namespace
}  // namespace repath
