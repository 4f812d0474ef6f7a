// The goals of one agent or of several that share them: which nodes end a path, and how near a
// place is to them at least.
//
// Immutable. A goal's nodes are all cells whose centre lies within the radius of it, its own cell
// always; blocked ones count too, they just have no edges. So the set depends on geometry alone.
// bound() is lb of docs/promise.md: it never overestimates the cost of a path.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/map_point.h"
#include "grid/cells/costs.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"
#include "search/goal_set.h"

namespace repath {

class Goals {
 public:
  // REQUIRES: points on the map, radius in cells within kGoalRadiusCellsMax. O(cells within
  // radius).
  Goals(const GridLayer& layer, Topology topology, std::span<const MapPoint> points, double radius);

  const GoalSet& nodes() const { return nodes_; }
  // Around all nodes.
  const PlaceBox& box() const { return box_; }
  Metric metric() const { return metric_; }

  // No path from `p` to any of the nodes costs less. O(goals).
  Cost bound(Place p) const;
  // The same for every place of the box. REQUIRES: not empty. O(goals).
  Cost bound(const PlaceBox& box) const;
  // Metric distance to the nearest goal's own cell: what PARTIAL minimises. O(goals).
  Cost distance(Place p) const;
  // Whether some node of the set is free. O(nodes).
  bool any_free(const GridLayer& layer) const;

 private:
  friend class GoalsCellBound;
  struct Goal {
    Place place;
    Cost slack = 0;  // largest metric distance from `place` to a node of the set
  };

  Metric metric_;
  GoalSet nodes_;
  PlaceBox box_;
  std::vector<Goal> goals_;
};

// lb for searches that go by cells with eight neighbours: zero on every goal node and consistent,
// for the metric is. Borrows the goals, if any, whose metric must be that of eight neighbours.
class GoalsCellBound {
 public:
  // Of this one cell.
  explicit GoalsCellBound(Place only) : goals_(nullptr), first_{only, 0}, is_only_(true) {}
  explicit GoalsCellBound(const Goals& goals)
      : goals_(&goals), first_(goals.goals_.front()), is_only_(goals.goals_.size() == 1) {}
  Cost operator()(std::int32_t x, std::int32_t y) const {
    if (!is_only_) return goals_->bound(Place{x, y});
    const Cost d = octile_cost(static_cast<std::uint32_t>(std::abs(x - first_.place.x)),
                               static_cast<std::uint32_t>(std::abs(y - first_.place.y)));
    return d > first_.slack ? d - first_.slack : 0;
  }

 private:
  const Goals* goals_;
  Goals::Goal first_;
  bool is_only_;
};

}  // namespace repath
