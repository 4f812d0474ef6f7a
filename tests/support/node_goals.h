// Goals of a jump point search that are given as nodes.
#pragma once

#include <vector>

#include "grid/cells/goals.h"
#include "grid/cells/snap.h"
#include "grid/jps/jps.h"

namespace repath::test {

// Keeps the goals that a bound borrows.
struct NodeGoals {
  NodeGoals(const GridLayer& layer, const GoalSet& nodes)
      : goals(layer, Topology::k8, centres(layer, nodes), 0) {}

  // Returns the bound to each goal, or to the box around them if there are more than eight.
  GoalsCellBound bound() const {
    return goals.nodes().nodes().size() <= 8 ? GoalsCellBound(goals) : GoalsCellBound(goals.box());
  }
  JumpPointSearch search(const GridLayer& layer, const JumpMap& map, NodeId start) const {
    return JumpPointSearch(layer, map, start, goals.nodes(), bound());
  }

  Goals goals;

 private:
  static std::vector<MapPoint> centres(const GridLayer& layer, const GoalSet& nodes) {
    std::vector<MapPoint> points;
    for (const NodeId node : nodes.nodes()) points.push_back(centre_of(place_of(layer, node)));
    return points;
  }
};

}  // namespace repath::test
