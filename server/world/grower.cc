#include "world/grower.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.h"

namespace repath {
namespace {

// Returns the cells of a tile's row that are blocked in one layer and free in the other, with the
// tiles beside.
bits::Row192 blocked_and_free(const GridLayer& blocked, const GridLayer& free, std::int32_t tx,
                              std::int32_t y) {
  bits::Row192 row = blocked_row(blocked, tx, y);
  const bits::Row192 other = blocked_row(free, tx, y);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] &= ~other[i];
  return row;
}

// Returns the first set bit at or after `from`. REQUIRES: there is one.
std::int32_t first_bit(const bits::Row192& row, std::int32_t from) {
  for (auto word = static_cast<std::size_t>(from >> 6);; ++word) {
    REPATH_CHECK(word < row.size());
    const int skip = word == static_cast<std::size_t>(from >> 6) ? from & 63 : 0;
    const std::uint64_t rest = row[word] >> skip << skip;
    if (rest != 0) return static_cast<std::int32_t>(word * 64) + std::countr_zero(rest);
  }
}

}  // namespace

RowState grown_row(const GridLayer& base, const Disc& disc, std::int32_t tx, std::int32_t y) {
  RowState row;
  row.free = ~barred_word(base, disc, tx, y);
  const Tile& tile = base.tile(tx, y >> kTileBits);
  if (!tile.factors || row.free == 0) return row;
  const auto first = static_cast<std::size_t>((y & kTileMask) * kTileSide);
  for (std::size_t x = 0; x < row.factors.size(); ++x) {
    row.factors[x] = (row.free >> x & 1u) != 0 ? (*tile.factors)[first + x] : kFactorOne;
    row.weighted = row.weighted || row.factors[x] != kFactorOne;
  }
  return row;
}

bool grow_all(const GridLayer& base, const Disc& disc, std::uint64_t bytes_max, GridLayer* layer) {
  for (std::int32_t ty = 0; ty < base.tiles_y(); ++ty) {
    const std::int32_t top = ty << kTileBits;
    const std::int32_t end = std::min(top + kTileSide, base.height());
    for (std::int32_t tx = 0; tx < base.tiles_x(); ++tx) {
      TileRef fresh;
      for (std::int32_t y = top; y < end; ++y) {
        const auto ly = static_cast<std::size_t>(y - top);
        const RowState row = grown_row(base, disc, tx, y);
        if (changed_bits(base.tile(tx, ty), ly, row) == 0) continue;
        if (!fresh) fresh = TileRef(new Tile(base.tile(tx, ty)));
        write_row(row, ly, &fresh.writable());
      }
      if (!fresh) continue;
      trim(&fresh.writable());
      layer->replace_tile(tx, ty, std::move(fresh));
    }
    if (base.bytes() + layer->bytes() > bytes_max) return false;
  }
  return base.bytes() + layer->bytes() <= bytes_max;
}

Grower::Grower(const Disc& disc, const GridLayer& before, const GridLayer& after,
               const std::vector<ChangedRun>& runs)
    : disc_(disc), before_(before), after_(after), base_runs_(runs) {
  one_cause_ = std::all_of(runs.begin(), runs.end(), [&runs](const ChangedRun& run) {
    return run.cause == runs.front().cause;
  });
  for (const ChangedRun& run : runs) add(run);
  merge_rows();
}

void Grower::add(const ChangedRun& run) {
  const std::int32_t reach = switches(run) ? disc_.reach() : 0;
  const std::int32_t y0 = std::max(0, run.cells.y - reach);
  const std::int32_t y1 = std::min(before_.height(), run.cells.y + reach + 1);
  const std::int32_t first = std::max(0, run.cells.x0 - reach) >> kTileBits;
  const std::int32_t last = std::min(before_.width(), run.cells.x1 + reach) - 1;
  for (std::int32_t tx = first; tx <= last >> kTileBits; ++tx) add_rows(tx, y0, y1);
  if (rows_.size() >= merge_at_) merge_rows();
}

void Grower::add_rows(std::int32_t tx, std::int32_t y0, std::int32_t y1) {
  for (std::int32_t y = y0; y < y1;) {
    const std::int32_t ty = y >> kTileBits;
    const std::int32_t end = std::min(y1, (ty + 1) << kTileBits);
    const std::uint64_t rows = ~std::uint64_t{0} >> (kTileSide - (end - y)) << (y & kTileMask);
    rows_.push_back({static_cast<std::uint32_t>(ty * before_.tiles_x() + tx), rows});
    y = end;
  }
}

void Grower::merge_rows() {
  std::sort(rows_.begin(), rows_.end(),
            [](const Rows& a, const Rows& b) { return a.tile < b.tile; });
  std::size_t kept = 0;
  for (const Rows& rows : rows_) {
    if (kept > 0 && rows_[kept - 1].tile == rows.tile) {
      rows_[kept - 1].rows |= rows.rows;
    } else {
      rows_[kept++] = rows;
    }
  }
  rows_.resize(kept);
  merge_at_ = std::max(merge_at_, 2 * kept);
}

