#include "world/codec.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "support/seed.h"

namespace repath {
namespace {

ChangeBatch one_of_each() {
  return {
      .upsert_obstacles =
          {{.id = ObstacleId{1}, .shape = CellRect{-1, 2, 3, 4}},
           {.id = ObstacleId{~std::uint64_t{0}},
            .shape = Box{{1.5, -2}, 3, 4, 0.25},
            .effect = {false, 7.5}},
           {.id = ObstacleId{3}, .shape = Circle{{1, 2}, 3}, .teams = 5, .enabled = false},
           {.id = ObstacleId{4}, .shape = Polygon{{{0, 0}, {1, 0}, {0, 1}}}}},
      .remove_obstacles = {ObstacleId{5}, ObstacleId{6}},
      .switch_obstacles = {{ObstacleId{7}, false}},
      .terrain_edits = {{{0, 0, 9, 9}, TerrainId{3}}},
      .add_profiles = {{.name = "boat",
                        .topology = Topology::k4,
                        .corner_rule = CornerRule::kOne,
                        .terrain_rules = {{TerrainId{4}, 2.5, false}},
                        .radius = 0.75}},
      .decay_influence = {{TeamId{31}, 15, 999, CellRect{0, 1, 2, 3}}, {TeamId{0}, 0, 0, {}}},
      .influence_edits = {{Circle{{1, 2}, 3}, TeamId{4}, 5, {LevelChange::Kind::kAdd, -7}},
                          {CellRect{0, 0, 1, 1}, TeamId{0}, 0, {LevelChange::Kind::kSet, 63936}}},
      .fog_edits = {{Circle{{1, 2}, 3}, TeamId{31}, false}, {CellRect{0, 0, 1, 1}, {}, true}},
      .stand = {{AgentId{7}, Circle{{1, 2}, 3}}, {AgentId{8}, CellRect{0, 0, 1, 1}}},
      .walk_on = {AgentId{9}}};
}

TEST(Codec, GivesBackWhatItWasGiven) {
  const ChangeBatch batch = one_of_each();
  const auto decoded = decode_batch(encode_batch(batch));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(*decoded, batch);
  EXPECT_EQ(*decode_batch(encode_batch({})), ChangeBatch{});
}

TEST(Codec, RefusesEveryCut) {
  const std::string bytes = encode_batch(one_of_each());
  for (std::size_t n = 0; n < bytes.size(); ++n)
    ASSERT_EQ(error_reason(decode_batch(std::string_view(bytes).substr(0, n)).status()),
              "BATCH_DAMAGED")
        << n;
  EXPECT_EQ(error_reason(decode_batch(bytes + "x").status()), "BATCH_DAMAGED");
}

TEST(Codec, RefusesAnotherVersion) {
  std::string bytes = encode_batch(one_of_each());
  bytes[0] = 2;
  EXPECT_EQ(error_reason(decode_batch(bytes).status()), "BATCH_VERSION");
}

TEST(Codec, TakesAnyDamageWithoutHarm) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  const std::string good = encode_batch(one_of_each());
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = good;
    for (std::uint32_t k = 1 + random.below(4); k > 0; --k)
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
          static_cast<char>(random.below(256));
    const auto decoded = decode_batch(bytes);
    refused += decoded.ok() ? 0 : 1;
    if (decoded.ok()) {
      ASSERT_EQ(encode_batch(*decoded), bytes) << "what is taken is the one way to write it";
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace repath
