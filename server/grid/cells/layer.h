// The view of a grid by one (profile, team) at one moment: each cell is free or blocked, and free
// cells have a cost factor.
//
// Cells are in tiles of 64 x 64, tiles in pages of 128. Copying a layer shares all of them
// (O(pages): 128 handles for 8192 x 8192). Changing a tile copies it if it is shared, so a copy is
// an immutable snapshot. Thread rule: one layer object belongs to one thread at a time. Copies are
// independent, so a copy may be read on any thread while the original changes. Concurrent reads of
// one object are safe while no thread writes it.
// 1. Cells outside [0, width) x [0, height) are blocked, in the tiles too.
// 2. A tile has factors only if one of its free cells has another factor than kFactorOne; the
//    factor of a blocked cell is kFactorOne. So equal content has equal tiles.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "grid/cells/costs.h"
#include "grid/cells/cow.h"

namespace repath {

inline constexpr int kTileBits = 6;
inline constexpr std::int32_t kTileSide = 1 << kTileBits;
inline constexpr std::int32_t kTileMask = kTileSide - 1;

struct Tile : CowCounted {
  using Factors = std::array<Factor, kTileSide * kTileSide>;  // row-major

  Tile() = default;
  Tile(const Tile& other);

  std::size_t bytes() const { return sizeof(Tile) + (factors ? sizeof(Factors) : 0); }

  std::array<std::uint64_t, kTileSide> free{};  // bit x of free[y]: the cell is free
  std::unique_ptr<Factors> factors;             // null: all kFactorOne
};
using TileRef = Cow<Tile>;

class GridLayer {
 public:
  // Makes a layer without cells.
  GridLayer() = default;
  // Makes a layer whose cells are all blocked. REQUIRES: sides in [1, 16384]. O(tiles), one tile of
  // memory.
  GridLayer(std::int32_t width, std::int32_t height);

  std::int32_t width() const { return width_; }
  std::int32_t height() const { return height_; }
  std::uint32_t node_count() const {
    return static_cast<std::uint32_t>(width_) * static_cast<std::uint32_t>(height_);
  }
  bool contains(std::int32_t x, std::int32_t y) const {
    return x >= 0 && y >= 0 && x < width_ && y < height_;
  }
  // REQUIRES for these three: contains(x, y), or a node of the layer.
  NodeId node_at(std::int32_t x, std::int32_t y) const {
    return NodeId{static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(width_) +
                  static_cast<std::uint32_t>(x)};
  }
  std::int32_t x_of(NodeId n) const {
    return static_cast<std::int32_t>(index(n)) - y_of(n) * width_;
  }
  // Multiplies and shifts instead of dividing; exact for node ids below 2^28.
  std::int32_t y_of(NodeId n) const {
    return static_cast<std::int32_t>((index(n) * row_multiplier_) >> row_shift_);
  }

  // Returns false for cells outside the layer.
  bool is_free(std::int32_t x, std::int32_t y) const {
    return contains(x, y) &&
           (tile_of(x, y).free[static_cast<std::size_t>(y & kTileMask)] >> (x & kTileMask) & 1u) !=
               0;
  }
  bool is_free(NodeId n) const { return is_free(x_of(n), y_of(n)); }
  // REQUIRES: contains(x, y).
  Factor factor(std::int32_t x, std::int32_t y) const {
    const Tile& tile = tile_of(x, y);
    return tile.factors ? (*tile.factors)[static_cast<std::size_t>((y & kTileMask) * kTileSide +
                                                                   (x & kTileMask))]
                        : kFactorOne;
  }
  // Returns whether every free cell has factor one.
  bool is_uniform() const { return weighted_tiles_ == 0; }

  // Returns the 3 x 3 free bits around (x, y): bit (dy + 1) * 3 + (dx + 1). REQUIRES: contains(x,
  // y).
  unsigned free_around(std::int32_t x, std::int32_t y) const {
    const std::int32_t lx = x & kTileMask;
    const std::int32_t ly = y & kTileMask;
    if (lx == 0 || ly == 0 || lx == kTileMask || ly == kTileMask) return free_around_border(x, y);
    const std::uint64_t* row = tile_of(x, y).free.data() + ly;
    const int shift = lx - 1;
    return static_cast<unsigned>((row[-1] >> shift & 7u) | (row[0] >> shift & 7u) << 3 |
                                 (row[1] >> shift & 7u) << 6);
  }

