// The changes that views remember for their searches (verdicts/delta_log.h) stay within the memory
// that all views together may use, and agents whose search outlives them still get right verdicts.
#include <gtest/gtest.h>

#include "support/street_graph.h"
#include "unit/engine/route_bed.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::RouteBed;
using test::SmallWorld;
using test::StreetGraph;

constexpr std::uint64_t kLogBytesMax = 20'000;
// For all else that grows: paths, and what is known of them.
constexpr std::uint64_t kSlack = 500'000;

EngineOptions options_with(Strategy strategy, std::uint64_t log_bytes_max) {
  EngineOptions options;
  options.strategy = strategy;
  options.search_memory_bytes = 100'000;
  options.log_bytes_max = log_bytes_max;
  return options;
}

// Puts an agent of each team into the world. Each has a view of its own.
template <class World>
void fill_views(World* world, MapPoint from, MapPoint to) {
  for (std::uint8_t team = 0; team < kTeams; ++team) {
    AgentSpec spec = World::walker(team, from, to);
    spec.team = TeamId{team};
    world->put(spec);
  }
}

TEST(LogMemory, ManyViewsOfAGridShareTheLimit) {
  SmallWorld world(test::open_map(64, 64), options_with(Strategy::kAuto, kLogBytesMax));
  fill_views(&world, SmallWorld::centre(1, 1), SmallWorld::centre(62, 62));
  world.block(1, {30, 5, 32, 60});
  world.settle();
  const std::uint64_t before = world->memory_bytes();
  for (int i = 0; i < 20; ++i) {
    world.shut(1, i % 2 == 1);
    world.settle();
    ASSERT_LE(world->memory_bytes(), before + kLogBytesMax + kSlack) << "switch " << i;
  }
}

TEST(LogMemory, ManyViewsOfAGraphShareTheLimit) {
  const StreetGraph streets;
  RouteBed bed(streets.make(), options_with(Strategy::kAuto, kLogBytesMax));
  fill_views(&bed, StreetGraph::point(1, 10), StreetGraph::point(18, 10));
  bed.settle();
  const std::uint64_t before = bed->memory_bytes();
  for (int i = 0; i < 200; ++i) {
    bed.apply(streets.shut(10, 10, i % 2 == 1));
    bed.settle();
    ASSERT_LE(bed->memory_bytes(), before + kLogBytesMax + kSlack) << "switch " << i;
  }
}

TEST(LogMemory, ManyViewsOfAMeshShareTheLimit) {
  RouteBed bed(test::plane(), options_with(Strategy::kAuto, kLogBytesMax));
  fill_views(&bed, {10, 20, 0}, {90, 20, 0});
  bed.put_block(1, {50, 10, 52, 30});
  bed.settle();
  const std::uint64_t before = bed->memory_bytes();
  for (int i = 0; i < 200; ++i) {
    bed.shut(1, i % 2 == 1);
    bed.settle();
    ASSERT_LE(bed->memory_bytes(), before + kLogBytesMax + kSlack) << "switch " << i;
  }
}

class ForgottenChanges : public ::testing::TestWithParam<Strategy> {};

// Each change takes more than the limit, so none is remembered. A search takes several frames.
TEST_P(ForgottenChanges, AnAgentOfAGridThatWaitsAcrossThemGetsItsPathOfToday) {
  SmallWorld world(test::open_map(64, 64), options_with(GetParam(), 1000));
  world.weigh(9, {0, 0, 64, 64}, 2);  // no ground for jump points, which would be too fast
  world.block(1, {30, 0, 32, 60});
  world.put(SmallWorld::walker(1, SmallWorld::centre(1, 1), SmallWorld::centre(62, 1)));
  world->step(100, world.now += 16'000);
  ASSERT_TRUE(world->agent(AgentId{1})->waiting);
  for (int i = 0; i < 4; ++i) {
    world.shut(1, i % 2 == 1);
    world->step(100, world.now += 16'000);
  }
  world.shut(1, false);
  world.settle();
  const AgentView open = *world->agent(AgentId{1});
  EXPECT_EQ(open.verdict.path->optimality, Optimality::kOptimal);
  EXPECT_EQ(open.held_cost, 61 * 2 * kStraightStep);

  world.shut(1, true);
  world.settle();
  world.put(SmallWorld::walker(2, SmallWorld::centre(1, 1), SmallWorld::centre(62, 1)));
  world.settle();
  EXPECT_GT(world->agent(AgentId{1})->held_cost, open.held_cost);
  EXPECT_EQ(world->agent(AgentId{1})->held_cost, world->agent(AgentId{2})->held_cost);
}

TEST_P(ForgottenChanges, AnAgentOfAGraphThatWaitsAcrossThemGetsItsPathOfToday) {
  const StreetGraph streets{.side = 40};
  RouteBed bed(streets.make(), options_with(GetParam(), 100));
  bed.put(RouteBed::walker(1, StreetGraph::point(1, 20), StreetGraph::point(38, 20)));
  bed->step(20, bed.now += 16'000);
  ASSERT_TRUE(bed->agent(AgentId{1})->waiting);
  for (int i = 0; i < 4; ++i) {
    bed.apply(streets.shut(20, 20, i % 2 == 1));
    bed->step(20, bed.now += 16'000);
  }
  bed.settle();
  EXPECT_EQ(units_from_route_cost(bed->agent(AgentId{1})->held_cost), 370);
  bed.apply(streets.shut(20, 20));
  bed.settle();
  EXPECT_EQ(units_from_route_cost(bed->agent(AgentId{1})->held_cost), 390);
}

INSTANTIATE_TEST_SUITE_P(All, ForgottenChanges,
                         ::testing::Values(Strategy::kAuto, Strategy::kAStar, Strategy::kLpa,
                                           Strategy::kDStarLite, Strategy::kField));

}  // namespace
}  // namespace repath