// Returns whether a cell of the run was blocked or freed, not only made dearer or cheaper.
bool Grower::switches(const ChangedRun& run) const {
  const std::int32_t last = (run.cells.x1 - 1) >> kTileBits;
  for (std::int32_t tx = run.cells.x0 >> kTileBits; tx <= last; ++tx)
    if (before_.free_word(tx, run.cells.y) != after_.free_word(tx, run.cells.y)) return true;
  return false;
}

std::uint64_t Grower::rows_read() const {
  std::uint64_t rows = 0;
  for (const Rows& of_tile : rows_) rows += static_cast<std::uint64_t>(std::popcount(of_tile.rows));
  return rows * static_cast<std::uint64_t>(2 * disc_.reach() + 1);
}

bool Grower::run(std::uint64_t bytes_max, std::uint64_t* bytes, GridLayer* layer,
                 std::vector<ChangedRun>* runs, ViewDelta* delta) const {
  for (const Rows& of_tile : rows_) {
    const auto tx = static_cast<std::int32_t>(of_tile.tile) % before_.tiles_x();
    const auto ty = static_cast<std::int32_t>(of_tile.tile) / before_.tiles_x();
    const Tile& old = layer->tile(tx, ty);
    TileRef fresh;
    for (std::uint64_t rows = of_tile.rows; rows != 0; rows &= rows - 1) {
      const auto ly = static_cast<std::size_t>(std::countr_zero(rows));
      const Place place{tx, (ty << kTileBits) + static_cast<std::int32_t>(ly)};
      const RowState row = grown_row(after_, disc_, tx, place.y);
      const std::uint64_t changed = changed_bits(old, ly, row);
      if (changed == 0) continue;
      const std::uint64_t switched = old.free[ly] ^ row.free;
      note({switched & ~row.free, switched & row.free, changed & ~switched}, place, *layer, runs,
           delta);
      if (!fresh) fresh = TileRef(new Tile(old));
      write_row(row, ly, &fresh.writable());
    }
    if (!fresh) continue;
    trim(&fresh.writable());
    *bytes += fresh->bytes() - old.bytes();
    if (*bytes > bytes_max) return false;
    layer->replace_tile(tx, ty, std::move(fresh));
  }
  return true;
}

void Grower::note(const Change& change, Place place, const GridLayer& layer,
                  std::vector<ChangedRun>* runs, ViewDelta* delta) const {
  const NodeId first = layer.node_at(place.tx << kTileBits, place.y);
  append_nodes(change.opened, first, &delta->freed);
  append_nodes(change.closed, first, &delta->blocked);
  Causes causes;
  explain(change, place, &causes);
  const std::int32_t left = place.tx << kTileBits;
  const std::size_t begin = runs->size();
  for (std::uint64_t cells = change.closed | change.opened | change.weighed; cells != 0;
       cells &= cells - 1) {
    const std::int32_t x = std::countr_zero(cells);
    const std::uint32_t cause = causes[static_cast<std::size_t>(x)];
    if (runs->size() > begin && runs->back().cells.x1 == left + x && runs->back().cause == cause) {
      ++runs->back().cells.x1;
    } else {
      runs->push_back({{place.y, left + x, left + x + 1}, cause});
    }
  }
}

void Grower::explain(const Change& change, Place place, Causes* causes) const {
  if (one_cause_) {
    causes->fill(base_runs_.front().cause);
    return;
  }
  trace(change.closed, place, before_, after_, causes);
  trace(change.opened, place, after_, before_, causes);
  for (std::uint64_t cells = change.weighed; cells != 0; cells &= cells - 1) {
    const std::int32_t x = std::countr_zero(cells);
    const ChangedRun* own = run_at(base_runs_, (place.tx << kTileBits) + x, place.y);
    REPATH_CHECK(own != nullptr);
    (*causes)[static_cast<std::size_t>(x)] = own->cause;
  }
}

// Finds the causes of `cells`. Each is that of the first cell of the disc that is free in one layer
// and blocked in the other.
void Grower::trace(std::uint64_t cells, Place place, const GridLayer& free,
                   const GridLayer& blocked, Causes* causes) const {
  const std::int32_t left = (place.tx - 1) * kTileSide;  // of the row of 192 cells
  for (std::int32_t dy = -disc_.reach(); dy <= disc_.reach() && cells != 0; ++dy) {
    const bits::Row192 row = blocked_and_free(blocked, free, place.tx, place.y + dy);
    const Disc::Columns columns = disc_.columns(dy, place.y);
    if (columns.lo > columns.hi) continue;
    const std::uint64_t near = cells & bits::spread(row, columns.lo, columns.hi);
    for (std::uint64_t rest = near; rest != 0; rest &= rest - 1) {
      const std::int32_t x = std::countr_zero(rest);
      const std::int32_t source = left + first_bit(row, kTileSide + x + columns.lo);
      const ChangedRun* run = run_at(base_runs_, source, place.y + dy);
      REPATH_CHECK(run != nullptr);
      (*causes)[static_cast<std::size_t>(x)] = run->cause;
    }
    cells &= ~near;
  }
  REPATH_CHECK(cells == 0);
}

}  // namespace repath
