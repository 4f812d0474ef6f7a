// Random games of the store, and that each planted fault is found by them.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "sim/store/store_game.h"
#include "support/seed.h"

namespace repath::sim {
namespace {

TEST(StoreGames, NothingAcknowledgedIsLostOrDoubled) {
  SCOPED_TRACE(test::seed_trace());
  for (std::uint64_t i = 0; i < 200; ++i) {
    const std::uint64_t seed = test::seed() + i;
    ASSERT_EQ(StoreGame(seed, {}).play(), "") << "seed " << seed;
  }
}

// Returns the number of games until the first violation; 0 if 1,000 games had none.
int games_until_caught(const PlantedFaults& planted) {
  GameOptions options;
  options.planted = planted;
  for (int i = 1; i <= 1000; ++i)
    if (!StoreGame(test::seed() + static_cast<std::uint64_t>(i), options).play().empty()) return i;
  return 0;
}

TEST(StoreGames, ASkippedSyncIsCaught) {
  PlantedFaults planted;
  planted.skip_sync = true;
  EXPECT_GT(games_until_caught(planted), 0);
}

TEST(StoreGames, ADroppedRecordIsCaught) {
  PlantedFaults planted;
  planted.drop_record = true;
  EXPECT_GT(games_until_caught(planted), 0);
}

TEST(StoreGames, AnAcknowledgementBeforeTheCommitIsCaught) {
  PlantedFaults planted;
  planted.acknowledge_early = true;
  EXPECT_GT(games_until_caught(planted), 0);
}

TEST(StoreGames, ASnapshotWithoutItsTailIsCaught) {
  PlantedFaults planted;
  planted.snapshot_without_tail = true;
  EXPECT_GT(games_until_caught(planted), 0);
}

}  // namespace
}  // namespace repath::sim
