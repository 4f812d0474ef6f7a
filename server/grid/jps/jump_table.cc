#include "grid/jps/jump_table.h"

#include <cstddef>

#include "grid/cells/graph.h"

namespace repath {
namespace {

constexpr unsigned bit_of(std::int32_t dx, std::int32_t dy) { return 1u << direction_by(dx, dy); }

// Moves after a straight step by (dx, dy): on, and round a corner on the side (sx, sy). With kNone
// the corner lies behind the cell, with kOne beside it.
constexpr unsigned after_straight(unsigned pattern, Direction d, Direction side, CornerRule rule) {
  const std::int32_t ahead_x = d.dx + side.dx;
  const std::int32_t ahead_y = d.dy + side.dy;
  if (rule == CornerRule::kOne)
    return is_free_in(pattern, side.dx, side.dy) ? 0 : bit_of(ahead_x, ahead_y);
  if (is_free_in(pattern, side.dx - d.dx, side.dy - d.dy)) return 0;
  return bit_of(side.dx, side.dy) | bit_of(ahead_x, ahead_y);
}

// Moves after a diagonal step: on, along both of its parts, and with kOne back round a blocked
// flank.
constexpr unsigned after_diagonal(unsigned pattern, Direction d, CornerRule rule) {
  unsigned moves = bit_of(d.dx, d.dy) | bit_of(d.dx, 0) | bit_of(0, d.dy);
  if (rule == CornerRule::kNone) return moves;
  if (!is_free_in(pattern, -d.dx, 0)) moves |= bit_of(-d.dx, d.dy);
  if (!is_free_in(pattern, 0, -d.dy)) moves |= bit_of(d.dx, -d.dy);
  return moves;
}

constexpr unsigned natural_moves(unsigned pattern, std::size_t arrival, CornerRule rule) {
  if (arrival == kDirections.size()) return 0xFF;
  const Direction d = kDirections[arrival];
  if (is_diagonal(arrival)) return after_diagonal(pattern, d, rule);
  return bit_of(d.dx, d.dy) | after_straight(pattern, d, {d.dy, d.dx}, rule) |
         after_straight(pattern, d, {-d.dy, -d.dx}, rule);
}

JumpTable make_table(CornerRule rule) {
  const MoveTable& open = step_rules(Topology::k8, rule).open[0];
  JumpTable table{};
  for (std::size_t arrival = 0; arrival < table.size(); ++arrival)
    for (unsigned pattern = 0; pattern < open.size(); ++pattern)
      table[arrival][pattern] =
          static_cast<std::uint8_t>(natural_moves(pattern, arrival, rule) & open[pattern]);
  return table;
}

}  // namespace

const JumpTable& jump_table(CornerRule rule) {
  static const JumpTable none = make_table(CornerRule::kNone);
  static const JumpTable one = make_table(CornerRule::kOne);
  return rule == CornerRule::kNone ? none : one;
}

}  // namespace repath
