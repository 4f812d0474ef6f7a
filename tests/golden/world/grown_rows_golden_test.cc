// The number of rows read to grow a door by the agents' radius. It is proportional to the area
// within reach, not to the map. A change that reads more must explain it.
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "support/ascii_grid.h"
#include "world/grower.h"

namespace repath {
namespace {

GridLayer open_layer(std::int32_t side) {
  const std::string row(static_cast<std::size_t>(side), '.');
  return test::draw_layer(std::vector<std::string_view>(static_cast<std::size_t>(side), row));
}

std::uint64_t rows_read(std::int32_t side, double radius, CellSpan door) {
  const GridLayer before = open_layer(side);
  GridLayer after = before;
  TileRef tile(new Tile(after.tile(door.x0 >> kTileBits, door.y >> kTileBits)));
  for (std::int32_t x = door.x0; x < door.x1; ++x)
    tile.writable().free[static_cast<std::size_t>(door.y & kTileMask)] &=
        ~(std::uint64_t{1} << (x & kTileMask));
  after.replace_tile(door.x0 >> kTileBits, door.y >> kTileBits, tile);
  return Grower(Disc(radius, Topology::k8), before, after, {{door, 0}}).rows_read();
}

TEST(GrownRowsGolden, OfADoorStaysFixed) {
  const CellSpan door{100, 98, 102};
  EXPECT_EQ(rows_read(256, 1, door), 9u);
  EXPECT_EQ(rows_read(256, 3, door), 49u);
  EXPECT_EQ(rows_read(256, 8, door), 289u);
  EXPECT_EQ(rows_read(1000, 8, door), 289u) << "whatever the map";
  EXPECT_EQ(rows_read(256, 8, {2, 98, 102}), 11 * 17u) << "fewer rows at the edge of the map";
  EXPECT_EQ(rows_read(256, 8, {100, 124, 128}), 2 * 289u) << "beside the next tile";
}

}  // namespace
}  // namespace repath
