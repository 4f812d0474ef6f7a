#include "grid/components/block_labels.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace repath {
namespace {

constexpr std::uint32_t kNoPiece = ~std::uint32_t{0};
using Rows = RunRows<kTileSide>;

bool is_all(Rows rows, std::uint64_t word) {
  return std::ranges::all_of(rows, [&](std::uint64_t row) { return row == word; });
}

// Makes labels that no FactMemory counts.
Cow<TileLabels> uniform_labels(std::uint64_t row) {
  std::array<std::uint64_t, kTileSide> rows;
  rows.fill(row);
  auto* tile = new TileLabels;
  tile->labels.label(rows);
  return Cow<TileLabels>(tile);
}

// Labels for all tiles whose cells are all free: one part, in every topology.
const Cow<TileLabels>& free_labels() {
  static const Cow<TileLabels> labels = uniform_labels(~std::uint64_t{0});
  return labels;
}
const Cow<TileLabels>& blocked_labels() {
  static const Cow<TileLabels> labels = uniform_labels(0);
  return labels;
}

Cow<TileLabels> label_tile(Rows rows, bool is_hex, const Cow<FactMemory>& memory) {
  if (is_all(rows, ~std::uint64_t{0})) return free_labels();
  if (is_all(rows, 0)) return blocked_labels();
  auto* tile = new TileLabels;
  Cow<TileLabels> made(tile);
  tile->labels.label(rows, is_hex);
  tile->held.hold(memory, sizeof(TileLabels) + tile->labels.bytes());
  return made;
}

std::uint64_t column(Rows rows, std::int32_t x) {
  std::uint64_t word = 0;
  for (std::size_t y = 0; y < rows.size(); ++y) word |= (rows[y] >> x & 1) << y;
  return word;
}

class BlockLabeller {
 public:
  BlockLabeller(const GridLayer& layer, bool is_hex, std::int32_t bx, std::int32_t by)
      : layer_(layer),
        is_hex_(is_hex),
        x0_(bx * BlockLabels::kSide),
        y0_(by * BlockLabels::kSide),
        x1_(std::min(x0_ + BlockLabels::kSide, layer.tiles_x())),
        y1_(std::min(y0_ + BlockLabels::kSide, layer.tiles_y())) {}

  void run(const BlockLabels* before, std::uint64_t touched, const Cow<FactMemory>& memory,
           BlockLabels* block) {
    block_ = block;
    const std::uint32_t parts = label_tiles(before, touched, memory);
    UnitedSets sets(parts);
    join_tiles(&sets);
    number_pieces(parts, &sets);
    block->held.hold(memory,
                     sizeof(BlockLabels) + block->piece_of.capacity() * sizeof(std::uint32_t));
  }

 private:
  template <class Visit>
  void for_each_tile(Visit visit) const {
    for (std::int32_t ty = y0_; ty < y1_; ++ty)
      for (std::int32_t tx = x0_; tx < x1_; ++tx) visit(tx, ty);
  }
  LabelledTile tile(std::int32_t tx, std::int32_t ty) const {
    return {block_->tiles[BlockLabels::index_of(tx, ty)].get(), layer_.tile(tx, ty).free};
  }

  // Returns the number of parts.
  std::uint32_t label_tiles(const BlockLabels* before, std::uint64_t touched,
                            const Cow<FactMemory>& memory) {
    std::uint32_t parts = 0;
    for_each_tile([&](std::int32_t tx, std::int32_t ty) {
      const std::size_t i = BlockLabels::index_of(tx, ty);
      const bool is_known = before != nullptr && (touched >> i & 1) == 0;
      block_->tiles[i] =
          is_known ? before->tiles[i] : label_tile(layer_.tile(tx, ty).free, is_hex_, memory);
      block_->first[i] = parts;
      parts += block_->tiles[i]->labels.count();
    });
    return parts;
  }

