// Straight scans and diagonal runs of jump point search over a jump map.
//
// Source: D. Harabor, A. Grastien, "Improving jump point search", ICAPS 2014: scans go by blocks of
// cells. A run does not stop where it looks aside; it reports the result of the scan from there.
// Functions of const maps, as safe on any thread as those are. Always inlined, because a run with
// its scans is the whole of an expansion.
// 1. A run or scan ends within the rim at the latest, because the rim is blocked.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "grid/bits/diagonal.h"
#include "grid/jps/jump_goals.h"
#include "grid/jps/jump_map.h"

namespace repath {

constexpr std::int32_t dx_of(Heading h) { return is_along_rows(h) ? (is_up(h) ? 1 : -1) : 0; }
constexpr std::int32_t dy_of(Heading h) { return is_along_rows(h) ? 0 : (is_up(h) ? 1 : -1); }

// Returns the steps to the corner at which a straight scan from (x, y) ends; 0 if it ends at a
// blocked cell. Looks beyond this tile only if there is a corner. REQUIRES: a cell of the tile.
template <Heading h>
inline std::int32_t corner_ahead(const JumpMap& map, const JumpMap::View& at, std::int32_t x,
                                 std::int32_t y) {
  constexpr bool up = is_up(h);
  const std::int32_t line = (is_along_rows(h) ? y : x) & kTileMask;
  const std::int32_t from = (is_along_rows(h) ? x : y) & kTileMask;
  const JumpTile::Line& cells = at.tile->line(h, line);
  std::uint64_t stops =
      cells.stops[up ? 0 : 1] & (up ? ~std::uint64_t{1} << from : (std::uint64_t{1} << from) - 1);
  if (stops != 0) {
    const int stop = up ? std::countr_zero(stops) : kTileMask - std::countl_zero(stops);
    if ((cells.free >> stop & 1) == 0) return 0;
    return up ? stop - from : from - stop;
  }
  if ((at.beyond->corner[index(h)] >> line & 1) == 0) return 0;
  std::size_t slot = at.slot;
  std::int32_t passed = up ? -from : from - kTileMask;
  do {
    slot = is_along_rows(h) ? (up ? slot + 1 : slot - 1)
                            : (up ? slot + map.stride() : slot - map.stride());
    passed += kTileSide;
    stops = map.tile(slot).line(h, line).stops[up ? 0 : 1];
  } while (stops == 0);
  return passed + (up ? std::countr_zero(stops) : std::countl_zero(stops));
}

// A diagonal run. `Visitor` has these functions:
//   corner<h>(k, n): the cell n steps by h from the cell k diagonal steps away is a corner;
//   goal<h>(k, n):   that cell is a goal, and no stop lies before it;
//   goal(k):         the cell k diagonal steps away is a goal;
//   forced(k):       a path that reaches that cell diagonally must turn there.
// The run ends at goal(k) and forced(k), or where no step leads on. Cells are reported in the order
// of the run within a tile, by kind.
template <bits::Family family, bool forward, class Visitor>
class DiagonalRun {
 public:
  static constexpr bool kIsEast = (family == bits::Family::kFalling) == forward;
  static constexpr Heading kAlongRows = kIsEast ? Heading::kEast : Heading::kWest;
  static constexpr Heading kAlongColumns = forward ? Heading::kSouth : Heading::kNorth;
  static constexpr std::int32_t kDx = kIsEast ? 1 : -1;
  static constexpr std::int32_t kDy = forward ? 1 : -1;

  DiagonalRun(const JumpMap& map, const JumpGoals& goals, Visitor* visitor)
      : map_(map), goals_(goals), visitor_(*visitor) {}

  // REQUIRES: a free cell of the tile.
  inline void go(const JumpMap::View& start, std::int32_t x, std::int32_t y) {
    const std::size_t d = bits::diagonal_of(family, x, y);
    JumpMap::View at = start;
    const JumpTile::Diagonal* words = &words_of(at, d);
    // All bits set if the run comes from another tile: then its first cell here counts.
    std::uint64_t entered = 0;
    std::int32_t k = 0;
    while (true) {
      const int lx = x & kTileMask;
      const int ly = y & kTileMask;
      const int ahead = bits::cells_ahead(family, forward, lx, ly);
      int steps =
          forward ? bits::steps_forward(words->steps, ly) : bits::steps_back(words->steps, ly);
      const bool leaves = forward ? steps > ahead : steps >= ahead;
      if (steps > ahead) steps = ahead;
      const std::uint64_t from = std::uint64_t{1} << ly;
      const std::uint64_t to = std::uint64_t{1} << (forward ? ly + steps : ly - steps);
      // The cells between the two, without `from`; both are single bits of the same word.
      std::uint64_t cells = forward ? (to - from) << 1 : from - to;
      cells |= entered & from;
      if (cells != 0 && !look(at, words->turns[forward ? 0 : 1], cells, x, y, k, d)) return;
      if (!leaves) return;
      x += kDx * (steps + 1);
      y += kDy * (steps + 1);
      k += steps + 1;
      at = map_.view(map_.slot_of(x, y));
      words = &words_of(at, d);
      entered = ~std::uint64_t{0};
      // The step back over the border is stored on its other side.
      if (!forward && (words->steps >> (y & kTileMask) & 1) == 0) return;
    }
  }

