#include "grid/graph.h"

namespace repath {
namespace {

constexpr bool is_free_in(unsigned pattern, std::int32_t dx, std::int32_t dy) {
  return (pattern >> ((dy + 1) * 3 + dx + 1) & 1u) != 0;
}

constexpr bool is_open(unsigned pattern, std::size_t direction, Topology topology,
                       CornerRule rule) {
  const auto [dx, dy] = kDirections[direction];
  if (!is_free_in(pattern, 0, 0) || !is_free_in(pattern, dx, dy)) return false;
  if (!is_diagonal(direction)) return true;
  if (topology == Topology::k4) return false;
  const bool flank_x = is_free_in(pattern, dx, 0);
  const bool flank_y = is_free_in(pattern, 0, dy);
  return rule == CornerRule::kNone ? flank_x && flank_y : flank_x || flank_y;
}

constexpr MoveTable make_move_table(Topology topology, CornerRule rule) {
  MoveTable table{};
  for (unsigned pattern = 0; pattern < table.size(); ++pattern)
    for (std::size_t d = 0; d < kDirections.size(); ++d)
      if (is_open(pattern, d, topology, rule))
        table[pattern] = static_cast<std::uint8_t>(table[pattern] | 1u << d);
  return table;
}

constexpr MoveTable kFour = make_move_table(Topology::k4, CornerRule::kNone);
constexpr MoveTable kEightNone = make_move_table(Topology::k8, CornerRule::kNone);
constexpr MoveTable kEightOne = make_move_table(Topology::k8, CornerRule::kOne);

}  // namespace

const MoveTable& move_table(Topology topology, CornerRule rule) {
  if (topology == Topology::k4) return kFour;
  return rule == CornerRule::kNone ? kEightNone : kEightOne;
}

GridGraph::GridGraph(const GridLayer* layer, Topology topology, CornerRule rule)
    : layer_(layer),
      moves_(&move_table(topology, rule)),
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
  for (std::size_t d = 0; d < kDirections.size(); ++d) {
    if (kDirections[d].dx != dx || kDirections[d].dy != dy) continue;
    if ((moves(x, y) >> d & 1u) == 0) return kUnreachable;
    return step_cost(kLengths[d], layer_->factor(x, y), layer_->factor(x + dx, y + dy));
  }
  return kUnreachable;
}

std::array<Cost, 8> GridGraph::costs_around(std::int32_t x, std::int32_t y) const {
  std::array<Cost, 8> costs;
  costs.fill(kUnreachable);
  const bool uniform = is_uniform_around(x, y);
  const Factor own = uniform ? kFactorOne : layer_->factor(x, y);
  for (unsigned open = moves(x, y); open != 0; open &= open - 1) {
    const auto d = static_cast<std::size_t>(std::countr_zero(open));
    costs[d] = uniform ? kLengths[d]
                       : step_cost(kLengths[d], own,
                                   layer_->factor(x + kDirections[d].dx, y + kDirections[d].dy));
  }
  return costs;
}

}  // namespace repath
