// What hangs together within a block of a layer, 8 x 8 tiles of 64 x 64 cells: the parts of each
// tile, and the pieces that parts of several tiles make.
//
// A function of the block's cells alone, so it does not matter who finds it, or when; immutable
// once made, to be read by any thread. Labels of tiles are shared by all that know the same tile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid/cells/cow.h"
#include "grid/cells/fact_memory.h"
#include "grid/cells/layer.h"
#include "grid/components/run_labels.h"

namespace repath {

struct TileLabels : CowCounted {
  RunLabels<kTileSide> labels;
  HeldBytes held;
};

struct BlockLabels : CowCounted {
  static constexpr std::int32_t kBits = 3;
  static constexpr std::int32_t kSide = 1 << kBits;  // tiles
  static constexpr std::size_t kTiles = kSide * kSide;

  std::array<Cow<TileLabels>, kTiles> tiles;  // row by row; empty off the map
  std::array<std::uint32_t, kTiles> first{};  // number of each tile's first part
  std::vector<std::uint32_t> piece_of;        // by part; parts hang together if they are of one
  std::uint32_t open = 0;                     // pieces below this one touch other blocks
  HeldBytes held;                             // without those of tiles

  // REQUIRES: the tile is one of the block's. O(1).
  static std::size_t index_of(std::int32_t tx, std::int32_t ty) {
    return static_cast<std::size_t>((ty & (kSide - 1)) << kBits | (tx & (kSide - 1)));
  }
  // REQUIRES: a free cell of the block, made of this layer. O(1).
  std::uint32_t piece_at(const GridLayer& layer, std::int32_t x, std::int32_t y) const {
    const std::int32_t tx = x >> kTileBits;
    const std::int32_t ty = y >> kTileBits;
    const std::size_t i = index_of(tx, ty);
    return piece_of[first[i] +
                    tiles[i]->labels.at(layer.tile(tx, ty).free, x & kTileMask, y & kTileMask)];
  }
};

// The block whose first tile is (tx, ty) times kSide. `before`, unless null: the same block of an
// earlier layer; bit i of `touched`: its tile i may have changed since. O(cells / 64) for tiles
// that are new, O(runs) at tiles' borders.
Cow<BlockLabels> label_block(const GridLayer& layer, bool is_hex, std::int32_t bx, std::int32_t by,
                             const BlockLabels* before, std::uint64_t touched,
                             const Cow<FactMemory>& memory);

// Where a tile's neighbour lies. kCorner: below to the right; touches it on hexagons only.
enum class TileSide : std::uint8_t { kRight, kBelow, kCorner };
struct TileStep {
  TileSide side;
  std::int32_t dx;
  std::int32_t dy;
};
inline constexpr std::array<TileStep, 3> kTileSteps{
    {{TileSide::kRight, 1, 0}, {TileSide::kBelow, 0, 1}, {TileSide::kCorner, 1, 1}}};

// A tile and its labels, for as long as whoever lent them.
struct LabelledTile {
  const TileLabels* labels;
  RunRows<kTileSide> rows;
};
// Which labels of a tile and of its neighbour meet. Fills `out`.
void find_joints(const LabelledTile& own, const LabelledTile& other, TileSide side, bool is_hex,
                 std::vector<Joint>* out);

// Things that come together, by union-find with path halving.
class UnitedSets {
 public:
  explicit UnitedSets(std::size_t count);
  // The least of its set.
  std::uint32_t find(std::uint32_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  void unite(std::uint32_t a, std::uint32_t b);

 private:
  std::vector<std::uint32_t> parents_;
};

}  // namespace repath
