#include "grid/jps/jps.h"

#include <span>

namespace repath {
NearestGoalCell::NearestGoalCell(const GridLayer& layer, const GoalSet& goals) {
  const std::span<const NodeId> nodes = goals.nodes();
  if (nodes.size() <= kGoalsMax) {
    for (const NodeId goal : nodes)
      boxes_[boxes_used_++] = {layer.x_of(goal), layer.y_of(goal), layer.x_of(goal),
                               layer.y_of(goal)};
    return;
  }
  // Nodes ascend by row.
  const auto width = static_cast<std::uint32_t>(layer.width());
  std::uint32_t left = width;
  std::uint32_t right = 0;
  std::uint32_t row = 0;  // first node of the goal's row
  for (const NodeId goal : nodes) {
    if (index(goal) - row >= width) row = index(goal) / width * width;
    left = std::min(left, index(goal) - row);
    right = std::max(right, index(goal) - row);
  }
  boxes_[boxes_used_++] = {static_cast<std::int32_t>(left), layer.y_of(nodes.front()),
                           static_cast<std::int32_t>(right), layer.y_of(nodes.back())};
}

}  // namespace repath