  std::int32_t tiles_x() const { return tiles_x_; }
  std::int32_t tiles_y() const { return tiles_y_; }
  // REQUIRES: 0 <= tx < tiles_x(), 0 <= ty < tiles_y().
  const Tile& tile(std::int32_t tx, std::int32_t ty) const {
    const auto i = static_cast<std::size_t>(ty) * static_cast<std::size_t>(tiles_x_) +
                   static_cast<std::size_t>(tx);
    return *pages_[i / kPageTiles]->tiles[i % kPageTiles];
  }
  // Returns the 64 free bits of row y of the map in tile column tx.
  std::uint64_t free_word(std::int32_t tx, std::int32_t y) const {
    return tile(tx, y >> kTileBits).free[static_cast<std::size_t>(y & kTileMask)];
  }

  // Returns the free bits of the 64 cells of row y from x on; cells off the map are not free.
  std::uint64_t free_from(std::int32_t x, std::int32_t y) const {
    if (y < 0 || y >= height_) return 0;
    const std::int32_t tx = x >> kTileBits;
    const int shift = x & kTileMask;
    const std::uint64_t low = tx < 0 ? 0 : free_word(tx, y) >> shift;
    if (shift == 0 || tx + 1 >= tiles_x_) return low;
    return low | free_word(tx + 1, y) << (64 - shift);
  }
  // Returns the free cells, ascending; nothing if there are more than `most`. O(rows of tiles +
  // most).
  std::optional<std::vector<NodeId>> free_cells(std::size_t most) const;
  // Returns the number of free cells. O(rows of tiles).
  std::uint64_t free_count() const;

  // Calls visit(tx, ty) for each tile that is not the same object as the one of `other` in that
  // place. If one layer is a changed copy of the other, all changes are in these tiles. REQUIRES:
  // the same size. O(pages + tiles of pages that differ).
  template <class Visit>
  void for_each_tile_not_of(const GridLayer& other, Visit visit) const {
    const auto columns = static_cast<std::size_t>(tiles_x_);
    const std::size_t tiles = columns * static_cast<std::size_t>(tiles_y_);
    for (std::size_t page = 0; page < pages_.size(); ++page) {
      if (pages_[page].get() == other.pages_[page].get()) continue;
      const std::size_t first = page * kPageTiles;
      for (std::size_t i = 0; i < kPageTiles && first + i < tiles; ++i)
        if (pages_[page]->tiles[i].get() != other.pages_[page]->tiles[i].get())
          visit(static_cast<std::int32_t>((first + i) % columns),
                static_cast<std::int32_t>((first + i) / columns));
    }
  }

  // Replaces a tile; copies the page if a copy of the layer shares it. `tile` must obey the
  // invariants.
  void replace_tile(std::int32_t tx, std::int32_t ty, TileRef tile);

  // Returns the memory; a tile shared with copies or between places counts each time. O(1).
  std::uint64_t bytes() const { return tile_bytes_ + pages_.size() * sizeof(Page); }

 private:
  static constexpr std::size_t kPageTiles = 128;
  struct Page : CowCounted {
    std::array<TileRef, kPageTiles> tiles;
  };

  const Tile& tile_of(std::int32_t x, std::int32_t y) const {
    return tile(x >> kTileBits, y >> kTileBits);
  }
  unsigned free_around_border(std::int32_t x, std::int32_t y) const;

  std::int32_t width_ = 0;
  std::int32_t height_ = 0;
  std::int32_t tiles_x_ = 0;
  std::int32_t tiles_y_ = 0;
  std::uint64_t row_multiplier_ = 0;
  int row_shift_ = 0;
  std::uint32_t weighted_tiles_ = 0;
  std::uint64_t tile_bytes_ = 0;
  std::vector<Cow<Page>> pages_;
};

// Returns whether the cell at (dx, dy) from the middle of a pattern of GridLayer::free_around() is
// free. dx and dy are in [-1, 1].
constexpr bool is_free_in(unsigned pattern, std::int32_t dx, std::int32_t dy) {
  return (pattern >> ((dy + 1) * 3 + dx + 1) & 1u) != 0;
}

}  // namespace repath
