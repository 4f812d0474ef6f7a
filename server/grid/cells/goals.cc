#include "grid/cells/goals.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace repath {
namespace {

// In squared cells. Centres that lie outside the radius by so little count as inside, so that a
// radius typed in decimals reaches the cells that it is meant to reach.
constexpr double kGoalRadiusTolerance = 1e-9;

}  // namespace

Goals::Goals(const GridLayer& layer, Topology topology, std::span<const MapPoint> points,
             double radius)
    : metric_{topology} {
  std::vector<NodeId> nodes;
  const auto reach = static_cast<std::int32_t>(std::ceil(radius)) + 1;
  const double limit = radius * radius + kGoalRadiusTolerance;
  for (const MapPoint& point : points) {
    Goal goal{place_of(point), 0};
    nodes.push_back(layer.node_at(goal.place.x, goal.place.y));
    for (std::int32_t y = goal.place.y - reach; y <= goal.place.y + reach; ++y)
      for (std::int32_t x = goal.place.x - reach; x <= goal.place.x + reach; ++x) {
        const double dx = x + 0.5 - point.x;
        const double dy = y + 0.5 - point.y;
        if (!layer.contains(x, y) || dx * dx + dy * dy > limit) continue;
        nodes.push_back(layer.node_at(x, y));
        goal.slack = std::max(goal.slack, metric_.between(goal.place, {x, y}));
      }
    goals_.push_back(goal);
  }
  for (const NodeId node : nodes) box_.add(place_of(layer, node));
  nodes_ = GoalSet(std::move(nodes));
}

Cost Goals::bound(Place p) const {
  Cost least = kUnreachable;
  for (const Goal& goal : goals_) {
    const Cost d = metric_.between(p, goal.place);
    least = std::min(least, d > goal.slack ? d - goal.slack : 0);
  }
  return least;
}

Cost Goals::bound(const PlaceBox& box) const {
  Cost least = kUnreachable;
  for (const Goal& goal : goals_) {
    const Cost d = metric_.to_box(goal.place, box);
    least = std::min(least, d > goal.slack ? d - goal.slack : 0);
  }
  return least;
}

}  // namespace repath
