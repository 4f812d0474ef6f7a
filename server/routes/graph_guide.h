// The heuristics that a query may ask for on a graph, as lower bounds of the kernels.
//
// A guide is a distance between two nodes times the least ratio of cost to length of the graph. A
// distance that never exceeds the straight one makes it admissible and consistent: lattice steps
// are whole, so the distance is a metric, and rounding up keeps its triangle inequality. Otherwise
// it may only guide a weighted A*, whose answer is bounded by GuideWithProof::proof.
//
// Immutable; borrows the graph. Safe on any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "routes/graph_ground.h"
#include "search/classic/a_star.h"
#include "search/goal_set.h"

namespace repath {

// Returns a distance in lattice steps, rounded down; kAuto: the straight distance, rounded up.
inline std::uint64_t guide_distance(RouteGuide guide, const WaypointGraph& graph, NodeId a,
                                    NodeId b) {
  std::array<std::uint64_t, 3> apart = graph.apart(a, b);
  switch (guide) {
    case RouteGuide::kZero:
      return 0;
    case RouteGuide::kManhattan:
      return apart[0] + apart[1] + apart[2];
    case RouteGuide::kChebyshev:
      return std::ranges::max(apart);
    case RouteGuide::kOctile: {
      // Steps along three, two and one axes: sqrt(3), sqrt(2) and 1 long, in millionths.
      std::ranges::sort(apart, std::greater());
      const auto [most, middle, least] = apart;
      return most + (middle * 414'214 + least * 317'837) / 1'000'000;
    }
    case RouteGuide::kAuto:
    case RouteGuide::kEuclid:
      break;
  }
  return graph.length(a, b);
}

class GraphGuide {
 public:
  // A weighted f stays within 64 bits: costs of paths take at most 16 x 5.6e17 of it (base/cost.h).
  static constexpr double kRoom = 9e18;

  // `weight`: that of the search, [1, AStarWeight::kWeightMax]. Copies the goals.
  GraphGuide(const WaypointGraph& graph, const RouteGraph& routes, const GoalSet& goals,
             RouteGuide guide, double weight)
      : graph_(&graph),
        routes_(&routes),
        goals_(goals.nodes().begin(), goals.nodes().end()),
        guide_(guide),
        most_(static_cast<Cost>(kRoom / 16 / weight)) {}

  // Returns the guide to the nearest goal, cut off where its weighted f would overflow, which keeps
  // it consistent. O(goals).
  Cost operator()(NodeId n) const { return std::min(most_, least_to_goal(n, guide_)); }

 protected:
  Cost least_to_goal(NodeId n, RouteGuide guide) const {
    std::uint64_t least = ~std::uint64_t{0};
    for (const NodeId goal : goals_)
      least = std::min(least, guide_distance(guide, *graph_, n, goal));
    return goals_.empty() ? 0 : routes_->least_cost_of(least);
  }

 private:
  const WaypointGraph* graph_;
  const RouteGraph* routes_;
  std::vector<NodeId> goals_;
  RouteGuide guide_;
  Cost most_;
};

// A guide that may overestimate, with the bound that proves what it finds.
class GuideWithProof : public GraphGuide {
 public:
  using GraphGuide::GraphGuide;
  Cost proof(NodeId n) const { return least_to_goal(n, RouteGuide::kEuclid); }
};

}  // namespace repath
