// Reads the free bits of a row from any cell on, across tiles. Pure function, safe on any thread.
#pragma once

#include <cstdint>

#include "grid/cells/layer.h"

namespace repath {

// Returns a word whose bit i is set if the cell (x + i, y) is free; cells off the map are not free.
// O(1).
inline std::uint64_t free_cells(const GridLayer& layer, std::int32_t x, std::int32_t y) {
  if (y < 0 || y >= layer.height()) return 0;
  const std::int32_t tx = x >> kTileBits;
  const int shift = x & kTileMask;
  const std::uint64_t low = tx < 0 ? 0 : layer.free_word(tx, y) >> shift;
  if (shift == 0 || tx + 1 >= layer.tiles_x()) return low;
  return low | layer.free_word(tx + 1, y) << (64 - shift);
}

}  // namespace repath
