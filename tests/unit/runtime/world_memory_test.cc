// A world's parts share the memory that its settings give it.
#include <gtest/gtest.h>

#include "runtime/loaded_world.h"
#include "support/ascii_grid.h"
#include "support/thread_executor.h"

namespace repath {
namespace {

TEST(WorldMemory, WhatManyViewsRememberOfChangesIsWithinIt) {
  const Limits limits;
  test::ThreadExecutor executor(1);
  WorldFacts facts;
  facts.name = "w";
  facts.settings.memory_mb = 8;
  WorldSpec spec;
  spec.name = "w";
  spec.map = test::open_map(128, 128);
  WorkMeter work(kNoWorkLimits);
  auto engine = make_engine(std::move(spec), {limits, executor}, 1, &facts, &work);
  ASSERT_TRUE(engine.ok()) << engine.status();
  std::vector<AgentSpec> agents;
  for (std::uint8_t team = 0; team < kTeams; ++team) {
    AgentSpec agent;
    agent.id = AgentId{team};
    agent.team = TeamId{team};
    agent.position = {1.5, 1.5};
    agent.goals = {{126.5, 126.5}};
    agents.push_back(agent);
  }
  ASSERT_TRUE((*engine)->upsert_agents(agents, kNoOwner, 0).ok());
  ApplyChanges wall;
  wall.batch.upsert_obstacles.push_back({ObstacleId{1}, CellRect{60, 4, 62, 124}});
  ASSERT_TRUE((*engine)->apply(wall, 0).ok());
  for (int i = 0; i < 20; ++i) {
    ApplyChanges change;
    change.batch.switch_obstacles.push_back({ObstacleId{1}, i % 2 == 1});
    ASSERT_TRUE((*engine)->apply(change, 0).ok());
    for (int frame = 0; frame < 10'000 && !(*engine)->step(100'000, 0).idle; ++frame) {
    }
    ASSERT_TRUE((*engine)->is_idle());
    ASSERT_LE((*engine)->memory_bytes(), facts.settings.memory_mb << 20) << "switch " << i;
  }
}

}  // namespace
}  // namespace repath
