// The connected parts of a block of a layer, 8 x 8 tiles of 64 x 64 cells: the parts of each tile,
// and the pieces that connected parts of several tiles form.
//
// The labels depend on the block's cells alone, so it does not matter which thread finds them, or
// when. Immutable once made; any thread may read them. All blocks with the same tile share its
// labels.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
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
  static constexpr std::int32_t kSide = 1 << kBits;  // in tiles
  static constexpr std::size_t kTiles = kSide * kSide;

  std::array<Cow<TileLabels>, kTiles> tiles;  // row by row; empty off the map
  std::array<std::uint32_t, kTiles> first{};  // number of each tile's first part
  // By part; two parts are connected within the block iff they are of one piece.
  std::vector<std::uint32_t> piece_of;
  std::uint32_t open = 0;  // pieces with smaller numbers touch other blocks
  HeldBytes held;          // without the memory of tiles

  // Returns the index of the tile in its block. O(1).
  static std::size_t index_of(std::int32_t tx, std::int32_t ty) {
    return static_cast<std::size_t>((ty & (kSide - 1)) << kBits | (tx & (kSide - 1)));
  }
  // Returns the piece of a cell. REQUIRES: a free cell of the block; the labels were made of this
  // layer. O(1).
  std::uint32_t piece_at(const GridLayer& layer, std::int32_t x, std::int32_t y) const {
    const std::int32_t tx = x >> kTileBits;
    const std::int32_t ty = y >> kTileBits;
    const std::size_t i = index_of(tx, ty);
    return piece_of[first[i] +
                    tiles[i]->labels.at(layer.tile(tx, ty).free, x & kTileMask, y & kTileMask)];
  }
};

// Labels the block whose first tile is (bx, by) times kSide. `before` is the same block of an
// earlier layer, or null; bit i of `touched` is set if its tile i may have changed since then.
// O(cells / 64) for new tiles, plus O(runs) at the borders of tiles.
Cow<BlockLabels> label_block(const GridLayer& layer, bool is_hex, std::int32_t bx, std::int32_t by,
                             const BlockLabels* before, std::uint64_t touched,
                             const Cow<FactMemory>& memory);

// The step to a neighbour.
struct TileStep {
  StackSide side;
  std::int32_t dx;
  std::int32_t dy;
};
inline constexpr std::array<TileStep, 3> kTileSteps{
    {{StackSide::kRight, 1, 0}, {StackSide::kBelow, 0, 1}, {StackSide::kCorner, 1, 1}}};

// A tile and its labels. Borrows both.
struct LabelledTile {
  const TileLabels* labels;
  RunRows<kTileSide> rows;
};
// Finds which labels of a tile and of its neighbour meet. Fills `out`.
void find_joints(const LabelledTile& own, const LabelledTile& other, StackSide side, bool is_hex,
                 std::vector<Joint>* out);

// Elements that are united into sets, by union-find with path halving.
class UnitedSets {
 public:
  explicit UnitedSets(std::size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), 0u);
  }
  // Returns the least element of the set.
  std::uint32_t find(std::uint32_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parents_;
};

}  // namespace repath
