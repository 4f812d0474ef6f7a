#include "grid/graph.h"

namespace repath {
namespace {

constexpr bool is_free_in(unsigned pattern, std::int32_t dx, std::int32_t dy) {
  return (pattern >> ((dy + 1) * 3 + dx + 1) & 1u) != 0;
}

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

}  // namespace

const StepRules& step_rules(Topology topology, CornerRule rule) {
  if (topology == Topology::kHex) return kHexagons;
  if (topology == Topology::k4) return kFour;
  return rule == CornerRule::kNone ? kEightNone : kEightOne;
}

GridGraph::GridGraph(const GridLayer* layer, Topology topology, CornerRule rule)
    : layer_(layer),
      steps_(&step_rules(topology, rule)),
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
    return step_cost(steps_->lengths[d], layer_->factor(x, y), layer_->factor(x + dx, y + dy));
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
    costs[d] = uniform ? steps_->lengths[d]
                       : step_cost(steps_->lengths[d], own,
                                   layer_->factor(x + kDirections[d].dx, y + kDirections[d].dy));
  }
  return costs;
}

}  // namespace repath
