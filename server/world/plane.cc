#include "world/plane.h"

#include <algorithm>

namespace repath {
namespace {

std::size_t tiles_along(std::int32_t cells) {
  return static_cast<std::size_t>((cells + kTileMask) >> kTileBits);
}

// Calls visit(tile column, first cell in it, end) for each tile of the span.
template <class Visit>
void for_each_tile(const CellSpan& span, Visit&& visit) {
  for (std::int32_t tx = span.x0 >> kTileBits; tx <= (span.x1 - 1) >> kTileBits; ++tx) {
    const std::int32_t left = tx << kTileBits;
    visit(static_cast<std::size_t>(tx), std::max(span.x0, left) - left,
          std::min(span.x1, left + kTileSide) - left);
  }
}

std::size_t row_begin(std::int32_t y) {
  return static_cast<std::size_t>(y & kTileMask) * kTileSide;
}

}  // namespace

Level LevelChange::apply(Level level) const {
  switch (kind) {
    case Kind::kAdd:
      return static_cast<Level>(std::clamp<std::int32_t>(level + amount, 0, kLevelMax));
    case Kind::kSet:
      return static_cast<Level>(amount);
    case Kind::kKeep:
      break;
  }
  return static_cast<Level>(level * amount / 1000);
}

Plane::Plane(std::int32_t width, std::int32_t height)
    : width_(width),
      height_(height),
      tiles_x_(static_cast<std::int32_t>(tiles_along(width))),
      tiles_(tiles_along(width) * tiles_along(height)) {}

Level Plane::at(std::int32_t x, std::int32_t y) const {
  const PlaneTile& tile = tiles_[tile_index(x >> kTileBits, y)];
  return tile.levels ? (*tile.levels)[row_begin(y) + static_cast<std::size_t>(x & kTileMask)]
                     : tile.all;
}

bool Plane::row(std::int32_t tx, std::int32_t y, std::array<Level, kTileSide>* levels) const {
  const PlaneTile& tile = tiles_[tile_index(tx, y)];
  if (!is_used(tile)) return false;
  if (tile.levels) {
    std::copy_n(tile.levels->begin() + static_cast<std::ptrdiff_t>(row_begin(y)), kTileSide,
                levels->begin());
  } else {
    levels->fill(tile.all);
  }
  return true;
}

CellSpans Plane::used(const CellRect& within) const {
  CellSpans spans;
  std::array<Level, kTileSide> levels;
  for (std::int32_t y = within.y0; y < within.y1; ++y) {
    for (std::int32_t tx = within.x0 >> kTileBits; tx <= (within.x1 - 1) >> kTileBits; ++tx) {
      if (!row(tx, y, &levels)) continue;
      const std::int32_t left = tx << kTileBits;
      const std::int32_t end = std::min(within.x1, left + kTileSide);
      for (std::int32_t x = std::max(within.x0, left); x < end; ++x) {
        if (levels[static_cast<std::size_t>(x - left)] == 0) continue;
        if (!spans.empty() && spans.back().y == y && spans.back().x1 == x) {
          ++spans.back().x1;
        } else {
          spans.push_back({y, x, x + 1});
        }
      }
    }
  }
  return spans;
}

// Returns the parts ascending by tile, each tile once.
std::vector<Plane::Part> Plane::parts_of(const CellSpans& cells) const {
  std::vector<Part> parts;
  for (const CellSpan& span : cells) {
    for_each_tile(span, [&](std::size_t tx, std::int32_t from, std::int32_t to) {
      const auto tile =
          static_cast<std::uint32_t>(tile_index(static_cast<std::int32_t>(tx), span.y));
      parts.push_back({tile, static_cast<std::uint32_t>(to - from)});
    });
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.tile < b.tile; });
  std::size_t kept = 0;
  for (const Part& part : parts) {
    if (kept > 0 && parts[kept - 1].tile == part.tile) {
      parts[kept - 1].cells += part.cells;
    } else {
      parts[kept++] = part;
    }
  }
  parts.resize(kept);
  return parts;
}

