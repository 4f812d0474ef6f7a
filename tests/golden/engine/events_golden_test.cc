// The events of fixed games by strategy: the bytes of every event, and the work for them. Equal in
// Debug and Release, on every machine and with any number of workers.
//
// Another hash means that some agent gets another event; more expansions mean wasted work. If
// either is intended, change the figures here, and explain it in the commit.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "sim/engine/game.h"
#include "support/thread_executor.h"

namespace repath {
namespace {

struct Golden {
  Strategy strategy;
  std::string name;
  std::uint64_t events;
  std::uint64_t events_hash;
  std::uint64_t expansions;
};
void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

class EventsOfFixedGames : public testing::TestWithParam<Golden> {};

TEST_P(EventsOfFixedGames, AreTheSameBytes) {
  const Golden& golden = GetParam();
  for (const std::size_t workers : {0u, 2u}) {
    test::ThreadExecutor executor(workers);
    std::uint64_t hash = 0;
    std::uint64_t events = 0;
    std::uint64_t expansions = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      test::GameOptions options;
      options.seed = seed;
      options.strategy = golden.strategy;
      options.budget_max = seed % 2 == 0 ? 120 : 2000;
      options.judged = false;
      const test::GameResult result = test::Game(options, executor).play();
      hash = mix(hash ^ result.events_hash);
      events += result.events;
      for (const StrategyStats& s : result.stats.strategies) expansions += s.expansions;
    }
    EXPECT_EQ(events, golden.events);
    EXPECT_EQ(hash, golden.events_hash);
    EXPECT_EQ(expansions, golden.expansions);
  }
}

INSTANTIATE_TEST_SUITE_P(
    ByStrategy, EventsOfFixedGames,
    testing::Values(Golden{Strategy::kAuto, "Auto", 1651, 6030962338313911528u, 82255},
                    Golden{Strategy::kAStar, "AStar", 1592, 15960800552835212656u, 75675},
                    Golden{Strategy::kLpa, "Lpa", 1707, 6016795446632349130u, 86889},
                    Golden{Strategy::kDStarLite, "DStarLite", 1613, 15857428373242497400u, 84647},
                    Golden{Strategy::kField, "Field", 1517, 5081518022958525681u, 83013}),
    [](const auto& test) { return test.param.name; });

// The work includes that of detours in crowds, which no strategy counts.
TEST(EventsOfFixedCrowds, AreTheSameBytes) {
  for (const std::size_t workers : {0u, 4u}) {
    test::ThreadExecutor executor(workers);
    std::uint64_t hash = 0;
    std::uint64_t bounded = 0;
    WorkUnits units = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      test::GameOptions options;
      options.seed = seed;
      options.agents = 40;
      options.budget_max = 2000;
      options.judged = false;
      options.crowds = true;
      const test::GameResult result = test::Game(options, executor).play();
      hash = mix(hash ^ result.events_hash);
      bounded += result.bounded;
      units += result.stats.work_units;
    }
    EXPECT_EQ(hash, 15336686209656468279u);
    EXPECT_EQ(bounded, 193u);
    EXPECT_EQ(units, 226469u);
  }
}

TEST(EventsOfFixedFirstLegs, AreTheSameBytes) {
  for (const std::size_t workers : {0u, 4u}) {
    test::ThreadExecutor executor(workers);
    std::uint64_t hash = 0;
    std::uint64_t legs = 0;
    WorkUnits leg_units = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      test::GameOptions options;
      options.seed = seed;
      options.strategy = static_cast<Strategy>(seed % 5);
      options.side_max = 70;
      options.agents = 40;
      options.budget_max = 400;
      options.judged = false;
      options.legs = true;
      const test::GameResult result = test::Game(options, executor).play();
      hash = mix(hash ^ result.events_hash);
      legs += result.stats.first_legs;
      leg_units += result.stats.leg_work_units;
    }
    EXPECT_EQ(hash, 4950751867469093840u);
    EXPECT_EQ(legs, 32u);
    EXPECT_EQ(leg_units, 219031u);
  }
}

}  // namespace
}  // namespace repath
