#include "grid/jump_goals.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace repath {

JumpGoals::JumpGoals(const JumpMap& map, const GoalSet& goals)
    : map_(&map),
      rows_(tile_line(map.height() - 1) + 2),
      columns_(tile_line(map.width() - 1) + 2),
      mirrored_(columns_.size()) {
  std::int32_t y = 0;
  std::uint32_t row = 0;  // the first node of row y
  const auto width = static_cast<std::uint32_t>(map.width());
  std::size_t last = 0;
  for (const NodeId goal : goals.nodes()) {
    if (index(goal) - row >= width) {
      y = static_cast<std::int32_t>(index(goal) / width);
      row = static_cast<std::uint32_t>(y) * width;
    }
    REPATH_CHECK(y < map.height());
    const auto x = static_cast<std::int32_t>(index(goal) - row);
    if (!map.is_free(x, y)) continue;
    const std::size_t slot = map.slot_of(x, y);
    if (tiles_.empty() || tiles_[last].slot != slot) {
      // Nodes ascend by row, so tiles come in order except that each row begins at the left again.
      const auto at = std::ranges::lower_bound(tiles_, slot, {}, &GoalTile::slot);
      last = static_cast<std::size_t>(at - tiles_.begin());
      if (at == tiles_.end() || at->slot != slot) tiles_.insert(at, GoalTile{})->slot = slot;
    }
    const std::uint64_t column = std::uint64_t{1} << (x & kTileMask);
    const std::uint64_t line = std::uint64_t{1} << (y & kTileMask);
    tiles_[last].rows[static_cast<std::size_t>(y & kTileMask)] |= column;
    tiles_[last].columns[static_cast<std::size_t>(x & kTileMask)] |= line;
    rows_[tile_line(y)] |= line;
    columns_[tile_line(x)] |= column;
  }
  std::ranges::transform(columns_, mirrored_.begin(), bits::mirror);
}

const JumpGoals::GoalTile* JumpGoals::find(std::size_t slot) const {
  const auto at = std::ranges::lower_bound(tiles_, slot, {}, &GoalTile::slot);
  return at != tiles_.end() && at->slot == slot ? &*at : nullptr;
}

bool JumpGoals::contains(std::int32_t x, std::int32_t y) const {
  const GoalTile* tile = find(map_->slot_of(x, y));
  return tile != nullptr &&
         (tile->rows[static_cast<std::size_t>(y & kTileMask)] >> (x & kTileMask) & 1) != 0;
}

std::int32_t JumpGoals::goal_ahead(Heading h, std::int32_t x, std::int32_t y) const {
  if (!has(h, x, y)) return 0;
  const std::int32_t line = (is_along_rows(h) ? y : x) & kTileMask;
  const std::int32_t from = (is_along_rows(h) ? x : y) & kTileMask;
  const std::size_t along = is_along_rows(h) ? 1 : map_->stride();
  std::size_t slot = map_->slot_of(x, y);
  std::uint64_t ahead =
      is_up(h) ? ~std::uint64_t{1} << from : (std::uint64_t{1} << from) - 1;  // of this tile
  std::int32_t passed = is_up(h) ? -from : from - kTileMask;  // cells before the tile's first one
  while (true) {
    const JumpTile::Line& cells = map_->tile(slot).line(h, line);
    const GoalTile* tile = find(slot);
    const auto i = static_cast<std::size_t>(line);
    const std::uint64_t goals =
        tile == nullptr ? 0 : (is_along_rows(h) ? tile->rows : tile->columns)[i] & ahead;
    const std::uint64_t stops = cells.stops[is_up(h) ? 0 : 1] & ahead;
    if ((goals | stops) != 0) {
      const int first =
          is_up(h) ? std::countr_zero(goals | stops) : std::countl_zero(goals | stops);
      const int bit = is_up(h) ? first : kTileMask - first;
      return (goals >> bit & 1) != 0 ? passed + first : 0;
    }
    ahead = ~std::uint64_t{0};
    passed += kTileSide;
    slot = is_up(h) ? slot + along : slot - along;
  }
}

std::size_t JumpGoals::bytes() const {
  return tiles_.capacity() * sizeof(GoalTile) +
         (rows_.capacity() + columns_.capacity() + mirrored_.capacity()) * sizeof(std::uint64_t);
}

}  // namespace repath
