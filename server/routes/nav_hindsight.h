// Hindsight on the ground of a mesh: lengths between its vertices and a goal.
#pragma once

#include <cstddef>
#include <utility>

#include "geometry/lattice.h"
#include "navmesh/search/known_lengths.h"
#include "routes/hindsight.h"
#include "routes/route_ground.h"

namespace repath {

class NavHindsight final : public Hindsight {
 public:
  // World units by which known ways may be longer than the shortest: walking round a new obstacle
  // rarely costs more. It takes 15 % more nodes; README.md of navmesh has the figures.
  static constexpr double kBeyond = 2;

  NavHindsight(KnownLengths lengths, const Spot& goal)
      : lengths_(std::move(lengths)), goal_(goal) {}

  const KnownLengths& lengths() const { return lengths_; }
  const Spot& goal() const { return goal_; }
  // Subtracts the greatest distance between places that count as one.
  Cost certain() const override {
    if (is_of_all_places()) return kUnreachable;
    const double steps = lengths_.certain - LandmarkView::kSlack;
    return steps > 0 ? static_cast<Cost>(steps / kLatticePerUnit * kRouteCostUnit) : 0;
  }
  bool is_of_all_places() const override { return !lengths_.by_vertex.empty(); }
  std::size_t bytes() const override { return sizeof(*this) + lengths_.bytes(); }

 private:
  KnownLengths lengths_;
  Spot goal_;
};

}  // namespace repath
