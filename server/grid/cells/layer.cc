#include "grid/cells/layer.h"

#include <bit>
#include <utility>

#include "base/check.h"

namespace repath {

Tile::Tile(const Tile& other)
    : CowCounted(other),
      free(other.free),
      factors(other.factors ? std::make_unique<Factors>(*other.factors) : nullptr) {}

GridLayer::GridLayer(std::int32_t width, std::int32_t height) : width_(width), height_(height) {
  REPATH_CHECK(width >= 1 && height >= 1 && width <= 16384 && height <= 16384);
  tiles_x_ = (width + kTileMask) >> kTileBits;
  tiles_y_ = (height + kTileMask) >> kTileBits;
  // Granlund and Montgomery, "Division by invariant integers using multiplication", 1994: with 2^l
  // >= width, floor(2^(28 + l) / width) + 1 divides every number below 2^28 exactly.
  row_shift_ = 28 + static_cast<int>(std::bit_width(static_cast<std::uint32_t>(width - 1)));
  row_multiplier_ = (std::uint64_t{1} << row_shift_) / static_cast<std::uint64_t>(width) + 1;

  const auto tiles = static_cast<std::size_t>(tiles_x_) * static_cast<std::size_t>(tiles_y_);
  const TileRef blocked(new Tile);
  tile_bytes_ = tiles * blocked->bytes();
  pages_.reserve((tiles + kPageTiles - 1) / kPageTiles);
  for (std::size_t i = 0; i < tiles; i += kPageTiles) {
    Cow<Page> page(new Page);
    page.writable().tiles.fill(blocked);
    pages_.push_back(std::move(page));
  }
}

unsigned GridLayer::free_around_border(std::int32_t x, std::int32_t y) const {
  unsigned bits = 0;
  for (const std::int32_t row : {2, 1, 0})
    bits = bits << 3 | static_cast<unsigned>(free_from(x - 1, y - 1 + row) & 7);
  return bits;
}

std::optional<std::vector<NodeId>> GridLayer::free_cells(std::size_t most) const {
  std::vector<NodeId> cells;
  for (std::int32_t y = 0; y < height_; ++y)
    for (std::int32_t tx = 0; tx < tiles_x_; ++tx) {
      for (std::uint64_t word = free_word(tx, y); word != 0; word &= word - 1)
        cells.push_back(node_at(tx * kTileSide + std::countr_zero(word), y));
      if (cells.size() > most) return std::nullopt;
    }
  return cells;
}

std::uint64_t GridLayer::free_count() const {
  std::uint64_t count = 0;
  for (std::int32_t y = 0; y < height_; ++y)
    for (std::int32_t tx = 0; tx < tiles_x_; ++tx)
      count += static_cast<std::uint64_t>(std::popcount(free_word(tx, y)));
  return count;
}

void GridLayer::replace_tile(std::int32_t tx, std::int32_t ty, TileRef tile) {
  const auto i = static_cast<std::size_t>(ty) * static_cast<std::size_t>(tiles_x_) +
                 static_cast<std::size_t>(tx);
  TileRef& place = pages_[i / kPageTiles].writable().tiles[i % kPageTiles];
  weighted_tiles_ -= place->factors ? 1 : 0;
  weighted_tiles_ += tile->factors ? 1 : 0;
  tile_bytes_ -= place->bytes();
  tile_bytes_ += tile->bytes();
  place = std::move(tile);
}

}  // namespace repath