// Returns the number of the tile's cells on the map.
std::uint32_t Plane::cells_of(std::uint32_t tile) const {
  const auto tx = static_cast<std::int32_t>(tile) % tiles_x_;
  const auto ty = static_cast<std::int32_t>(tile) / tiles_x_;
  return static_cast<std::uint32_t>(std::min(kTileSide, width_ - (tx << kTileBits)) *
                                    std::min(kTileSide, height_ - (ty << kTileBits)));
}

void Plane::apply(const CellSpans& cells, LevelChange change) {
  const std::vector<Part> parts = parts_of(cells);
  for (const Part& part : parts) {
    PlaneTile& tile = tiles_[part.tile];
    used_tiles_ -= is_used(tile) ? 1 : 0;
    if (!tile.levels && part.cells < cells_of(part.tile)) split(&tile);
    if (!tile.levels) tile.all = change.apply(tile.all);
  }
  for (const CellSpan& span : cells) {
    for_each_tile(span, [&](std::size_t tx, std::int32_t from, std::int32_t to) {
      PlaneTile& tile = tiles_[tile_index(static_cast<std::int32_t>(tx), span.y)];
      if (!tile.levels) return;
      Level* level = tile.levels->data() + row_begin(span.y);
      for (std::int32_t x = from; x < to; ++x) level[x] = change.apply(level[x]);
    });
  }
  for (const Part& part : parts) {
    if (tiles_[part.tile].levels) unite(part.tile);
    used_tiles_ += is_used(tiles_[part.tile]) ? 1 : 0;
  }
}

void Plane::put_tile(std::int32_t x, std::int32_t y, std::span<const Level> levels) {
  const auto i = static_cast<std::uint32_t>(tile_index(x >> kTileBits, y));
  PlaneTile& tile = tiles_[i];
  used_tiles_ -= is_used(tile) ? 1 : 0;
  if (!tile.levels) split(&tile);
  const auto width = static_cast<std::size_t>(std::min(kTileSide, width_ - x));
  for (std::int32_t row = 0; row < std::min(kTileSide, height_ - y); ++row) {
    Level* out = tile.levels->data() + row_begin(row);
    if (levels.size() == 1) {
      std::fill_n(out, width, levels.front());
    } else {
      std::copy_n(
          levels.begin() + static_cast<std::ptrdiff_t>(row) * static_cast<std::ptrdiff_t>(width),
          width, out);
    }
  }
  unite(i);
  used_tiles_ += is_used(tile) ? 1 : 0;
}

std::vector<std::uint32_t> Plane::to_split(const CellSpans& cells) const {
  std::vector<std::uint32_t> tiles;
  for (const Part& part : parts_of(cells))
    if (!tiles_[part.tile].levels && part.cells < cells_of(part.tile)) tiles.push_back(part.tile);
  return tiles;
}

void Plane::split(PlaneTile* tile) {
  tile->levels = std::make_unique<Levels>();
  tile->levels->fill(tile->all);
  ++split_tiles_;
}

// Makes the tile one number, if its cells on the map are equal.
void Plane::unite(std::uint32_t i) {
  PlaneTile& tile = tiles_[i];
  const std::int32_t left = static_cast<std::int32_t>(i) % tiles_x_ << kTileBits;
  const std::int32_t top = static_cast<std::int32_t>(i) / tiles_x_ << kTileBits;
  const Level first = tile.levels->front();
  for (std::int32_t y = 0; y < std::min(kTileSide, height_ - top); ++y) {
    const Level* level = tile.levels->data() + row_begin(y);
    if (!std::all_of(level, level + std::min(kTileSide, width_ - left),
                     [first](Level l) { return l == first; })) {
      return;
    }
  }
  tile.levels.reset();
  tile.all = first;
  --split_tiles_;
}

std::uint64_t Plane::bytes() const {
  return sizeof(Plane) + tiles_.size() * sizeof(PlaneTile) + split_tiles_ * kSplitBytes;
}

}  // namespace repath
