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
#include "grid/cells/graph.h"
#include "grid/cells/place.h"
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
      : metric_{graph.topology()}, weight_(weight) {
    for (const NodeId goal : goals.nodes()) {
      if (boxes_.empty() || goals.nodes().size() <= kGoalsMax) boxes_.emplace_back();
      boxes_.back().add(place_of(graph.layer(), goal));
    }
  }

  // O(goals).
  Cost operator()(std::int32_t x, std::int32_t y) const {
    Cost least = boxes_.empty() ? 0 : kUnreachable;
    for (const PlaceBox& box : boxes_) least = std::min(least, metric_.to_box({x, y}, box));
    return weight_.is_one() ? least : weight_.scaled_f(0, least) / 16;
  }

 private:
  Metric metric_;
  AStarWeight weight_{1};
  std::vector<PlaceBox> boxes_;
};

}  // namespace repath
