// Every verdict and every silence of the engine against a plain model, in random games.
#include <gtest/gtest.h>

#include "base/executor.h"
#include "sim/engine/game.h"
#include "support/seed.h"

namespace repath {
namespace {

// Plays game number `i` from `seed` on.
void play_game(std::uint64_t seed, int i, Strategy strategy, test::Walkers walkers) {
  InlineExecutor executor;
  test::GameOptions options;
  options.seed = seed + static_cast<std::uint64_t>(i) * 7919;
  options.strategy = strategy;
  options.walkers = walkers;
  const int kind = i % 4;  // budgets from tiny to ample
  options.budget_max = kind == 0 ? 20 : kind == 1 ? 120 : kind == 2 ? 1000 : 100'000;
  SCOPED_TRACE(::testing::Message() << "game " << i);
  test::Game(options, executor).play();
}

void play_games(Strategy strategy, int games, test::Walkers walkers = test::Walkers::kPoints) {
  SCOPED_TRACE(test::seed_trace());
  for (int i = 0; i < games && !::testing::Test::HasFatalFailure(); ++i)
    play_game(test::seed(), i, strategy, walkers);
}

TEST(Verdicts, OfAutoAreTrueInEveryGame) { play_games(Strategy::kAuto, 60); }
TEST(Verdicts, OfAStarAreTrueInEveryGame) { play_games(Strategy::kAStar, 60); }
TEST(Verdicts, OfLpaAreTrueInEveryGame) { play_games(Strategy::kLpa, 60); }
TEST(Verdicts, OfDStarLiteAreTrueInEveryGame) { play_games(Strategy::kDStarLite, 60); }
TEST(Verdicts, OfFieldsAreTrueInEveryGame) { play_games(Strategy::kField, 60); }
TEST(Verdicts, OfAgentsWithARadiusAreTrueInEveryGame) {
  play_games(Strategy::kAuto, 40, test::Walkers::kSizes);
  play_games(Strategy::kField, 20, test::Walkers::kSizes);
}
TEST(Verdicts, OnHexagonsAreTrueInEveryGame) {
  for (const Strategy strategy :
       {Strategy::kAuto, Strategy::kAStar, Strategy::kLpa, Strategy::kDStarLite, Strategy::kField})
    play_games(strategy, 20, test::Walkers::kHexes);
}

// The claim of BOUNDED, and the meaning of silence after it.
TEST(Verdicts, OfAgentsThatKeepClearOfOthersAreTrueInEveryGame) {
  SCOPED_TRACE(test::seed_trace());
  InlineExecutor executor;
  std::uint64_t bounded = 0;
  for (int i = 0; i < 100 && !::testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE(::testing::Message() << "game " << i);
    test::GameOptions options;
    options.seed = test::seed() + static_cast<std::uint64_t>(i) * 7919;
    options.strategy = static_cast<Strategy>(i % 5);
    options.walkers = static_cast<test::Walkers>(i / 5 % 3);
    options.side_max = 24;
    options.agents = 30;
    options.budget_max = i % 2 == 0 ? 300 : 100'000;
    options.crowds = true;
    bounded += test::Game(options, executor).play().bounded;
  }
  EXPECT_GT(bounded, 1000u);
}

// Paths that are driven: their lines, their bounds, and the changes that close a line alone.
TEST(Verdicts, OfAgentsThatKeepATurningRadiusAreTrueInEveryGame) {
  SCOPED_TRACE(test::seed_trace());
  InlineExecutor executor;
  test::GameResult sum;
  for (int i = 0; i < 100 && !::testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE(::testing::Message() << "game " << i);
    test::GameOptions options;
    options.seed = test::seed() + static_cast<std::uint64_t>(i) * 7919;
    options.strategy = static_cast<Strategy>(i % 5);
    options.walkers = static_cast<test::Walkers>(i / 5 % 2);
    options.budget_max = i % 3 == 0 ? 100 : i % 3 == 1 ? 1000 : 100'000;
    options.curves = true;
    options.legs = i % 7 == 0;
    const test::GameResult game = test::Game(options, executor).play();
    sum.driven += game.driven;
    sum.tight += game.tight;
    sum.broken_beside += game.broken_beside;
  }
  EXPECT_GT(sum.driven, 1000u);
  EXPECT_GT(sum.tight, 300u);
  EXPECT_GT(sum.broken_beside, 5u);
}

// First legs, even on small maps: their bounds, the agents that get them, and the events after
// them. With these budgets searches take several frames.
TEST(Verdicts, OfAgentsThatGetAFirstLegAreTrueInEveryGame) {
  SCOPED_TRACE(test::seed_trace());
  InlineExecutor executor;
  std::uint64_t legs = 0;
  for (int i = 0; i < 60 && !::testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE(::testing::Message() << "game " << i);
    test::GameOptions options;
    options.seed = test::seed() + static_cast<std::uint64_t>(i) * 7919;
    options.strategy = static_cast<Strategy>(i % 5);
    options.walkers = static_cast<test::Walkers>(i / 5 % 2);
    options.side_max = i % 2 == 0 ? 40 : 70;
    options.agents = 30;
    options.frames = 40;
    options.budget_max = i % 4 < 2 ? 300 : 1500;
    options.crowds = i % 10 == 9;
    options.legs = true;
    legs += test::Game(options, executor).play().stats.first_legs;
  }
  EXPECT_GT(legs, 100u);
}

// Logs that forget the changes of a few batches, or of each: searches on the live ground, held
// paths and remembered ones lose what they would need.
TEST(Verdicts, OfWorldsThatForgetTheirChangesAreTrueInEveryGame) {
  SCOPED_TRACE(test::seed_trace());
  InlineExecutor executor;
  for (int i = 0; i < 90 && !::testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE(::testing::Message() << "game " << i);
    test::GameOptions options;
    options.seed = test::seed() + static_cast<std::uint64_t>(i) * 7919;
    options.strategy = static_cast<Strategy>(i % 5);
    options.walkers = static_cast<test::Walkers>(i / 5 % 3);
    options.agents = 30;
    options.budget_max = i % 3 == 0 ? 40 : i % 3 == 1 ? 200 : 1000;
    options.log_changes_max = i / 15 % 3 == 0 ? 0 : i / 15 % 3 == 1 ? 30 : 300;
    options.legs = i % 7 == 0;
    test::Game(options, executor).play();
  }
}

// Games in which silence once claimed too much: of agents that could reach nothing from their first
// place, or from beside a new obstacle that covered them, while another agent waited.
TEST(Verdicts, OfGamesThatOnceWentWrongAreTrue) {
  play_game(1, 10, Strategy::kAuto, test::Walkers::kSizes);
  play_game(8, 50, Strategy::kLpa, test::Walkers::kPoints);
  play_game(11, 50, Strategy::kField, test::Walkers::kPoints);
}

}  // namespace
}  // namespace repath
