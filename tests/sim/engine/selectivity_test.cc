// A change concerns only some agents: the searches it causes are counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "base/random.h"
#include "grid/cells/map_import.h"
#include "support/seed.h"
#include "support/shared_data.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

constexpr int kSide = 1024;
constexpr std::uint64_t kAgents = 10'000;

// Free except scattered stones; the right quarter is all free.
GridMap stony_map(Random* random) {
  GridMap map{.width = kSide, .height = kSide, .cells = {}};
  for (int i = 0; i < kSide * kSide; ++i)
    map.cells.push_back(
        TerrainId{i % kSide < 700 && random->below(12) == 0 ? std::uint8_t{1} : std::uint8_t{0}});
  return map;
}

class TenThousandAgents : public testing::Test {
 protected:
  // All agents are in the left part, with a goal at most 20 cells away.
  TenThousandAgents() : random_(test::seed()), world_(stony_map(&random_)) {
    const auto below = [this](int n) {
      return static_cast<int>(random_.below(static_cast<std::uint32_t>(n)));
    };
    for (std::uint64_t id = 1; id <= kAgents; ++id) {
      const int x = 20 + below(640);
      const int y = 20 + below(kSide - 40);
      world_.put(test::SmallWorld::walker(
          id, test::SmallWorld::centre(x, y),
          test::SmallWorld::centre(x + below(41) - 20, y + below(41) - 20)));
    }
    world_.settle(10'000'000);
  }

  // Returns the cells of held paths.
  std::set<NodeId> walked() const {
    std::set<NodeId> cells;
    for (const AgentView& agent : world_->agents(AgentId{0}, kAgents, true, std::nullopt))
      if (agent.verdict.path)
        cells.insert(agent.verdict.path->nodes.begin(), agent.verdict.path->nodes.end());
    return cells;
  }

  Random random_;
  test::SmallWorld world_;
};

TEST_F(TenThousandAgents, DoNotSearchForAWallOnNobodysPath) {
  const std::set<NodeId> cells = walked();
  ASSERT_GT(cells.size(), kAgents);
  int walls = 0;
  for (int i = 0; i < 2000 && walls < 20; ++i) {
    const int x = 30 + static_cast<int>(random_.below(600));
    const int y = 30 + static_cast<int>(random_.below(900));
    bool is_off_all_paths = true;
    for (int v = y - 1; v <= y + 3; ++v)
      for (int u = x - 1; u <= x + 3; ++u) is_off_all_paths &= !cells.contains(world_.at(u, v));
    if (!is_off_all_paths) continue;
    const std::uint64_t before = world_.searches();
    const ChangeAnswer answer =
        world_.block(static_cast<std::uint64_t>(++walls), {x, y, x + 3, y + 3});
    EXPECT_EQ(answer.invalidated_agents, 0u);
    EXPECT_EQ(answer.waiting_agents, 0u);
    EXPECT_TRUE(world_.settle().empty());
    ASSERT_EQ(world_.searches(), before) << x << "," << y;
  }
  EXPECT_EQ(walls, 20);
}

TEST_F(TenThousandAgents, DoNotSearchForAnOpeningThatTheBoundExcludes) {
  const std::uint64_t before = world_.searches();
  for (std::uint64_t id = 1; id <= 20; ++id) {
    const int y = static_cast<int>(40 * id);
    world_.block(id, {900, y, 903, y + 30});
    EXPECT_EQ(world_.shut(id, false).waiting_agents, 0u);
  }
  EXPECT_TRUE(world_.settle().empty());
  EXPECT_EQ(world_.searches(), before);
}

TEST_F(TenThousandAgents, SearchAtMostOnceForEachPathThatADoorCuts) {
  std::uint64_t cut = 0;
  for (std::uint64_t id = 1; id <= 60; ++id) {
    const int x = 30 + static_cast<int>(random_.below(600));
    const int y = 30 + static_cast<int>(random_.below(900));
    const std::uint64_t before = world_.searches();
    const ChangeAnswer answer = world_.block(id, {x, y, x + 1, y + 6});
    world_.settle();
    ASSERT_LE(world_.searches() - before, answer.invalidated_agents) << x << "," << y;
    cut += answer.invalidated_agents;
  }
  EXPECT_GT(cut, 30u);
}

// Doors a few steps ahead of an agent on a real map, which shut and open again.
TEST(Auto, RepairsMoreThanHalfOfWhatHappensNearTheAgent) {
  const auto file = test::shared_data("grid/brc202d.map");
  if (!file) GTEST_SKIP() << "the shared test data is not here";
  auto map = import_map(test::read_file(*file), MapFormat::kAuto, default_terrain(), {});
  ASSERT_TRUE(map.ok());
  const GridMap cells = *map;
  Random random(test::seed());
  SCOPED_TRACE(test::seed_trace());
  test::SmallWorld world(*std::move(map));
  const auto free_centre = [&] {
    for (;;) {
      const std::uint32_t i = random.below(static_cast<std::uint32_t>(cells.width * cells.height));
      if (!cells.classes[index(cells.cells[i])].forbidden)
        return test::SmallWorld::centre(static_cast<int>(i) % cells.width,
                                        static_cast<int>(i) / cells.width);
    }
  };
  for (std::uint64_t id = 1; id <= 50; ++id)
    world.put(test::SmallWorld::walker(id, free_centre(), free_centre()));
  world.settle(10'000'000);
  const auto figures = [&] {
    StrategyStats sum;
    for (const StrategyStats& strategy : world->stats().strategies) {
      sum.searches += strategy.searches;
      sum.repairs += strategy.repairs;
      sum.capped += strategy.capped;
    }
    return sum;
  };
  std::uint64_t events = 0;
  std::uint64_t repaired = 0;
  for (std::uint64_t id = 1; id <= 50; ++id) {
    for (std::uint32_t step = 2; step <= 14; step += 3) {
      const auto agent = world->agent(AgentId{id});
      if (!agent->verdict.path || agent->verdict.path->nodes.size() < 60) continue;
      const std::uint32_t cell = index(agent->verdict.path->nodes[step]);
      const auto x = static_cast<int>(cell) % cells.width;
      const auto y = static_cast<int>(cell) / cells.width;
      for (const bool shut : {true, false}) {
        const StrategyStats before = figures();
        if (shut) world.block(1, {x, y, x + 1, y + 1});
        if (!shut) world.shut(1, false);
        world.settle(10'000'000);
        const StrategyStats after = figures();
        if (after.searches == before.searches) continue;
        ++events;
        const auto repairs = after.repairs - before.repairs;
        if (repairs == after.searches - before.searches && after.capped == before.capped)
          ++repaired;
      }
    }
  }
  EXPECT_GT(events, 100u);
  EXPECT_GT(repaired * 2, events);
  RecordProperty("events", static_cast<int>(events));
  RecordProperty("repaired", static_cast<int>(repaired));
}

}  // namespace
}  // namespace repath
