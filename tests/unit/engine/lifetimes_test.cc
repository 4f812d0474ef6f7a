// A search must not outlive its question: agents are removed, or asked other questions, while their
// searches run, and then the world changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/engine/route_bed.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::SmallWorld;

constexpr int kMazeSide = 96;

// Walls from side to side with a gap at alternating ends, so that a search takes many frames.
GridMap long_maze() {
  std::string rows;
  for (int y = 0; y < kMazeSide; ++y) {
    std::string row(kMazeSide, '.');
    if (y % 4 == 2) {
      row.assign(kMazeSide, '#');
      row[y % 8 == 2 ? 0 : kMazeSide - 1] = '.';
    }
    rows += row + "\n";
  }
  return *import_map(rows, MapFormat::kText, default_terrain(), ImportLimits{});
}

AgentSpec maze_walker(std::uint64_t id, std::uint8_t team) {
  AgentSpec spec = SmallWorld::walker(id, SmallWorld::centre(1, 0), SmallWorld::centre(1, 95));
  spec.team = TeamId{team};
  return spec;
}

class SearchLifetimes : public ::testing::TestWithParam<Strategy> {
 protected:
  static EngineOptions options(std::uint64_t first_leg_cells) {
    EngineOptions options;
    options.strategy = GetParam();
    options.first_leg_cells = first_leg_cells;
    return options;
  }
  // Runs until the agent's search has begun; it is not done yet.
  static void begin_search(SmallWorld* world, std::uint64_t id) {
    const std::uint64_t before = world->searches();
    for (int frame = 0; frame < 10'000 && world->searches() == before; ++frame)
      (*world)->step(16, world->now += 1000);
    ASSERT_GT(world->searches(), before);
    ASSERT_TRUE((*world)->agent(AgentId{id})->waiting);
  }
  // Expects that the path of a new agent is complete and optimal.
  static void expect_right_answers(SmallWorld* world) {
    world->put(maze_walker(9, 0));
    world->settle();
    const AgentView view = *(*world)->agent(AgentId{9});
    ASSERT_TRUE(view.verdict.path.has_value());
    EXPECT_EQ(view.verdict.path->state, PathState::kComplete);
    EXPECT_EQ(view.verdict.path->optimality, Optimality::kOptimal);
  }
};

TEST_P(SearchLifetimes, TheLastAgentOfItsViewGoesDuringItsSearch) {
  for (const std::uint64_t legs : {std::uint64_t{1}, std::uint64_t{1} << 20}) {
    SmallWorld world(long_maze(), options(legs));
    world.put(maze_walker(1, 1));
    begin_search(&world, 1);
    const AgentId id{1};
    EXPECT_EQ(world->remove_agents(std::span(&id, 1), EventReason::kRemovedByClient), 1u);
    world.block(1, {40, 40, 42, 42});
    world->step(1000, world.now += 1000);
    expect_right_answers(&world);
  }
}

TEST_P(SearchLifetimes, TheLastAgentOfItsViewIsAskedForAnotherTeamDuringItsSearch) {
  for (const std::uint64_t legs : {std::uint64_t{1}, std::uint64_t{1} << 20}) {
    SmallWorld world(long_maze(), options(legs));
    world.put(maze_walker(1, 1));
    begin_search(&world, 1);
    world.put(maze_walker(1, 2));
    world.block(1, {40, 40, 42, 42});
    world->step(64, world.now += 1000);
    AgentSpec other = maze_walker(1, 2);
    other.goals = {SmallWorld::centre(50, 50)};
    world.put(other);
    world.shut(1, false);
    expect_right_answers(&world);
    EXPECT_FALSE(world->agent(AgentId{1})->waiting);
  }
}

TEST_P(SearchLifetimes, ANewAgentTakesThePlaceOfOneThatWentDuringItsSearch) {
  SmallWorld world(long_maze(), options(1));
  world.put(maze_walker(1, 1));
  begin_search(&world, 1);
  const AgentId id{1};
  world->remove_agents(std::span(&id, 1), EventReason::kRemovedByClient);
  world.put(maze_walker(2, 3));
  world.block(1, {40, 40, 42, 42});
  begin_search(&world, 2);
  world->remove_owner(OwnerId{1}, EventReason::kSessionExpired);
  world.shut(1, false);
  expect_right_answers(&world);
}

INSTANTIATE_TEST_SUITE_P(All, SearchLifetimes,
                         ::testing::Values(Strategy::kAuto, Strategy::kAStar, Strategy::kLpa,
                                           Strategy::kDStarLite, Strategy::kField));

TEST(RouteSearchLifetimes, TheLastAgentOfItsViewGoesDuringItsSearch) {
  test::RouteBed bed(test::plane(/*work=*/500));
  bed.put_block(1, {50, 10, 52, 30});
  AgentSpec spec = test::RouteBed::walker(1, {10, 20, 0}, {90, 20, 0});
  spec.team = TeamId{1};
  bed.put(spec);
  bed->step(64, bed.now += 1000);
  ASSERT_TRUE(bed->agent(AgentId{1})->waiting);
  const AgentId id{1};
  bed->remove_agents(std::span(&id, 1), EventReason::kRemovedByClient);
  bed.shut(1, false);
  spec.team = TeamId{2};
  bed.put(spec);
  bed->step(64, bed.now += 1000);
  spec.team = TeamId{3};
  bed.put(spec);
  bed.shut(1, true);
  EXPECT_EQ(bed.settle().back().type, EventType::kNewPath);
}

}  // namespace
}  // namespace repath
