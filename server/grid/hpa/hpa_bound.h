// A lower bound of the cost from a cell to the nearest goal of an HPA* search. It is the metric to
// the nearest goal, or to the box around the goals if there are more than kGoalsMax. Consistent,
// and zero on goals. A weight above 1 multiplies it; then it is no longer a bound, but leads a
// search to its goals past most of the ground. Plain data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/cells.h"
#include "grid/cells/graph.h"
#include "search/classic/a_star.h"
#include "search/goal_set.h"

namespace repath {

class HpaBound {
 public:
  static constexpr std::size_t kGoalsMax = 8;

  // Makes a bound without goals: zero everywhere, which turns A* into Dijkstra.
  HpaBound() = default;
  // O(goals).
  HpaBound(const GridGraph& graph, const GoalSet& goals, AStarWeight weight = AStarWeight(1))
      : topology_(graph.topology()), weight_(weight) {
    const GridLayer& layer = graph.layer();
    for (const NodeId goal : goals.nodes()) {
      const std::int32_t x = layer.x_of(goal);
      const std::int32_t y = layer.y_of(goal);
      if (boxes_.empty() || goals.nodes().size() <= kGoalsMax) {
        boxes_.push_back({x, y, x + 1, y + 1});
        continue;
      }
      CellRect& box = boxes_.front();
      box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x + 1),
             std::max(box.y1, y + 1)};
    }
  }

  // O(goals).
  Cost operator()(std::int32_t x, std::int32_t y) const {
    Cost least = boxes_.empty() ? 0 : kUnreachable;
    for (const CellRect& box : boxes_) {
      const auto dx = static_cast<std::uint32_t>(std::max({box.x0 - x, x - box.x1 + 1, 0}));
      const auto dy = static_cast<std::uint32_t>(std::max({box.y0 - y, y - box.y1 + 1, 0}));
      least =
          std::min(least, topology_ == Topology::k8 ? octile_cost(dx, dy) : manhattan_cost(dx, dy));
    }
    return weight_.is_one() ? least : weight_.scaled_f(0, least) / 16;
  }

 private:
  Topology topology_ = Topology::k8;
  AStarWeight weight_{1};
  std::vector<CellRect> boxes_;
};

}  // namespace repath
