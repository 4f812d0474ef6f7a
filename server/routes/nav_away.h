// Finds the place on a carved navmesh that is cheapest to reach among those far enough from some
// threats; see routes/nav_ground.h.
//
// If all ground has factor 1 and no link can be taken, NearestFarPlace finds the place exactly.
// Otherwise CorridorSearch is asked, too or alone. Its ways go straight on from where they enter a
// cell to the nearest place in the cell that is far enough. Without another limit it looks around
// in rings, each eight times as wide as the one before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "navmesh/search/far_places.h"
#include "routes/nav_ground.h"
#include "routes/nav_kernels.h"
#include "routes/query_ground.h"

namespace repath {

// Returns the places at least `distance` from the threats. The distance is in world units; a
// micrometre is added, so that rounded places are no nearer than asked for.
FarPlaces far_places(std::span<const Spot> threats, double distance);

// Returns the place that is farthest from the nearest threat, over all cells. Empty: there are no
// cells. O(cells x threats), and more for the few cells that come near the best.
std::optional<RoutePlace> farthest_place(const NavGround& ground,
                                         std::span<const std::uint32_t> cells,
                                         std::span<const Spot> threats);

class NavAway final : public RouteAway {
 public:
  NavAway(const NavGround* ground, std::shared_ptr<const NavKernels> kernels,
          const RoutePlace& from, std::span<const Spot> threats, double distance);
  ~NavAway() override;
  NavAway(const NavAway&) = delete;
  NavAway& operator=(const NavAway&) = delete;

  Progress advance(std::uint32_t* expansions) override;
  RoutePlace place() const override;
  Cost lower_bound() const override { return bound_; }
  std::uint64_t expanded() const override { return expanded_; }

 private:
  enum class Stage { kAnyAngle, kCorridor, kPull, kDone };

  void begin_ring();
  void take_any_angle();
  bool pull_one();
  void end_ring();

  const NavGround* ground_;
  std::shared_ptr<const NavKernels> kernels_;
  std::unique_ptr<NavKernel> kernel_;  // while it runs
  MeshPlace from_;
  FarPlaces places_;
  Stage stage_ = Stage::kDone;
  double ring_ = 0;  // world units
  std::size_t pulled_ = 0;
  MeshPlace best_;   // computed; its cell is kNoCell if there is none yet
  double cost_ = 0;  // of the way to best_, world units
  Cost bound_ = 0;
  std::uint64_t expanded_ = 0;
};

}  // namespace repath
