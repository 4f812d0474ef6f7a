// Every verdict and every silence of the engine against a plain model, in random games.
#include <gtest/gtest.h>

#include "base/executor.h"
#include "sim/engine/game.h"
#include "support/seed.h"

namespace repath {
namespace {

void play_games(Strategy strategy, int games, test::Walkers walkers = test::Walkers::kPoints) {
  SCOPED_TRACE(test::seed_trace());
  InlineExecutor executor;
  for (int i = 0; i < games; ++i) {
    test::GameOptions options;
    options.seed = test::seed() + static_cast<std::uint64_t>(i) * 7919;
    options.strategy = strategy;
    options.walkers = walkers;
    const int kind = i % 4;  // budgets from starved to plentiful
    options.budget_max = kind == 0 ? 20 : kind == 1 ? 120 : kind == 2 ? 1000 : 100'000;
    SCOPED_TRACE(::testing::Message() << "game " << i);
    test::Game(options, executor).play();
    if (::testing::Test::HasFatalFailure()) return;
  }
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

}  // namespace
}  // namespace repath
