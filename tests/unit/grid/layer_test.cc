#include "grid/cells/layer.h"

#include <gtest/gtest.h>

#include "support/ascii_grid.h"

namespace repath {
namespace {

TileRef all_free() {
  TileRef tile(new Tile);
  tile.writable().free.fill(~std::uint64_t{0});
  return tile;
}

TEST(GridLayer, IsBlockedAtFirstAndOutside) {
  const GridLayer layer(100, 70);
  EXPECT_FALSE(layer.is_free(0, 0));
  EXPECT_FALSE(layer.is_free(-1, 0));
  EXPECT_FALSE(layer.is_free(100, 0));
  EXPECT_FALSE(layer.is_free(0, 70));
  EXPECT_TRUE(layer.is_uniform());
}

TEST(GridLayer, NumbersNodesRowByRowForEveryWidth) {
  for (const std::int32_t width : {1, 2, 3, 63, 64, 65, 1000, 4097, 16383, 16384}) {
    const GridLayer layer(width, 16384);
    for (const std::int32_t y : {0, 1, 2, 777, 16382, 16383}) {
      for (const std::int32_t x : {0, width / 2, width - 1}) {
        const NodeId n = layer.node_at(x, y);
        ASSERT_EQ(layer.x_of(n), x) << width;
        ASSERT_EQ(layer.y_of(n), y) << width;
      }
    }
  }
}

TEST(GridLayer, CopiesKeepWhatTheySawWhileTheOriginalChanges) {
  GridLayer layer(200, 200);
  const GridLayer snapshot = layer;
  layer.replace_tile(1, 2, all_free());
  const GridLayer second = layer;
  layer.replace_tile(1, 2, TileRef(new Tile));
  EXPECT_FALSE(snapshot.is_free(64, 128));
  EXPECT_TRUE(second.is_free(64, 128));
  EXPECT_FALSE(layer.is_free(64, 128));
}

TEST(GridLayer, CopiesShareTheirTiles) {
  GridLayer layer(200, 200);
  layer.replace_tile(0, 0, all_free());
  const GridLayer copy = layer;
  layer.replace_tile(1, 1, all_free());
  EXPECT_EQ(&copy.tile(0, 0), &layer.tile(0, 0));
  EXPECT_NE(&copy.tile(1, 1), &layer.tile(1, 1));
}

TEST(GridLayer, CountsItsBytes) {
  GridLayer layer(200, 200);
  const std::uint64_t before = layer.bytes();
  TileRef tile = all_free();
  tile.writable().factors = std::make_unique<Tile::Factors>();
  layer.replace_tile(0, 0, tile);
  EXPECT_EQ(layer.bytes(), before + sizeof(Tile::Factors));
  EXPECT_FALSE(layer.is_uniform());
  layer.replace_tile(0, 0, TileRef(new Tile));
  EXPECT_EQ(layer.bytes(), before);
  EXPECT_TRUE(layer.is_uniform());
}

TEST(GridLayer, ShowsTheNeighbourhoodAcrossTiles) {
  GridLayer layer(130, 130);
  layer.replace_tile(0, 0, all_free());
  EXPECT_EQ(layer.free_around(10, 10), 0b111111111u);
  EXPECT_EQ(layer.free_around(0, 0), 0b110110000u);
  EXPECT_EQ(layer.free_around(63, 63), 0b000011011u);
  EXPECT_EQ(layer.free_around(64, 64), 0b000000001u);
}

TEST(Cow, CopiesAValueOnlyIfOthersHoldIt) {
  TileRef one(new Tile);
  const Tile* value = one.get();
  EXPECT_EQ(&one.writable(), value);
  const TileRef two = one;
  EXPECT_NE(&one.writable(), value);
  EXPECT_EQ(two.get(), value);
}

}  // namespace
}  // namespace repath
