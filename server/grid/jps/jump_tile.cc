#include "grid/jps/jump_tile.h"

#include <bit>

namespace repath {
namespace {

using bits::diagonal_of;
using bits::Family;

constexpr std::array<Family, 2> kFamilies{Family::kFalling, Family::kRising};

constexpr std::size_t index(Family f) { return static_cast<std::size_t>(f); }
// Returns which of a diagonal's two turns looks to `h`.
constexpr std::size_t turn_to(Family f, Heading h) { return looks_to(f, true, h) ? 0 : 1; }

// Returns the heading along rows (or columns) that a run looks to.
constexpr Heading looked_to(Family f, bool forward, bool along_rows) {
  const Heading up = along_rows ? Heading::kEast : Heading::kSouth;
  const Heading down = along_rows ? Heading::kWest : Heading::kNorth;
  return looks_to(f, forward, up) ? up : down;
}

// All facts of a tile by rows.
struct Sheets {
  std::array<bits::Matrix, 4> corner{};  // by heading
  std::array<bits::Matrix, 4> wall{};
  std::array<bits::Matrix, 2> steps{};                  // by family
  std::array<std::array<bits::Matrix, 2>, 2> forced{};  // by family and direction
};

}  // namespace

LineFacts line_facts(const StripTriple& lines, CornerRule rule) {
  LineFacts facts;
  facts.stops[0] = bits::stops<true>(lines.own, lines.left, lines.right, rule);
  facts.stops[1] = bits::stops<false>(lines.own, lines.left, lines.right, rule);
  facts.ends[0] = bits::scan_ends<true>(facts.stops[0], lines.own.word);
  facts.ends[1] = bits::scan_ends<false>(facts.stops[1], lines.own.word);
  return facts;
}

// Named by the compass: n is the cell to the north of the cell in question, and so on.
StepFacts step_facts(const StripTriple& rows, CornerRule rule) {
  const std::uint64_t own = rows.own.word;
  const std::uint64_t n = rows.left.word;
  const std::uint64_t s = rows.right.word;
  const std::uint64_t w = rows.own.lower();
  const std::uint64_t e = rows.own.higher();
  const std::uint64_t sw = rows.right.lower();
  const std::uint64_t se = rows.right.higher();
  StepFacts facts;
  if (rule == CornerRule::kNone) {
    facts.steps = {own & se & e & s, own & sw & w & s};
    return facts;
  }
  const std::uint64_t nw = rows.left.lower();
  const std::uint64_t ne = rows.left.higher();
  facts.steps = {own & se & (e | s), own & sw & (w | s)};
  facts.forced[index(Family::kFalling)] = {own & ((~w & sw & s) | (~n & ne & e)),
                                           own & ((~e & ne & n) | (~s & sw & w))};
  facts.forced[index(Family::kRising)] = {own & ((~e & se & s) | (~n & nw & w)),
                                          own & ((~w & nw & n) | (~s & se & e))};
  return facts;
}

void JumpTile::set_free(const bits::Matrix& free) {
  bits::Matrix turned = free;
  bits::transpose(&turned);
  for (std::size_t i = 0; i < 64; ++i) {
    rows[i].free = free[i];
    columns[i].free = turned[i];
  }
}

void JumpTile::make_facts(const Strips& strips_of_rows, const Strips& strips_of_columns,
                          CornerRule rule) {
  Sheets sheets;
  for (std::size_t i = 0; i < 64; ++i) {
    const StripTriple row{strips_of_rows[i], strips_of_rows[i + 1], strips_of_rows[i + 2]};
    const StripTriple column{strips_of_columns[i], strips_of_columns[i + 1],
                             strips_of_columns[i + 2]};
    const LineFacts of_row = line_facts(row, rule);
    const LineFacts of_column = line_facts(column, rule);
    rows[i].stops = of_row.stops;
    columns[i].stops = of_column.stops;
    for (const Heading h : kHeadings) {
      const bits::ScanEnds& ends = (is_along_rows(h) ? of_row : of_column).ends[is_up(h) ? 0 : 1];
      sheets.corner[index(h)][i] = ends.corner;
      sheets.wall[index(h)][i] = ends.wall;
      enter(h, static_cast<std::int32_t>(i));
    }
    const StepFacts steps = step_facts(row, rule);
    for (std::size_t f = 0; f < 2; ++f) {
      sheets.steps[f][i] = steps.steps[f];
      for (std::size_t way = 0; way < 2; ++way) sheets.forced[f][way][i] = steps.forced[f][way];
    }
  }
  for (const Heading h : {Heading::kSouth, Heading::kNorth}) {
    bits::transpose(&sheets.corner[index(h)]);
    bits::transpose(&sheets.wall[index(h)]);
  }
  for (const Family family : kFamilies) {
    const std::size_t f = index(family);
    auto& words = diagonals[f];
    const auto put = [&](const bits::Matrix& sheet, auto&& set) {
      const bits::Matrix by_diagonal = bits::diagonals(family, sheet);
      for (std::size_t d = 0; d < 64; ++d) set(&words[d], by_diagonal[d]);
    };
    put(sheets.steps[f], [](Diagonal* d, std::uint64_t word) { d->steps = word; });
    for (std::size_t way = 0; way < 2; ++way) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::size_t h = index(looked_to(family, way == 0, axis == 0));
        put(sheets.corner[h],
            [&](Diagonal* d, std::uint64_t word) { d->turns[way].ends[axis].corner = word; });
        put(sheets.wall[h],
            [&](Diagonal* d, std::uint64_t word) { d->turns[way].ends[axis].wall = word; });
      }
      if (rule == CornerRule::kOne)
        put(sheets.forced[f][way],
            [&](Diagonal* d, std::uint64_t word) { d->turns[way].forced = word; });
    }
  }
}