 private:
  static const JumpTile::Diagonal& words_of(const JumpMap::View& at, std::size_t d) {
    return at.tile->diagonals[static_cast<std::size_t>(family)][d];
  }

  // Reports these cells of a tile. (x, y) is on the same diagonal in the tile, k steps from the
  // start. Returns false if the run ends here.
  inline bool look(const JumpMap::View& at, const JumpTile::Turn& turn, std::uint64_t cells,
                   std::int32_t x, std::int32_t y, std::int32_t k, std::size_t d) {
    const std::int32_t ly = y & kTileMask;
    const auto steps_to = [&](std::uint64_t cell) {
      const int row = std::countr_zero(cell);
      return k + (forward ? row - ly : ly - row);
    };
    bool goes_on = true;
    const std::uint64_t goal_rows = goals_.rows(y) & cells;
    const std::uint64_t goal_columns =
        bits::by_rows(family, goals_.columns(x), goals_.mirrored_columns(x), d) & cells;
    if ((goal_rows | goal_columns) != 0) [[unlikely]] {
      if (!look_for_goals(goal_rows, goal_columns, &cells, x, y, steps_to)) goes_on = false;
    }
    if (const std::uint64_t forced = turn.forced & cells; forced != 0) [[unlikely]] {
      const std::uint64_t first = first_of(forced);
      cells &= before(first);
      visitor_.forced(steps_to(first));
      goes_on = false;
    }
    const JumpMap::Beyond& beyond = *at.beyond;
    constexpr std::size_t v = index(kAlongColumns);
    const std::uint64_t corner_v =
        bits::by_rows(family, beyond.corner[v], beyond.mirrored[v - 2], d);
    std::uint64_t h_turns =
        (turn.ends[0].corner | (~turn.ends[0].wall & beyond.corner[index(kAlongRows)])) & cells;
    std::uint64_t v_turns = (turn.ends[1].corner | (~turn.ends[1].wall & corner_v)) & cells;
    for (; h_turns != 0; h_turns &= h_turns - 1) {
      const std::int32_t n = steps_to(h_turns);
      const std::int32_t off = n - k;
      visitor_.template corner<kAlongRows>(
          n, corner_ahead<kAlongRows>(map_, at, x + kDx * off, y + kDy * off));
    }
    for (; v_turns != 0; v_turns &= v_turns - 1) {
      const std::int32_t n = steps_to(v_turns);
      const std::int32_t off = n - k;
      visitor_.template corner<kAlongColumns>(
          n, corner_ahead<kAlongColumns>(map_, at, x + kDx * off, y + kDy * off));
    }
    return goes_on;
  }

  // Reports goals, and removes the cells from the first goal on from `cells`.
  template <class StepsTo>
  [[gnu::noinline]] bool look_for_goals(std::uint64_t rows, std::uint64_t columns,
                                        std::uint64_t* cells, std::int32_t x, std::int32_t y,
                                        const StepsTo& steps_to) {
    const std::int32_t k = steps_to(std::uint64_t{1} << (y & kTileMask));
    bool goes_on = true;
    for (std::uint64_t both = rows & columns; both != 0;) {
      const std::uint64_t cell = first_of(both);
      const std::int32_t n = steps_to(cell);
      if (goals_.contains(x + kDx * (n - k), y + kDy * (n - k))) {
        visitor_.goal(n);
        *cells &= before(cell);
        goes_on = false;
        break;
      }
      both &= ~cell;
    }
    for (rows &= *cells; rows != 0; rows &= rows - 1) {
      const std::int32_t n = steps_to(rows);
      const std::int32_t to = goals_.goal_ahead(kAlongRows, x + kDx * (n - k), y + kDy * (n - k));
      if (to != 0) visitor_.template goal<kAlongRows>(n, to);
    }
    for (columns &= *cells; columns != 0; columns &= columns - 1) {
      const std::int32_t n = steps_to(columns);
      const std::int32_t to =
          goals_.goal_ahead(kAlongColumns, x + kDx * (n - k), y + kDy * (n - k));
      if (to != 0) visitor_.template goal<kAlongColumns>(n, to);
    }
    return goes_on;
  }

  // Return the first cell of a run, and all cells that it reaches before `cell`.
  static std::uint64_t first_of(std::uint64_t cells) {
    return forward ? cells & -cells : std::uint64_t{1} << (63 - std::countl_zero(cells));
  }
  static std::uint64_t before(std::uint64_t cell) {
    return forward ? cell - 1 : ~(cell | (cell - 1));
  }

  const JumpMap& map_;
  const JumpGoals& goals_;
  Visitor& visitor_;
};

}  // namespace repath
