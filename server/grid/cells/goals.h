// The goals of one agent or of several that share them: the nodes that end a path, and a lower
// bound of the way from a place to them.
//
// Immutable. A goal's nodes are its own cell and all cells whose centre lies within the radius of
// the goal. Blocked cells count too; they only have no edges. So the set depends on geometry alone.
// bound() is lb of docs/promise.md: it never overestimates the cost of a path.
#pragma once

#include <algorithm>
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
  // REQUIRES: the points are on the map, and the radius, in cells, is in [0, kGoalRadiusCellsMax].
  // O(cells within the radius).
  Goals(const GridLayer& layer, Topology topology, std::span<const MapPoint> points, double radius);

  const GoalSet& nodes() const { return nodes_; }
  // Returns the least box around all nodes.
  const PlaceBox& box() const { return box_; }
  Metric metric() const { return metric_; }

  // Returns a cost that no path from `p` to any of the nodes undercuts. O(goals).
  Cost bound(Place p) const;
  // Returns such a cost for paths from every place of the box. REQUIRES: the box is not empty.
  // O(goals).
  Cost bound(const PlaceBox& box) const;
  // Returns the metric distance from `p` to the nearest goal's own cell. PARTIAL paths minimise it.
  // O(goals).
  Cost distance(Place p) const {
    Cost least = kUnreachable;
    for (const Goal& goal : goals_) least = std::min(least, metric_.between(p, goal.place));
    return least;
  }
  // Returns whether some node of the set is free. O(nodes).
  bool any_free(const GridLayer& layer) const {
    return std::ranges::any_of(nodes_.nodes(), [&](NodeId n) { return layer.is_free(n); });
  }

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

// The bound of Goals for searches on cells with eight neighbours. It is zero on every goal node,
// and consistent because the metric is. Borrows the goals, if there are any; their metric must be
// that of eight neighbours. Jump points ask it for each node, so one goal is kept here.
class GoalsCellBound {
 public:
  // Makes the bound for one goal cell.
  explicit GoalsCellBound(Place only) : first_{only, 0}, is_only_(true) {}
  // Makes the bound for goals that lie somewhere in the box.
  explicit GoalsCellBound(const PlaceBox& box) : box_(box) {}
  explicit GoalsCellBound(const Goals& goals) : goals_(&goals), is_only_(goals.goals_.size() == 1) {
    if (is_only_) first_ = goals.goals_.front();
  }
  Cost operator()(std::int32_t x, std::int32_t y) const {
    if (!is_only_) return of_several(Place{x, y});
    const Cost d = octile_cost(static_cast<std::uint32_t>(std::abs(x - first_.place.x)),
                               static_cast<std::uint32_t>(std::abs(y - first_.place.y)));
    return d > first_.slack ? d - first_.slack : 0;
  }

 private:
  Cost of_several(Place p) const {
    return goals_ != nullptr ? goals_->bound(p) : Metric{Topology::k8}.to_box(p, box_);
  }

  const Goals* goals_ = nullptr;  // null: one goal, or the box
  Goals::Goal first_;
  PlaceBox box_;
  bool is_only_ = false;
};

}  // namespace repath