// A scan that enters at the line's end meets the first stop.
void JumpTile::enter(Heading h, std::int32_t i) {
  const Line& cells = line(h, i);
  const std::uint64_t stops = cells.stops[is_up(h) ? 0 : 1];
  const int first = is_up(h) ? std::countr_zero(stops) : 63 - std::countl_zero(stops);
  const std::uint64_t bit = std::uint64_t{1} << i;
  Entry& entry = entries[index(h)];
  entry.beyond = stops == 0 ? entry.beyond | bit : entry.beyond & ~bit;
  const bool corner = stops != 0 && (cells.free >> (first & 63) & 1) != 0;
  entry.corner = corner ? entry.corner | bit : entry.corner & ~bit;
}

// An edit spends most of its time in this loop: each changed bit is one bit in both families.
template <Heading h>
void JumpTile::change_ends(std::int32_t i, const bits::ScanEnds& before,
                           const bits::ScanEnds& after) {
  constexpr std::size_t kAxis = is_along_rows(h) ? 0 : 1;
  constexpr std::size_t kFallingTurn = turn_to(Family::kFalling, h);
  constexpr std::size_t kRisingTurn = turn_to(Family::kRising, h);
  auto& falling = diagonals[index(Family::kFalling)];
  auto& rising = diagonals[index(Family::kRising)];
  const auto flip = [&](std::uint64_t changed, std::uint64_t bits::ScanEnds::*word) {
    for (; changed != 0; changed &= changed - 1) {
      const int at = std::countr_zero(changed);
      const int x = is_along_rows(h) ? at : i;
      const int y = is_along_rows(h) ? i : at;
      const std::uint64_t bit = std::uint64_t{1} << y;
      falling[diagonal_of(Family::kFalling, x, y)].turns[kFallingTurn].ends[kAxis].*word ^= bit;
      rising[diagonal_of(Family::kRising, x, y)].turns[kRisingTurn].ends[kAxis].*word ^= bit;
    }
  };
  flip(before.corner ^ after.corner, &bits::ScanEnds::corner);
  flip(before.wall ^ after.wall, &bits::ScanEnds::wall);
}

void JumpTile::change_line(bool is_row, std::int32_t i, const LineFacts& before,
                           const LineFacts& after) {
  (is_row ? rows : columns)[static_cast<std::size_t>(i)].stops = after.stops;
  if (is_row) {
    change_ends<Heading::kEast>(i, before.ends[0], after.ends[0]);
    change_ends<Heading::kWest>(i, before.ends[1], after.ends[1]);
  } else {
    change_ends<Heading::kSouth>(i, before.ends[0], after.ends[0]);
    change_ends<Heading::kNorth>(i, before.ends[1], after.ends[1]);
  }
  for (const Heading h : kHeadings)
    if (is_along_rows(h) == is_row) enter(h, i);
}

void JumpTile::change_steps(std::int32_t y, const StepFacts& before, const StepFacts& after) {
  const std::uint64_t bit = std::uint64_t{1} << y;
  for (const Family family : kFamilies) {
    const std::size_t f = index(family);
    const auto flip = [&](std::uint64_t changed, auto&& flip_in) {
      for (; changed != 0; changed &= changed - 1)
        flip_in(&diagonals[f][diagonal_of(family, std::countr_zero(changed), y)]);
    };
    flip(before.steps[f] ^ after.steps[f], [&](Diagonal* d) { d->steps ^= bit; });
    for (std::size_t way = 0; way < 2; ++way)
      flip(before.forced[f][way] ^ after.forced[f][way],
           [&](Diagonal* d) { d->turns[way].forced ^= bit; });
  }
}

}  // namespace repath
