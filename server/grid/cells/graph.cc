#include "grid/cells/graph.h"

#include <algorithm>
#include <bit>

namespace repath {
namespace {

constexpr bool is_open(unsigned pattern, std::size_t direction, bool odd, Topology topology,
                       CornerRule rule) {
  const auto [dx, dy] = kDirections[direction];
  if (!is_free_in(pattern, 0, 0) || !is_free_in(pattern, dx, dy)) return false;
  if (topology == Topology::kHex) return is_hex_step(dx, dy, odd);
  if (!is_diagonal(direction)) return true;
  if (topology == Topology::k4) return false;
  const bool flank_x = is_free_in(pattern, dx, 0);
  const bool flank_y = is_free_in(pattern, 0, dy);
  return rule == CornerRule::kNone ? flank_x && flank_y : flank_x || flank_y;
}

constexpr StepRules make_step_rules(Topology topology, CornerRule rule) {
  StepRules rules{};
  for (std::size_t d = 0; d < kDirections.size(); ++d) {
    rules.lengths[d] = is_diagonal(d) && topology != Topology::kHex ? kDiagonalStep : kStraightStep;
    for (std::size_t odd = 0; odd < 2; ++odd)
      for (unsigned pattern = 0; pattern < MoveTable{}.size(); ++pattern)
        if (is_open(pattern, d, odd == 1, topology, rule))
          rules.open[odd][pattern] = static_cast<std::uint8_t>(rules.open[odd][pattern] | 1u << d);
  }
  return rules;
}

constexpr StepRules kFour = make_step_rules(Topology::k4, CornerRule::kNone);
constexpr StepRules kEightNone = make_step_rules(Topology::k8, CornerRule::kNone);
constexpr StepRules kEightOne = make_step_rules(Topology::k8, CornerRule::kOne);
constexpr StepRules kHexagons = make_step_rules(Topology::kHex, CornerRule::kNone);

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

const StepRules& step_rules(Topology topology, CornerRule rule) {
  if (topology == Topology::kHex) return kHexagons;
  if (topology == Topology::k4) return kFour;
  return rule == CornerRule::kNone ? kEightNone : kEightOne;
}

const JumpTable& jump_table(CornerRule rule) {
  static const JumpTable none = make_table(CornerRule::kNone);
  static const JumpTable one = make_table(CornerRule::kOne);
  return rule == CornerRule::kNone ? none : one;
}

GridGraph::GridGraph(const GridLayer* layer, Topology topology, CornerRule rule)
    : layer_(layer),
      steps_(&step_rules(topology, rule)),
      onward_(&jump_table(rule)),
      topology_(topology),
      corner_rule_(rule),
      offsets_{} {
  for (std::size_t d = 0; d < kDirections.size(); ++d)
    offsets_[d] =
        static_cast<std::uint32_t>(kDirections[d].dy * layer->width() + kDirections[d].dx);
}

Cost GridGraph::cost_between(NodeId a, NodeId b) const {
  const std::int32_t x = layer_->x_of(a);
  const std::int32_t y = layer_->y_of(a);
  const std::int32_t dx = layer_->x_of(b) - x;
  const std::int32_t dy = layer_->y_of(b) - y;
  if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || a == b) return kUnreachable;
  const std::uint32_t d = direction_by(dx, dy);
  if ((moves(x, y) >> d & 1u) == 0) return kUnreachable;
  if (layer_->is_uniform()) return steps_->lengths[d];
  return step_cost(steps_->lengths[d], layer_->factor(x, y), layer_->factor(x + dx, y + dy));
}

std::array<Cost, 8> GridGraph::costs_around(std::int32_t x, std::int32_t y) const {
  std::array<Cost, 8> costs;
  costs.fill(kUnreachable);
  for_each_edge({x, y}, is_uniform_around(x, y), moves(x, y),
                [&](std::uint32_t d, Cost cost) { costs[d] = cost; });
  return costs;
}

FieldRun GridGraph::run_from(NodeId m, std::uint32_t arrival) const {
  const Direction d = kDirections[arrival];
  if (topology_ != Topology::k8 || !layer_->is_uniform() || (d.dx != 0 && d.dy != 0)) return {};
  const std::int32_t x = layer_->x_of(m);
  const std::int32_t y = layer_->y_of(m);
  return d.dy == 0 ? run_along_row(x, y, d.dx) : run_along_column(x, y, d.dy, arrival);
}

// A cell has another onward edge where a row beside it begins. With kNone the cell beside is then
// free and the one before that is blocked. With kOne the cell beside is blocked and the one ahead
// of that is free. At the end of a word, where the word alone does not show this, the run stops.
FieldRun GridGraph::run_along_row(std::int32_t x, std::int32_t y, std::int32_t dx) const {
  const std::int32_t tx = x >> kTileBits;
  const auto stops = [&](std::int32_t row) -> std::uint64_t {
    if (row < 0 || row >= layer_->height()) return 0;
    const std::uint64_t free = layer_->free_word(tx, row);
    const std::uint64_t from_left = free << 1 | 1;
    const std::uint64_t from_right = free >> 1 | std::uint64_t{1} << 63;
    if (corner_rule_ == CornerRule::kNone) return free & ~(dx > 0 ? from_left : from_right);
    return ~free & (dx > 0 ? from_right : from_left);
  };
  const std::uint64_t free = layer_->free_word(tx, y);
  const int at = x & kTileMask;
  std::uint64_t stop = ~free | stops(y - 1) | stops(y + 1);
  // With kNone the cell before the first cell of a word is in another word.
  const int unsure = (corner_rule_ == CornerRule::kNone) == (dx > 0) ? 0 : kTileMask;
  stop |= std::uint64_t{1} << unsure;
  const int clear = dx > 0 ? std::countr_zero(stop >> at) : std::countl_zero(stop << (63 - at));
  FieldRun run{0, static_cast<std::uint32_t>(dx), kStraightStep};
  const int most = std::min(dx > 0 ? 64 - at : at + 1, static_cast<int>(kFieldRunMax));
  run.nodes = static_cast<std::uint32_t>(std::min(clear, most));
  run.ends = run.nodes > 0 && !layer_->is_free(x + dx * static_cast<std::int32_t>(run.nodes), y);
  return run;
}

// Bit i: the cell at x - 1 + i is free.
unsigned GridGraph::free_beside(std::int32_t x, std::int32_t y) const {
  if (y < 0 || y >= layer_->height()) return 0;
  const int at = x & kTileMask;
  const std::uint64_t free = layer_->free_word(x >> kTileBits, y);
  if (at != 0 && at != kTileMask) return static_cast<unsigned>(free >> (at - 1)) & 7u;
  unsigned bits = 0;
  for (std::int32_t i = 0; i < 3; ++i)
    bits |= static_cast<unsigned>(layer_->is_free(x - 1 + i, y)) << i;
  return bits;
}

FieldRun GridGraph::run_along_column(std::int32_t x, std::int32_t y, std::int32_t dy,
                                     std::uint32_t arrival) const {
  FieldRun run{0, static_cast<std::uint32_t>(dy * layer_->width()), kStraightStep};
  const auto& onward = (*onward_)[arrival];
  unsigned around = free_beside(x, y - 1) | free_beside(x, y) << 3 | free_beside(x, y + 1) << 6;
  for (; run.nodes < kFieldRunMax; ++run.nodes) {
    const unsigned on = onward[around];
    if ((on & ~(1u << arrival)) != 0) return run;
    if (on == 0) {
      ++run.nodes;
      run.ends = true;
      return run;
    }
    y += dy;
    around = dy > 0 ? around >> 3 | free_beside(x, y + 1) << 6
                    : (around << 3 & 0x1FFu) | free_beside(x, y - 1);
  }
  return run;
}

}  // namespace repath
