// The same commands give the same events, byte for byte, with any number of workers.
#include <gtest/gtest.h>

#include "sim/engine/game.h"
#include "support/seed.h"
#include "support/thread_executor.h"

namespace repath {
namespace {

test::GameResult play(std::uint64_t seed, Strategy strategy, std::size_t workers, bool crowds,
                      bool legs) {
  test::ThreadExecutor executor(workers);
  test::GameOptions options;
  options.seed = seed;
  options.strategy = strategy;
  options.agents = 24;
  options.frames = 40;
  options.budget_max = 1500;
  options.judged = false;
  options.crowds = crowds;
  options.legs = legs;
  return test::Game(options, executor).play();
}

void expect_same_events(bool crowds, bool legs) {
  SCOPED_TRACE(test::seed_trace());
  for (int game = 0; game < 6; ++game) {
    const auto seed = test::seed() + static_cast<std::uint64_t>(game) * 104'729;
    const Strategy strategy = static_cast<Strategy>(game % 5);
    const test::GameResult alone = play(seed, strategy, 0, crowds, legs);
    EXPECT_GT(alone.events, 20u);
    for (const std::size_t workers : {1u, 2u, 4u}) {
      const test::GameResult shared = play(seed, strategy, workers, crowds, legs);
      EXPECT_EQ(shared.events_hash, alone.events_hash) << "game " << game << " " << workers;
      EXPECT_EQ(shared.stats.work_units, alone.stats.work_units);
    }
  }
}

TEST(Workers, AnyNumberOfThemGivesTheSameEvents) { expect_same_events(false, false); }
TEST(Workers, AnyNumberOfThemGivesTheSameEventsToAgentsThatKeepClearOfOthers) {
  expect_same_events(true, false);
}
TEST(Workers, AnyNumberOfThemGivesTheSameEventsWithFirstLegs) { expect_same_events(false, true); }

}  // namespace
}  // namespace repath
