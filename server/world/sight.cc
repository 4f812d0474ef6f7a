#include "world/sight.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "base/check.h"

namespace repath {
namespace {

// Returns the lowest n of 64 bits, n in [1, 64].
std::uint64_t bits_of(std::size_t n) { return ~std::uint64_t{0} >> (kTileSide - n); }

// Returns the bits [from, to) set, 0 <= from < to <= 64.
std::uint64_t bit_range(std::int32_t from, std::int32_t to) {
  const std::uint64_t up_to = to == kTileSide ? ~std::uint64_t{0} : (std::uint64_t{1} << to) - 1;
  return up_to & ~std::uint64_t{0} << from;
}

Tile::Factors::iterator row_of(Tile* tile, std::size_t ly) {
  return tile->factors->begin() + static_cast<std::ptrdiff_t>(ly * kTileSide);
}

}  // namespace

Sight::Sight(const TerrainTable& classes, const Profile& profile, TeamId team,
             std::optional<AgentId> without)
    : team_(team), without_(without) {
  REPATH_CHECK(classes.size() <= kTerrainClassesMax);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    forbidden_[i] = classes[i].forbidden;
    factor_[i] = classes[i].factor;
  }
  for (const TerrainRule& rule : profile.terrain_rules) {
    forbidden_[index(rule.terrain)] = rule.forbidden;
    factor_[index(rule.terrain)] = rule.factor;
  }
  for (std::size_t i = 0; i < classes.size(); ++i) weighs_[i] = !forbidden_[i] && factor_[i] != 1;
}

RowState Sight::look(std::span<const TerrainId> terrain, std::span<const CoverBits> covers,
                     std::span<const LevelRow> levels) const {
  RowState row;
  bool weighs = false;
  for (std::size_t x = 0; x < terrain.size(); ++x) {
    row.free |= std::uint64_t{!forbidden_[index(terrain[x])]} << x;
    weighs = weighs || weighs_[index(terrain[x])];
  }
  for (const CoverBits& cover : covers) {
    if (!sees(cover.teams, cover.body)) continue;
    if (cover.effect.blocked) {
      row.free &= ~cover.bits;
    } else {
      weighs = true;
    }
  }
  row.free |= unseen_bits(levels) & bits_of(terrain.size());
  for (const LevelRow& level : levels) weighs = weighs || is_influence(level);
  if (weighs && row.free != 0) weigh(terrain, covers, levels, &row);
  return row;
}

std::uint64_t Sight::unseen_bits(std::span<const LevelRow> levels) const {
  std::uint64_t bits = 0;
  for (const LevelRow& level : levels) {
    if (level.key != PlaneKey{team_, PlaneKey::kUnseen}) continue;
    for (std::size_t x = 0; x < level.levels.size(); ++x)
      bits |= std::uint64_t{level.levels[x] != 0} << x;
  }
  return bits;
}

void Sight::weigh(std::span<const TerrainId> terrain, std::span<const CoverBits> covers,
                  std::span<const LevelRow> levels, RowState* row) const {
  std::array<double, kTileSide> factor;
  factor.fill(1);
  for (std::size_t x = 0; x < terrain.size(); ++x) factor[x] = factor_[index(terrain[x])];
  for (const CoverBits& cover : covers) {
    if (cover.effect.blocked || !sees(cover.teams, cover.body)) continue;
    for (std::size_t x = 0; x < factor.size(); ++x)
      if ((cover.bits >> x & 1u) != 0) factor[x] *= cover.effect.factor;
  }
  const std::uint64_t unseen = unseen_bits(levels);
  for (std::size_t x = 0; x < factor.size(); ++x)
    if ((unseen >> x & 1u) != 0) factor[x] = 1;
  for (const LevelRow& level : levels) {
    if (!is_influence(level)) continue;
    for (std::size_t x = 0; x < factor.size(); ++x)
      factor[x] *= 1 + static_cast<double>(level.levels[x]) / kLevelsPerFactor;
  }
  for (std::size_t x = 0; x < factor.size(); ++x) {
    const bool is_free = (row->free >> x & 1u) != 0;
    row->factors[x] = is_free ? to_factor(std::min(factor[x], kFactorMax)) : kFactorOne;
    row->weighted = row->weighted || row->factors[x] != kFactorOne;
  }
}

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

void TileCovers::set(std::span<const Cover> covers, std::int32_t tx, std::int32_t ty) {
  covers_ = covers;
  tx_ = tx;
  for (std::vector<std::uint32_t>& row : rows_) row.clear();
  const std::int32_t top = ty << kTileBits;
  for (std::uint32_t i = 0; i < covers.size(); ++i) {
    const CellSpans& cells = *covers[i].cells;
    const std::int32_t first = std::max(cells.front().y - top, 0);
    const std::int32_t last = std::min(cells.back().y - top, kTileSide - 1);
    for (std::int32_t y = first; y <= last; ++y) rows_[static_cast<std::size_t>(y)].push_back(i);
  }
}

void TileCovers::read_row(std::int32_t y, std::vector<CoverBits>* row) const {
  row->clear();
  for (const std::uint32_t i : rows_[static_cast<std::size_t>(y & kTileMask)]) {
    const Cover& cover = covers_[i];
    const std::uint64_t bits = bits_in_row(*cover.cells, tx_, y);
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
