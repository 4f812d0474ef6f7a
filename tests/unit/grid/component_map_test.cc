#include "grid/components/component_map.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/ascii_grid.h"
#include "support/random_layers.h"

namespace repath {
namespace {

constexpr std::int32_t kBlock = BlockLabels::kSide * kTileSide;  // in cells

// Free ground of three blocks side by side, each with a closed box of one cell in its middle.
GridLayer three_blocks() {
  const std::string free(3 * kBlock, '.');
  std::vector<std::string> rows(300, free);
  for (const std::int32_t x : {256, 768, 1280})
    for (std::int32_t y = 149; y <= 151; ++y)
      for (std::int32_t dx = -1; dx <= 1; ++dx)
        if (y != 150 || dx != 0)
          rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x + dx)] = '#';
  return test::draw_layer({rows.begin(), rows.end()});
}

ComponentMap::Answer ask(const ComponentMap& map, NodeId from, NodeId to) {
  return map.ask(from, {&to, 1});
}

TEST(ComponentMap, WhatTouchesNoOtherBlockIsKnownByItsOwn) {
  const GridLayer layer = three_blocks();
  const ComponentMap map(layer, Topology::k8);
  const NodeId outside = layer.node_at(10, 10);
  const NodeId boxed = layer.node_at(1280, 150);
  EXPECT_EQ(ask(map, outside, boxed), ComponentMap::Answer::kUnknown);
  ASSERT_TRUE(map.label(map.block_of(boxed)));
  EXPECT_EQ(ask(map, outside, boxed), ComponentMap::Answer::kApart);
  EXPECT_EQ(ask(map, boxed, outside), ComponentMap::Answer::kApart);
  EXPECT_EQ(ask(map, boxed, boxed), ComponentMap::Answer::kTogether);
}

TEST(ComponentMap, WhatTouchesOthersTakesThemAll) {
  const GridLayer layer = three_blocks();
  const ComponentMap map(layer, Topology::k8);
  const NodeId left = layer.node_at(10, 10);
  const NodeId right = layer.node_at(1500, 10);
  for (std::uint32_t block = 0; block < map.block_count(); ++block) {
    EXPECT_EQ(ask(map, left, right), ComponentMap::Answer::kUnknown);
    EXPECT_FALSE(map.join());
    ASSERT_TRUE(map.label(block));
  }
  EXPECT_EQ(ask(map, left, right), ComponentMap::Answer::kUnknown);
  ASSERT_TRUE(map.join());
  EXPECT_EQ(ask(map, left, right), ComponentMap::Answer::kTogether);
}

TEST(ComponentMap, ABlockedCellHangsTogetherWithNone) {
  const GridLayer layer = three_blocks();
  const ComponentMap map(layer, Topology::k8);
  const NodeId wall = layer.node_at(255, 150);
  EXPECT_EQ(ask(map, wall, layer.node_at(0, 0)), ComponentMap::Answer::kApart);
  EXPECT_EQ(ask(map, layer.node_at(0, 0), wall), ComponentMap::Answer::kApart);
  EXPECT_EQ(ask(map, wall, wall), ComponentMap::Answer::kApart);
}

TEST(ComponentMap, AnEditForgetsOneBlockAndKeepsTheLabelsOfItsOtherTiles) {
  GridLayer layer = three_blocks();
  ComponentMap map(layer, Topology::k8);
  const WorkUnits fresh = map.units_to_label(1);
  for (std::uint32_t block = 0; block < map.block_count(); ++block) ASSERT_TRUE(map.label(block));
  ASSERT_TRUE(map.join());
  const std::uint64_t bytes = map.memory().bytes;
  const ComponentMap before = map;
  test::flip(&layer, {layer.node_at(768, 149)});
  map.update(layer);
  EXPECT_FALSE(map.is_joined());
  EXPECT_EQ(map.units_to_label(0), 0u);
  EXPECT_GT(map.units_to_label(1), 0u);
  EXPECT_LT(map.units_to_label(1), fresh / 4);
  EXPECT_EQ(map.units_to_label(2), 0u);
  ASSERT_TRUE(map.label(1));
  // The memory of one block and one tile.
  EXPECT_LT(map.memory().bytes - bytes, sizeof(BlockLabels) + sizeof(TileLabels) + 2000);
  ASSERT_TRUE(map.join());
  const NodeId outside = layer.node_at(10, 10);
  EXPECT_EQ(ask(map, outside, layer.node_at(768, 150)), ComponentMap::Answer::kTogether);
  EXPECT_EQ(ask(before, outside, layer.node_at(768, 150)), ComponentMap::Answer::kApart);
}

TEST(ComponentMap, AChangeOfFactorsForgetsNothing) {
  GridLayer layer = three_blocks();
  ComponentMap map(layer, Topology::k8);
  for (std::uint32_t block = 0; block < map.block_count(); ++block) ASSERT_TRUE(map.label(block));
  ASSERT_TRUE(map.join());
  TileRef heavy(new Tile(layer.tile(0, 0)));
  heavy.writable().factors = std::make_unique<Tile::Factors>();
  heavy.writable().factors->fill(to_factor(2));
  layer.replace_tile(0, 0, heavy);
  map.update(layer);
  EXPECT_TRUE(map.is_joined());
}

// A corner of tiles and a corner of blocks, each with one cell on either side.
TEST(ComponentMap, OnlyHexagonsTouchAcrossCorners) {
  std::vector<std::string> rows(600, std::string(600, '#'));
  for (const std::size_t i : {63, 64, 511, 512}) rows[i][i] = '.';
  const GridLayer layer = test::draw_layer({rows.begin(), rows.end()});
  for (const Topology topology : {Topology::k8, Topology::kHex}) {
    const ComponentMap map(layer, topology);
    for (std::uint32_t block = 0; block < map.block_count(); ++block) ASSERT_TRUE(map.label(block));
    ASSERT_TRUE(map.join());
    const auto expected =
        topology == Topology::kHex ? ComponentMap::Answer::kTogether : ComponentMap::Answer::kApart;
    EXPECT_EQ(ask(map, layer.node_at(63, 63), layer.node_at(64, 64)), expected);
    EXPECT_EQ(ask(map, layer.node_at(511, 511), layer.node_at(512, 512)), expected);
    EXPECT_EQ(ask(map, layer.node_at(63, 63), layer.node_at(511, 511)),
              ComponentMap::Answer::kApart);
  }
}

TEST(ComponentMap, BeyondItsMemoryItKnowsNothingMore) {
  const GridLayer layer = three_blocks();
  const ComponentMap map(layer, Topology::k8, Cow<FactMemory>(new FactMemory(0)));
  EXPECT_FALSE(map.label(0));
  EXPECT_FALSE(map.join());
  EXPECT_EQ(ask(map, layer.node_at(0, 0), layer.node_at(1, 0)), ComponentMap::Answer::kUnknown);
}

}  // namespace
}  // namespace repath
