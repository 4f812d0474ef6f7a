// Views that only queries use, in worlds that have no room for more: they give way to all others.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/executor.h"
#include "engine/engine.h"
#include "routes/nav_world.h"
#include "support/ascii_grid.h"
#include "support/small_meshes.h"
#include "world/world.h"

namespace repath {
namespace {

constexpr std::uint64_t kViewsThatFit = 3;

std::unique_ptr<World> make_grid() {
  GridMap map = test::open_map(256, 256);
  for (std::size_t i = 7; i < map.cells.size(); i += 50) map.cells[i] = TerrainId{1};
  return *World::create({.name = "w", .map = std::move(map)}, {});
}

std::unique_ptr<RouteWorld> make_mesh() {
  return *NavWorld::create(
      {.name = "w",
       .mesh = test::squares(std::vector<std::string>(30, std::string(30, '.'))),
       .landmarks = 0});
}

// Leaves room for a few views, and for obstacles if one of them goes.
template <class AnyWorld>
void limit_memory(const std::unique_ptr<AnyWorld>& world) {
  const std::uint64_t bare = world->bytes();
  const auto view = world->acquire_view("default", TeamId{0});
  const std::uint64_t each = world->bytes() - bare;
  world->release_view(*view);
  world->set_memory_limit(bare + each * kViewsThatFit + each / 8);
}

class QueryViewsFull : public ::testing::TestWithParam<WorldKind> {
 protected:
  QueryViewsFull() {
    if (GetParam() == WorldKind::kGrid) {
      auto world = make_grid();
      limit_memory(world);
      engine_ = Engine::create(std::move(world), {}, executor_);
    } else {
      auto world = make_mesh();
      limit_memory(world);
      engine_ = Engine::create(std::move(world), {}, executor_);
    }
  }
  void ask_for_all_teams() {
    for (std::uint8_t team = 0; team < 20; ++team) {
      const auto snapshot = engine_->capture("default", TeamId(team));
      EXPECT_TRUE(snapshot.ok()) << snapshot.status();
    }
  }

  InlineExecutor executor_;
  std::unique_ptr<Engine> engine_;
};

TEST_P(QueryViewsFull, QueriesTakeThePlacesOfEarlierOnes) { ask_for_all_teams(); }

TEST_P(QueryViewsFull, ChangesGoOn) {
  ask_for_all_teams();
  std::uint64_t made = 0;
  for (std::uint64_t id = 0; id < 20; ++id) {
    ApplyChanges command;
    command.batch.upsert_obstacles = {
        {.id = ObstacleId{id}, .shape = Circle{{1 + static_cast<double>(id), 5}, 0.4}}};
    const auto answer = engine_->apply(command, 0);
    EXPECT_TRUE(answer.ok()) << answer.status();
    made += answer.ok() ? 1 : 0;
  }
  EXPECT_EQ(engine_->obstacle_count(), made);
}

TEST_P(QueryViewsFull, DryRunsAndAgentsGoOn) {
  ask_for_all_teams();
  const MapPoint from{0.5, 0.5, 0};
  const MapPoint to{20.5, 20.5, 0};
  TestChanges command;
  command.batch.upsert_obstacles = {{.id = ObstacleId{1}, .shape = Circle{{5, 5}, 0.4}}};
  command.pairs.push_back({.from = from, .to = to, .profile = "default", .team = TeamId{31}});
  const auto answer = engine_->test(command);
  EXPECT_TRUE(answer.ok()) << answer.status();
  ask_for_all_teams();
  AgentSpec agent;
  agent.team = TeamId{30};
  agent.position = from;
  agent.goals = {to};
  const absl::Status status = engine_->upsert_agents({&agent, 1}, OwnerId{1}, 0);
  EXPECT_TRUE(status.ok()) << status;
}

INSTANTIATE_TEST_SUITE_P(All, QueryViewsFull,
                         ::testing::Values(WorldKind::kGrid, WorldKind::kNavmesh),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

}  // namespace
}  // namespace repath
