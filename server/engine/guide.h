// The heuristics that a query may ask for instead of the one that suits its topology.
//
// Each heuristic is a distance between cells, counted in steps of factor 1. If it never exceeds the
// cost of a path (`never_overestimates`), it is consistent too, so the kernels stay exact with it.
// Otherwise it may only guide a weighted A*, whose answer is bounded by Guide::proof.
//
// Immutable; borrows the goals. Safe on any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "engine/queries.h"
#include "grid/cells/costs.h"
#include "grid/cells/goals.h"
#include "grid/cells/place.h"

namespace repath {

// Returns the distance of two cells `dx` columns and `dy` rows apart, each at most 16384. It is
// rounded down, for EUCLID to 128 units: a diagonal step is then exactly kDiagonalStep.
inline Cost heuristic_distance(Heuristic heuristic, std::uint32_t dx, std::uint32_t dy) {
  switch (heuristic) {
    case Heuristic::kAuto:
    case Heuristic::kZero:
      return 0;
    case Heuristic::kManhattan:
      return manhattan_cost(dx, dy);
    case Heuristic::kChebyshev:
      return kStraightStep * std::max(dx, dy);
    case Heuristic::kOctile:
      return octile_cost(dx, dy);
    case Heuristic::kEuclid:
      break;
  }
  constexpr Cost kUnit = 128;
  constexpr Cost kHalfDiagonal = kDiagonalStep / 2 / kUnit;  // a whole number: 8119
  const Cost squared = 2 * kHalfDiagonal * kHalfDiagonal * (Cost{dx} * dx + Cost{dy} * dy);
  auto root = static_cast<Cost>(std::sqrt(static_cast<double>(squared)));
  while (root * root > squared) --root;
  while ((root + 1) * (root + 1) <= squared) ++root;
  return kUnit * root;
}

class Guide {
 public:
  // REQUIRES: heuristic is not kAuto; `points` and `radius` are those of the goals.
  Guide(const GridLayer& layer, const Goals& goals, std::span<const MapPoint> points, double radius,
        Heuristic heuristic)
      : layer_(&layer), goals_(&goals), heuristic_(heuristic), slack_(slack(radius)) {
    for (const MapPoint& point : points) places_.push_back(place_of(point));
  }

  // Returns the distance to the nearest goal's set of cells; zero on each of these. O(goals).
  Cost operator()(NodeId n) const {
    const Place at = place_of(*layer_, n);
    Cost least = kUnreachable;
    for (const Place& place : places_) {
      least = std::min(least, heuristic_distance(
                                  heuristic_, static_cast<std::uint32_t>(std::abs(at.x - place.x)),
                                  static_cast<std::uint32_t>(std::abs(at.y - place.y))));
    }
    return least > slack_ ? least - slack_ : 0;
  }
  // Returns a lower bound of the remaining cost, whatever the heuristic.
  Cost proof(NodeId n) const { return goals_->bound(place_of(*layer_, n)); }

 private:
  // Returns the greatest distance of a cell within `radius` of a point from the point's cell.
  Cost slack(double radius) const {
    const auto reach = static_cast<std::uint32_t>(radius) + 1;
    const double most = radius * radius + 1e-6;
    Cost farthest = 0;
    for (std::uint32_t dy = 0; dy <= reach; ++dy)
      for (std::uint32_t dx = 0; dx <= reach; ++dx) {
        const double x = std::max(dx - 0.5, 0.0);
        const double y = std::max(dy - 0.5, 0.0);
        if (x * x + y * y <= most)
          farthest = std::max(farthest, heuristic_distance(heuristic_, dx, dy));
      }
    return radius == 0 ? 0 : farthest;
  }

  const GridLayer* layer_;
  const Goals* goals_;
  Heuristic heuristic_;
  Cost slack_;
  std::vector<Place> places_;
};

}  // namespace repath
