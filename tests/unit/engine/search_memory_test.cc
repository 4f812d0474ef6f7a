// The memory of searches in progress and of kept ones, in worlds whose limit is too small for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "small_world.h"

namespace repath {
namespace {

using test::SmallWorld;

constexpr int kRoughSide = 512;
constexpr WorkUnits kSearchFrameUnits = 1280;  // a search takes several frames
constexpr int kSearchFramesMax = 10'000;

// Ground of two costs, where jump points cannot answer.
class RoughWorld : public SmallWorld {
 public:
  explicit RoughWorld(const EngineOptions& options)
      : SmallWorld(test::open_map(kRoughSide, kRoughSide), options) {
    weigh(1, {0, 100, kRoughSide, 300}, 2);
    settle();
  }

  static AgentSpec crosser(std::uint64_t id) {
    const int x = static_cast<int>(id);
    return walker(id, centre(x, 0), centre(kRoughSide - 1 - x, kRoughSide - 1));
  }
  // Runs one frame. Adds to `served` the agents that got a path, in their order.
  void step_frame(std::vector<std::uint64_t>* served, WorkUnits units = kSearchFrameUnits) {
    (*this)->step(units, now += 16'000);
    peak = std::max(peak, (*this)->stats().search_state_bytes);
    for (const AgentEvent& event : events()) {
      if (event.type != EventType::kNewPath) continue;
      EXPECT_EQ(event.path->optimality, Optimality::kOptimal);
      served->push_back(value(event.agent));
    }
  }
  // Runs frames until so many agents got a path.
  std::vector<std::uint64_t> serve(std::uint64_t agents) {
    std::vector<std::uint64_t> served;
    for (int frame = 0; frame < kSearchFramesMax && served.size() < agents; ++frame)
      step_frame(&served);
    EXPECT_EQ(served.size(), agents);
    return served;
  }

  std::uint64_t peak = 0;  // of the memory for search state
};

constexpr Strategy kSearchStrategies[] = {Strategy::kAuto, Strategy::kAStar, Strategy::kLpa,
                                          Strategy::kDStarLite, Strategy::kField};

// Returns what one search takes at the most.
std::uint64_t bytes_of_one(Strategy strategy) {
  EngineOptions options;
  options.strategy = strategy;
  RoughWorld world(options);
  world.put(RoughWorld::crosser(0));
  world.serve(1);
  return world.peak;
}

TEST(SearchMemory, IsExceededByOneSearchAtTheMost) {
  constexpr std::uint64_t kAgents = 12;
  for (const Strategy strategy : kSearchStrategies) {
    SCOPED_TRACE(static_cast<int>(strategy));
    const std::uint64_t one = bytes_of_one(strategy);
    EngineOptions options;
    options.strategy = strategy;
    options.search_memory_bytes = one;
    RoughWorld world(options);
    for (std::uint64_t id = 0; id < kAgents; ++id) world.put(RoughWorld::crosser(id));
    world.serve(kAgents);
    EXPECT_LE(world.peak, options.search_memory_bytes + one + one / 4);  // a round's part above
    EXPECT_LE(world->stats().search_state_bytes, options.search_memory_bytes);
  }
}

TEST(SearchMemory, OfNoSearchAtAllStillLetsOneRun) {
  for (const Strategy strategy : kSearchStrategies) {
    SCOPED_TRACE(static_cast<int>(strategy));
    EngineOptions options;
    options.strategy = strategy;
    options.search_memory_bytes = 1;
    RoughWorld world(options);
    for (std::uint64_t id = 0; id < 10; ++id) world.put(RoughWorld::crosser(id));
    world.serve(10);
  }
}

// The agent comes while searches of others hold all memory. It waits for the end of one.
TEST(SearchMemory, GoesToTheAgentOfTheHighestPriorityNext) {
  EngineOptions options;
  options.strategy = Strategy::kField;
  options.search_memory_bytes = bytes_of_one(Strategy::kField);
  RoughWorld world(options);
  for (std::uint64_t id = 0; id < 10; ++id) world.put(RoughWorld::crosser(id));
  std::vector<std::uint64_t> served;
  for (int frame = 0; frame < kSearchFramesMax && world.peak <= options.search_memory_bytes;
       ++frame)
    world.step_frame(&served);
  ASSERT_TRUE(served.empty());
  AgentSpec urgent = RoughWorld::crosser(20);
  urgent.priority = kPriorityMax;
  world.put(urgent);
  served = world.serve(11);
  EXPECT_EQ(std::ranges::find(served, 20u) - served.begin(), 1);
}

// Another cell stands in for the agent's in each frame, so that its search must begin again. It is
// answered by one that runs uncut in one frame, beside those that have to wait for memory.
TEST(SearchMemory, IsNotKeptFromAnAgentThatWalksInsideAnObstacle) {
  for (const Strategy strategy : kSearchStrategies) {
    SCOPED_TRACE(static_cast<int>(strategy));
    EngineOptions options;
    options.strategy = strategy;
    options.search_memory_bytes = bytes_of_one(strategy);
    RoughWorld world(options);
    world.block(2, {100, 10, 140, 40});
    for (std::uint64_t id = 0; id < 12; ++id) world.put(RoughWorld::crosser(id));
    AgentSpec inside = RoughWorld::crosser(5);
    inside.position = SmallWorld::centre(110, 11);
    inside.snap_start = true;
    world.put(inside);
    std::vector<std::uint64_t> served;
    for (int frame = 0; frame < kSearchFramesMax && served.size() < 12; ++frame) {
      world.report(5, SmallWorld::centre(110 + 2 * (frame % 5), 11));
      world.step_frame(&served, 32 * kSearchFrameUnits);
    }
    EXPECT_EQ(served.size(), 12u);
  }
}

}  // namespace
}  // namespace repath
