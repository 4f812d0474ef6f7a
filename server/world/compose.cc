#include "world/compose.h"

#include <algorithm>
#include <bit>
#include <memory>

namespace repath {
namespace {

// Returns the bits [from, to) set, 0 <= from < to <= 64.
std::uint64_t bit_range(std::int32_t from, std::int32_t to) {
  const std::uint64_t up_to = to == kTileSide ? ~std::uint64_t{0} : (std::uint64_t{1} << to) - 1;
  return up_to & ~std::uint64_t{0} << from;
}

Tile::Factors::iterator row_of(Tile* tile, std::size_t ly) {
  return tile->factors->begin() + static_cast<std::ptrdiff_t>(ly * kTileSide);
}

}  // namespace

Cover cover_of(const Obstacle& obstacle, bool is_body) {
  Cover cover{obstacle.spec.id, &obstacle.cells, obstacle.spec.effect, obstacle.spec.teams};
  if (is_body) cover.body = AgentId{value(obstacle.spec.id)};
  return cover;
}

std::uint64_t bits_in_row(const CellSpans& cells, std::int32_t tx, std::int32_t y) {
  const std::int32_t left = tx << kTileBits;
  std::uint64_t bits = 0;
  for (std::size_t i = first_span_of_row(cells, y); i < cells.size() && cells[i].y == y; ++i) {
    const std::int32_t from = std::max(cells[i].x0 - left, 0);
    const std::int32_t to = std::min(cells[i].x1 - left, kTileSide);
    if (from < to) bits |= bit_range(from, to);
  }
  return bits;
}

void covers_in_row(std::span<const Cover> covers, std::int32_t tx, std::int32_t y,
                   std::vector<CoverBits>* row) {
  row->clear();
  for (const Cover& cover : covers) {
    if (y < cover.cells->front().y || y > cover.cells->back().y) continue;
    const std::uint64_t bits = bits_in_row(*cover.cells, tx, y);
    if (bits != 0) row->push_back({bits, cover.effect, cover.teams, cover.body});
  }
}

std::uint64_t changed_bits(const Tile& tile, std::size_t ly, const RowState& row) {
  std::uint64_t changed = tile.free[ly] ^ row.free;
  if (!tile.factors && !row.weighted) return changed;
  for (std::size_t x = 0; x < kTileSide; ++x) {
    const Factor before = tile.factors ? (*tile.factors)[ly * kTileSide + x] : kFactorOne;
    const Factor after = row.weighted ? row.factors[x] : kFactorOne;
    changed |= std::uint64_t{before != after} << x;
  }
  return changed;
}

void append_nodes(std::uint64_t bits, NodeId first, std::vector<NodeId>* nodes) {
  for (; bits != 0; bits &= bits - 1)
    nodes->push_back(NodeId{index(first) + static_cast<std::uint32_t>(std::countr_zero(bits))});
}

void write_row(const RowState& row, std::size_t ly, Tile* tile) {
  tile->free[ly] = row.free;
  if (row.weighted) {
    if (!tile->factors) {
      tile->factors = std::make_unique<Tile::Factors>();
      tile->factors->fill(kFactorOne);
    }
    std::copy(row.factors.begin(), row.factors.end(), row_of(tile, ly));
  } else if (tile->factors) {
    std::fill_n(row_of(tile, ly), kTileSide, kFactorOne);
  }
}

void trim(Tile* tile) {
  if (tile->factors && std::all_of(tile->factors->begin(), tile->factors->end(),
                                   [](Factor f) { return f == kFactorOne; })) {
    tile->factors.reset();
  }
}

}  // namespace repath
