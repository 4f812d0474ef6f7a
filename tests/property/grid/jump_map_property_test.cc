// The words of grid/bits against their plain twins, and an edited jump map against a new one.
#include "grid/jps/jump_map.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "support/random_layers.h"
#include "support/seed.h"

namespace repath {
namespace {

using bits::Family;

// Returns a word with few, half or most bits set.
std::uint64_t random_word(Random* random) {
  const std::uint64_t word = random->next();
  switch (random->below(5)) {
    case 0:
      return word & random->next() & random->next() & random->next();
    case 1:
      return word | random->next() | random->next() | random->next();
    case 2:
      return random->below(2) == 0 ? 0 : ~std::uint64_t{0};
    default:
      return word;
  }
}

bits::Strip random_strip(Random* random) {
  return {random_word(random), random->below(2), random->below(2)};
}

TEST(Bits, TransposeAndTurnAsCellByCell) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 20; ++round) {
    bits::Matrix rows;
    for (std::uint64_t& row : rows) row = random_word(&random);
    bits::Matrix fast = rows;
    bits::Matrix plain = rows;
    bits::transpose(&fast);
    bits::plain::transpose(&plain);
    EXPECT_EQ(fast, plain);
    for (const Family family : {Family::kFalling, Family::kRising}) {
      EXPECT_EQ(bits::diagonals(family, rows), bits::plain::diagonals(family, rows));
      for (std::size_t d = 0; d < 64; ++d)
        EXPECT_EQ(bits::by_rows(family, rows[d], bits::mirror(rows[d]), d),
                  bits::plain::by_rows(family, rows[d], d));
    }
  }
}

TEST(Bits, StopsAndScanEndsAsCellByCell) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 2000; ++round) {
    const bits::Strip line = random_strip(&random);
    const bits::Strip left = random_strip(&random);
    const bits::Strip right = random_strip(&random);
    for (const CornerRule rule : {CornerRule::kNone, CornerRule::kOne}) {
      const std::uint64_t up = bits::stops<true>(line, left, right, rule);
      const std::uint64_t down = bits::stops<false>(line, left, right, rule);
      ASSERT_EQ(up, bits::plain::stops(line, left, right, rule, 1));
      ASSERT_EQ(down, bits::plain::stops(line, left, right, rule, -1));
      ASSERT_EQ(bits::scan_ends<true>(up, line.word), bits::plain::scan_ends(up, line.word, 1));
      ASSERT_EQ(bits::scan_ends<false>(down, line.word),
                bits::plain::scan_ends(down, line.word, -1));
    }
    const int y = static_cast<int>(random.below(64));
    ASSERT_EQ(bits::steps_forward(line.word, y), bits::plain::steps(line.word, y, true));
    ASSERT_EQ(bits::steps_back(line.word, y), bits::plain::steps(line.word, y, false));
  }
}

class JumpMapIsThatOfItsLayer : public testing::TestWithParam<CornerRule> {};

TEST_P(JumpMapIsThatOfItsLayer, AfterEveryEdit) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 150; ++round) {
    GridLayer layer = test::random_layer(&random);
    JumpMap map(layer, GetParam());
    const JumpMap first = map;
    const GridLayer first_layer = layer;
    for (int edit = 0; edit < 12; ++edit) {
      const std::vector<NodeId> cells = test::random_cells(&random, layer);
      test::flip(&layer, cells);
      map.update(layer, cells);
      const JumpMap anew(layer, GetParam());
      ASSERT_TRUE(map == anew) << "round " << round << ", edit " << edit;
      ASSERT_EQ(map.bytes(), anew.bytes());
    }
    // A copy does not see the edits.
    ASSERT_TRUE(first == JumpMap(first_layer, GetParam()));
  }
}

TEST_P(JumpMapIsThatOfItsLayer, WhateverIsEditedWhileItIsMade) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 300; ++round) {
    GridLayer layer = test::random_layer(&random);
    JumpMap map(layer, GetParam(), JumpMap::Unmade{});
    std::size_t steps = 0;
    while (!map.make(layer, &steps)) {
      ASSERT_EQ(steps, 0u);
      ASSERT_FALSE(map.is_made());
      const std::vector<NodeId> cells = test::random_cells(&random, layer);
      test::flip(&layer, cells);
      map.update(layer, cells);
      steps = random.below(8);
    }
    ASSERT_TRUE(map.is_made());
    const JumpMap anew(layer, GetParam());
    ASSERT_TRUE(map == anew) << "round " << round;
    ASSERT_EQ(map.bytes(), anew.bytes());
  }
}

INSTANTIATE_TEST_SUITE_P(EveryRule, JumpMapIsThatOfItsLayer,
                         testing::Values(CornerRule::kNone, CornerRule::kOne),
                         [](const auto& test) {
                           return test.param == CornerRule::kNone ? "NoCorners" : "OneFlank";
                         });

}  // namespace
}  // namespace repath
