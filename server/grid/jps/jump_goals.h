// The goals of one jump point search, as bits by tile: the next goal on a straight line, and the
// lines that have goals at all.
//
// Jump points do not depend on goals. So scans and runs of a search ask this class beside the jump
// map; away from the rows and columns that have goals that is one test of a word. Borrows the map,
// which must not change. Safe to read on any thread.
// 1. Blocked goals are left out, because they cannot be reached.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid/jps/jump_map.h"
#include "search/goal_set.h"

namespace repath {

class JumpGoals {
 public:
  // Makes an empty set of no map; call set() before any query.
  JumpGoals() = default;
  JumpGoals(const JumpMap& map, const GoalSet& goals) { set(map, goals); }
  // Forgets all goals and keeps the memory. REQUIRES: goals are nodes of the map. O(words that have
  // goals + tiles that have any + sides / 64).
  void set(const JumpMap& map, const GoalSet& goals);

  // Return the lines of a tile that have goals anywhere on the map. REQUIRES: a cell of the map or
  // of its rim.
  std::uint64_t rows(std::int32_t y) const { return rows_[tile_line(y)]; }
  std::uint64_t columns(std::int32_t x) const { return columns_[tile_line(x)]; }
  std::uint64_t mirrored_columns(std::int32_t x) const { return mirrored_[tile_line(x)]; }
  bool has(Heading h, std::int32_t x, std::int32_t y) const {
    const std::uint64_t lines = is_along_rows(h) ? rows(y) : columns(x);
    return (lines >> ((is_along_rows(h) ? y : x) & kTileMask) & 1) != 0;
  }

  bool contains(std::int32_t x, std::int32_t y) const {
    const GoalTile* tile = find(map_->slot_of(x, y));
    return tile != nullptr &&
           (tile->rows[static_cast<std::size_t>(y & kTileMask)] >> (x & kTileMask) & 1) != 0;
  }
  // Returns the steps to the first goal after (x, y) that a straight scan passes before it stops or
  // where it stops; 0 if there is none. O(tiles passed).
  std::int32_t goal_ahead(Heading h, std::int32_t x, std::int32_t y) const;

  std::size_t bytes() const {
    return tiles_.capacity() * sizeof(GoalTile) +
           (rows_.capacity() + columns_.capacity() + mirrored_.capacity()) * sizeof(std::uint64_t);
  }

 private:
  struct GoalTile {
    std::size_t slot = 0;
    bits::Matrix rows{};
    bits::Matrix columns{};
  };

  static constexpr std::size_t kGoalsFew = 64;

  static std::size_t tile_line(std::int32_t i) {
    return static_cast<std::size_t>((i >> kTileBits) + 1);
  }
  void add(std::int32_t x, std::int32_t y, std::uint64_t cells, bool turned);
  // Returns null if the tile has no goals.
  const GoalTile* find(std::size_t slot) const {
    const auto at = std::ranges::lower_bound(tiles_, slot, {}, &GoalTile::slot);
    return at != tiles_.end() && at->slot == slot ? &*at : nullptr;
  }

  const JumpMap* map_ = nullptr;
  std::vector<GoalTile> tiles_;          // ascending by slot
  std::vector<std::uint64_t> rows_;      // by row of tiles, rim included
  std::vector<std::uint64_t> columns_;   // by column of tiles
  std::vector<std::uint64_t> mirrored_;  // the same in reverse
};

}  // namespace repath