  void join_tiles(UnitedSets* sets) {
    std::vector<Joint> joints;
    for_each_tile([&](std::int32_t tx, std::int32_t ty) {
      for (const TileStep& step : kTileSteps) {
        const std::int32_t ox = tx + step.dx;
        const std::int32_t oy = ty + step.dy;
        if (ox >= x1_ || oy >= y1_) continue;
        find_joints(tile(tx, ty), tile(ox, oy), step.side, is_hex_, &joints);
        const std::uint32_t first = block_->first[BlockLabels::index_of(tx, ty)];
        const std::uint32_t other_first = block_->first[BlockLabels::index_of(ox, oy)];
        for (const Joint& joint : joints) sets->unite(first + joint.own, other_first + joint.other);
      }
    });
  }

  // Numbers the pieces; pieces that touch other blocks come first.
  void number_pieces(std::uint32_t parts, UnitedSets* sets) {
    std::vector<std::uint32_t>& pieces = block_->piece_of;
    pieces.assign(parts, kNoPiece);
    std::uint32_t next = 0;
    for_each_part_at_rim([&](std::uint32_t part) {
      std::uint32_t& piece = pieces[sets->find(part)];
      if (piece == kNoPiece) piece = next++;
    });
    block_->open = next;
    for (std::uint32_t part = 0; part < parts; ++part) {
      std::uint32_t& piece = pieces[sets->find(part)];
      if (piece == kNoPiece) piece = next++;
      pieces[part] = piece;
    }
  }

  // May visit the same part several times.
  template <class Visit>
  void for_each_part_at_rim(Visit visit) const {
    for_each_tile([&](std::int32_t tx, std::int32_t ty) {
      if (x0_ > 0 && tx == x0_) visit_line(tx, ty, false, 0, visit);
      if (x1_ < layer_.tiles_x() && tx == x1_ - 1) visit_line(tx, ty, false, kTileMask, visit);
      if (y0_ > 0 && ty == y0_) visit_line(tx, ty, true, 0, visit);
      if (y1_ < layer_.tiles_y() && ty == y1_ - 1) visit_line(tx, ty, true, kTileMask, visit);
    });
  }
  // Visits the part of each stretch of free cells once, at the first cell of the stretch.
  template <class Visit>
  void visit_line(std::int32_t tx, std::int32_t ty, bool is_row, std::int32_t line,
                  Visit visit) const {
    const Rows rows = layer_.tile(tx, ty).free;
    const std::uint64_t word = is_row ? rows[static_cast<std::size_t>(line)] : column(rows, line);
    for (std::uint64_t left = word & ~(word << 1); left != 0; left &= left - 1) {
      const std::int32_t at = std::countr_zero(left);
      visit(is_row ? part_at(tx, ty, at, line) : part_at(tx, ty, line, at));
    }
  }
  std::uint32_t part_at(std::int32_t tx, std::int32_t ty, std::int32_t x, std::int32_t y) const {
    const LabelledTile at = tile(tx, ty);
    return block_->first[BlockLabels::index_of(tx, ty)] + at.labels->labels.at(at.rows, x, y);
  }

  const GridLayer& layer_;
  bool is_hex_;
  std::int32_t x0_, y0_, x1_, y1_;  // in tiles, half-open
  BlockLabels* block_ = nullptr;
};

}  // namespace

Cow<BlockLabels> label_block(const GridLayer& layer, bool is_hex, std::int32_t bx, std::int32_t by,
                             const BlockLabels* before, std::uint64_t touched,
                             const Cow<FactMemory>& memory) {
  auto* block = new BlockLabels;
  Cow<BlockLabels> made(block);
  BlockLabeller(layer, is_hex, bx, by).run(before, touched, memory, block);
  return made;
}

void find_joints(const LabelledTile& own, const LabelledTile& other, StackSide side, bool is_hex,
                 std::vector<Joint>* out) {
  const TileLabels* all_free = free_labels().get();
  if (own.labels == all_free && other.labels == all_free && side != StackSide::kCorner)
    return out->assign(1, {});
  RunLabels<kTileSide>::find_joints(side, is_hex, own.labels->labels, own.rows,
                                    other.labels->labels, other.rows, out);
}

}  // namespace repath
