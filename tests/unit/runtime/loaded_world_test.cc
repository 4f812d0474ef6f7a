// Worlds that are loaded need not fit into their memory again.
#include "runtime/loaded_world.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/ascii_grid.h"
#include "support/thread_executor.h"

namespace repath {
namespace {

AgentSpec agent_of_team(std::uint64_t id) {
  AgentSpec spec;
  spec.id = AgentId{id};
  spec.team = TeamId(id);
  spec.position = {1.5, 1.5};
  spec.goals = {{60.5, 60.5}};
  return spec;
}

TEST(LoadedWorld, AgentsComeBackThoughTheirViewsNeedMoreThanTheLimit) {
  const Limits limits;
  test::ThreadExecutor executor(1);
  WorldFacts facts;
  facts.name = "w";
  facts.settings.memory_mb = 4;
  WorldSpec spec;
  spec.name = "w";
  spec.map = test::open_map(1300, 1300);
  for (std::size_t i = 7; i < spec.map.cells.size(); i += 50)
    spec.map.cells[i] = TerrainId{1};  // no two views share a tile
  WorkMeter work(kNoWorkLimits);
  auto engine = make_engine(std::move(spec), {limits, executor}, 1, &facts, &work);
  ASSERT_TRUE(engine.ok()) << engine.status();
  std::vector<RestoredAgent> agents;
  for (std::uint64_t id = 0; id < 32; ++id) agents.push_back({agent_of_team(id), kNoOwner, 0});
  EXPECT_EQ(error_reason((*engine)->restore_agents(agents, 0)), "WORLD_DAMAGED");
  {
    const MemoryLimitLifted lifted(engine->get(), facts.settings);
    ASSERT_EQ((*engine)->restore_agents(agents, 0), absl::OkStatus());
  }
  EXPECT_EQ((*engine)->agent_count(), 32u);
  ApplyChanges another;
  another.batch.add_profiles = {{.name = "wide", .radius = 3}};
  ASSERT_TRUE((*engine)->apply(another, 0).ok());
  AgentSpec more = agent_of_team(0);
  more.id = AgentId{99};
  more.profile = "wide";
  EXPECT_EQ(error_reason((*engine)->upsert_agents({&more, 1}, kNoOwner, 0)), "WORLD_MEMORY");
}

}  // namespace
}  // namespace repath
