// Draws grid maps and layers as text in a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "grid/cells/layer.h"
#include "grid/cells/map_import.h"
#include "grid/cells/terrain.h"

namespace repath::test {

// Returns a map from rows as in a text map (grid/cells/map_import.h), with the built-in terrain
// classes.
inline GridMap draw_map(const std::vector<std::string_view>& rows) {
  std::string text;
  for (const std::string_view row : rows) text += std::string(row) + "\n";
  auto map = import_map(text, MapFormat::kText, default_terrain(), ImportLimits{});
  REPATH_CHECK(map.ok());
  return *std::move(map);
}

// Returns free ground of this size.
inline GridMap open_map(std::int32_t width, std::int32_t height) {
  GridMap map{.width = width, .height = height, .cells = {}};
  map.cells.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  return map;
}

// Returns the layer with these cells: '#' blocked, '.' free, a digit free with that factor.
inline GridLayer draw_layer(const std::vector<std::string_view>& rows) {
  const auto width = static_cast<std::int32_t>(rows.front().size());
  const auto height = static_cast<std::int32_t>(rows.size());
  GridLayer layer(width, height);
  for (std::int32_t ty = 0; ty < layer.tiles_y(); ++ty)
    for (std::int32_t tx = 0; tx < layer.tiles_x(); ++tx) {
      TileRef ref(new Tile);
      Tile& tile = ref.writable();
      for (std::int32_t i = 0; i < kTileSide * kTileSide; ++i) {
        const std::int32_t x = tx * kTileSide + i % kTileSide;
        const std::int32_t y = ty * kTileSide + i / kTileSide;
        if (x >= width || y >= height) continue;
        const char c = rows[static_cast<std::size_t>(y)].at(static_cast<std::size_t>(x));
        if (c == '#') continue;
        tile.free[static_cast<std::size_t>(i / kTileSide)] |= std::uint64_t{1} << (i % kTileSide);
        if (c == '.' || c == '1') continue;
        if (!tile.factors) {
          tile.factors = std::make_unique<Tile::Factors>();
          tile.factors->fill(kFactorOne);
        }
        (*tile.factors)[static_cast<std::size_t>(i)] = to_factor(c - '0');
      }
      layer.replace_tile(tx, ty, std::move(ref));
    }
  return layer;
}

// Returns the layer as text: '#' blocked, '.' free, one row on each line.
inline std::string drawing(const GridLayer& layer) {
  std::string text;
  for (std::int32_t y = 0; y < layer.height(); ++y) {
    for (std::int32_t x = 0; x < layer.width(); ++x) text += layer.is_free(x, y) ? '.' : '#';
    text += '\n';
  }
  return text;
}

}  // namespace repath::test
