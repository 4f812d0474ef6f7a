#include "grid/jps/jump_goals.h"

#include <algorithm>
#include <bit>
#include <span>

#include "base/check.h"

namespace repath {
namespace {

// Returns how many nodes follow each other without a gap, at most `most`. The nodes ascend, so the
// first n do iff the last of them is n - 1 more than the first.
std::size_t run_length(std::span<const NodeId> nodes, std::size_t most) {
  const auto is_run = [&](std::size_t n) { return index(nodes[n - 1]) - index(nodes[0]) == n - 1; };
  most = std::min(most, nodes.size());
  if (is_run(most)) return most;
  std::size_t length = 1;
  for (std::size_t step = 32; step != 0; step /= 2)
    if (length + step < most && is_run(length + step)) length += step;
  return length;
}

}  // namespace

void JumpGoals::set(const JumpMap& map, const GoalSet& goals) {
  map_ = &map;
  tiles_.clear();
  rows_.assign(tile_line(map.height() - 1) + 2, 0);
  columns_.assign(tile_line(map.width() - 1) + 2, 0);
  mirrored_.resize(columns_.size());
  const std::span<const NodeId> nodes = goals.nodes();
  // Makes columns from the rows: cell by cell if that costs less than a transpose.
  const bool are_few = nodes.size() <= kGoalsFew;
  const auto width = static_cast<std::uint32_t>(map.width());
  std::int32_t y = 0;
  std::uint32_t row = 0;  // first node of row y
  for (std::size_t i = 0; i < nodes.size();) {
    const std::uint32_t first = index(nodes[i]);
    if (first - row >= width) {
      y = static_cast<std::int32_t>(first / width);
      row = static_cast<std::uint32_t>(y) * width;
    }
    REPATH_CHECK(y < map.height());
    const auto x = static_cast<std::int32_t>(first - row);
    const std::size_t word_left = std::min(64 - (first - row) % 64, width - (first - row));
    const std::size_t cells = run_length(nodes.subspan(i), word_left);
    add(x, y, ~std::uint64_t{0} >> (64 - cells) << (x & kTileMask), are_few);
    i += cells;
  }
  for (GoalTile& tile : tiles_) {
    if (are_few) break;
    tile.columns = tile.rows;
    bits::transpose(&tile.columns);
  }
  std::ranges::transform(columns_, mirrored_.begin(), bits::mirror);
}

// Adds the free ones of these cells of a word of row y; (x, y) is one of them. Nodes ascend by row,
// so tiles come in order, except that each row begins at the left again. `turned`: also enters them
// into the columns.
void JumpGoals::add(std::int32_t x, std::int32_t y, std::uint64_t cells, bool turned) {
  const std::size_t slot = map_->slot_of(x, y);
  const auto line = static_cast<std::size_t>(y & kTileMask);
  cells &= map_->tile(slot).rows[line].free;
  if (cells == 0) return;
  auto at = std::ranges::lower_bound(tiles_, slot, {}, &GoalTile::slot);
  if (at == tiles_.end()) {
    tiles_.emplace_back();
    at = tiles_.end() - 1;
    at->slot = slot;
  } else if (at->slot != slot) {
    at = tiles_.emplace(at);
    at->slot = slot;
  }
  at->rows[line] |= cells;
  for (std::uint64_t row = turned ? cells : 0; row != 0; row &= row - 1)
    at->columns[static_cast<std::size_t>(std::countr_zero(row))] |= std::uint64_t{1} << line;
  rows_[tile_line(y)] |= std::uint64_t{1} << line;
  columns_[tile_line(x)] |= cells;
}

std::int32_t JumpGoals::goal_ahead(Heading h, std::int32_t x, std::int32_t y) const {
  if (!has(h, x, y)) return 0;
  const std::int32_t line = (is_along_rows(h) ? y : x) & kTileMask;
  const std::int32_t from = (is_along_rows(h) ? x : y) & kTileMask;
  const std::size_t along = is_along_rows(h) ? 1 : map_->stride();
  std::size_t slot = map_->slot_of(x, y);
  std::uint64_t ahead =
      is_up(h) ? ~std::uint64_t{1} << from : (std::uint64_t{1} << from) - 1;  // of this tile
  // Number of cells before the tile's first one.
  std::int32_t passed = is_up(h) ? -from : from - kTileMask;
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

}  // namespace repath
