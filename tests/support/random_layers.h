// Random layers of every kind that finds faults, and edits of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "grid/cells/layer.h"
#include "support/ascii_grid.h"

namespace repath::test {

// Blocks free cells and frees blocked ones. REQUIRES: the layer is uniform.
inline void flip(GridLayer* layer, const std::vector<NodeId>& cells) {
  for (const NodeId cell : cells) {
    const std::int32_t x = layer->x_of(cell);
    const std::int32_t y = layer->y_of(cell);
    TileRef tile(new Tile(layer->tile(x >> kTileBits, y >> kTileBits)));
    tile.writable().free[static_cast<std::size_t>(y & kTileMask)] ^= std::uint64_t{1}
                                                                     << (x & kTileMask);
    layer->replace_tile(x >> kTileBits, y >> kTileBits, std::move(tile));
  }
}

// Returns a side from 1 to 200, often one beside a border of tiles.
inline std::int32_t random_side(Random* random) {
  const auto near_border = static_cast<std::int32_t>(62 + random->below(5));
  switch (random->below(6)) {
    case 0:
      return 1 + static_cast<std::int32_t>(random->below(4));
    case 1:
      return near_border;
    case 2:
      return 64 + near_border;
    case 3:
      return 1 + static_cast<std::int32_t>(random->below(200));
    default:
      return 1 + static_cast<std::int32_t>(random->below(40));
  }
}

// Returns single cells, walls with gaps, or blocks of cells on free ground; sometimes the reverse.
inline GridLayer random_layer(Random* random) {
  const std::int32_t width = random_side(random);
  const std::int32_t height = random_side(random);
  const bool reverse = random->below(8) == 0;
  std::vector<std::string> rows(static_cast<std::size_t>(height),
                                std::string(static_cast<std::size_t>(width), reverse ? '#' : '.'));
  const auto change = [&](std::int32_t x, std::int32_t y, char c) {
    if (x >= 0 && y >= 0 && x < width && y < height)
      rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = c;
  };
  const auto below = [&](std::int32_t n) {
    return static_cast<std::int32_t>(random->below(static_cast<std::uint32_t>(n)));
  };
  const std::uint32_t percent = random->below(60);
  const char mark = reverse ? '.' : '#';
  switch (random->below(3)) {
    case 0:
      for (std::int32_t y = 0; y < height; ++y)
        for (std::int32_t x = 0; x < width; ++x)
          if (random->below(100) < percent) change(x, y, mark);
      break;
    case 1:
      for (std::uint32_t wall = 0; wall < percent; ++wall) {
        const bool across = random->below(2) == 0;
        const std::int32_t x = below(width), y = below(height), length = below(80);
        for (std::int32_t i = 0; i < length; ++i)
          if (random->below(20) != 0) change(across ? x + i : x, across ? y : y + i, mark);
      }
      break;
    default:
      for (std::uint32_t block = 0; block < percent; ++block) {
        const std::int32_t x = below(width), y = below(height), side = 1 + below(9);
        for (std::int32_t i = 0; i < side * side; ++i) change(x + i / side, y + i % side, mark);
      }
  }
  return draw_layer({rows.begin(), rows.end()});
}

// Returns random cells, each once.
inline std::vector<NodeId> random_cells(Random* random, const GridLayer& layer) {
  const auto width = static_cast<std::uint32_t>(layer.width());
  const auto height = static_cast<std::uint32_t>(layer.height());
  // A door, a few cells anywhere, or a large box.
  const std::uint32_t kind = random->below(4);
  const std::uint32_t x0 = random->below(width), y0 = random->below(height);
  std::uint32_t w = 1, h = 1;
  if (kind == 0) w = 1 + random->below(8);
  if (kind == 1) h = 1 + random->below(8);
  if (kind == 2) w = 1 + random->below(70), h = 1 + random->below(70);
  std::vector<NodeId> cells;
  for (std::uint32_t y = y0; y < y0 + h && y < height; ++y)
    for (std::uint32_t x = x0; x < x0 + w && x < width; ++x) cells.push_back(NodeId{y * width + x});
  if (kind == 3 && width * height > 1) {
    const NodeId other{random->below(width * height)};
    if (other != cells.front()) cells.push_back(other);
  }
  return cells;
}

}  // namespace repath::test
