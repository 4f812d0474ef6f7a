// A carved navmesh as agents and queries see it.
//
// The mesh has only ground that the profile allows. Answers are exact if all of it has factor 1 and
// no link could be a short cut. Otherwise they come with a lower bound (routes/nav_search.h).
// Lengths are horizontal. Costs are sums over the legs, each rounded up to a unit. The straight
// distance is rounded down, so it never exceeds a cost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "navmesh/carve/carved_ground.h"
#include "navmesh/mesh/leg_factor.h"
#include "navmesh/mesh/mesh_ray.h"
#include "navmesh/mesh/nav_filter.h"
#include "routes/nav_kernels.h"
#include "routes/query_ground.h"
#include "world/profile.h"

namespace repath {

// Returns the filter of the profile, with factors in thousandths; fractions are rounded up.
NavFilter nav_filter(const Profile& profile);

// Returns the cost of a length in units, rounded up.
Cost route_cost_of(double length);
// Returns the cost of the way over the link, in either direction.
Cost cost_over(const NavLink& link, const NavFilter& filter);

// Greatest distance, in lattice steps, by which the way that a leg stands for goes round corners of
// walls that rounding has moved (routes/nav_legs.cc).
inline constexpr double kLegAside = 2;

static_assert(kSameFloor == kOneFloor);

inline MeshPlace mesh_place(const RoutePlace& place) {
  return place_in(place.cell, {place.at.x, place.at.z});
}

class NavGround final : public QueryGround, public GroundView {
 public:
  // `base`: the factors of the ground without obstacles. Keeps `owner` alive. REQUIRES: the filter
  // allows all ground.
  NavGround(const CarvedGround* ground, const NavFilter& filter, const FactorRange& base,
            std::shared_ptr<const NavKernels> kernels,
            std::shared_ptr<const CarvedGround> owner = nullptr);

  // Updates the facts about ground and links; must be called after links were switched or cells
  // became other ground. O(links).
  void look_again();

  bool is_continuous() const override { return true; }
  std::optional<RoutePlace> locate(const Spot& at, std::uint64_t* looks = nullptr) const override;
  std::optional<RoutePlace> nearest(const Spot& at, double radius,
                                    std::uint64_t* looks = nullptr) const override;
  std::optional<RoutePlace> stand(const Spot& at, double radius, double height_reach,
                                  std::uint64_t* looks = nullptr) const override;
  std::optional<double> floor_at(const Spot& at) const override;
  std::uint8_t area_at(const RoutePlace& place) const override { return area_of(place.cell); }
  RouteWalk walk(std::span<const RoutePoint> route) const override;
  Cost cost_of_part(const RoutePoint& from, const Spot& to, const LegPart& part) const override;
  bool may_reach(const RoutePlace& from, const RoutePlace& to) const override;
  std::unique_ptr<ReachTable> reach_table(WorkMeter* meter) const override;
  std::uint64_t reach_bytes() const override;
  bool reaches_as(const RouteGround& other) const override;
  RoutePlace nearest_reachable(const RoutePlace& from,
                               std::span<const RoutePlace> goals) const override;
  Cost least_cost(const RouteBox& from, const RouteBox& to) const override;
  // Appends spans by landmarks. Landmarks ignore links, so nothing is appended if there are any.
  bool append_spans(const RouteBox& box, std::vector<LandmarkSpan>* spans) const override;
  Cost least_cost_between(std::span<const LandmarkSpan> from,
                          std::span<const LandmarkSpan> to) const override;
  // Hindsight is left only for one goal, without links, and once something has been carved.
  std::unique_ptr<RouteSearch> search_with(const HeldHindsight& known, const RoutePlace& from,
                                           std::span<const RoutePlace> goals) const override;
  // Searches that find exact ways alone are not kept.
  bool keeps_searches(std::size_t goals) const override {
    return goals == 1 && (!is_plain_ || has_links_);
  }
  std::unique_ptr<KeptRouteSearch> kept_search(SearchKind kind, const RoutePlace& from,
                                               std::span<const RoutePlace> goals) const override;
  // Estimates that each cell is entered twice.
  std::uint64_t survey_units() const override {
    return mesh().links().empty() ? 2 * std::uint64_t{mesh().cells_end()} : 0;
  }
  bool offers(RouteMethod method) const override {
    using enum RouteMethod;
    return method == kBest || method == kAStar || method == kDijkstra || method == kBfs;
  }
  std::unique_ptr<RouteSearch> search_by(const SearchWish& wish, const RoutePlace& from,
                                         std::span<const RoutePlace> goals) const override;
  // Exact if all ground has factor 1 and no link can be taken.
  std::unique_ptr<RouteFlood> flood(const RoutePlace& from, Cost most) const override;
  std::unique_ptr<RouteFlood> flood_to(std::span<const RoutePlace> goals, Cost most) const override;
  // Exact as flood() is.
  std::unique_ptr<RouteAway> away(const RoutePlace& from, std::span<const Spot> threats,
                                  double distance) const override;
  RoutePlace farthest_reachable(const RoutePlace& from,
                                std::span<const Spot> threats) const override;
  double distance_from(const Spot& threat, const Spot& at) const override;
  const GroundView* view() const override { return this; }
  // Appends live cells.
  std::optional<std::uint32_t> append_cells(std::uint32_t first, std::size_t most,
                                            std::vector<GroundCell>* cells) const override;
  std::vector<GroundLink> links() const override;
  std::optional<RouteRay> cast_ray(const RoutePlace& from, const Spot& to) const override;
  std::optional<double> height_along(const RoutePlace& from, const Spot& to,
                                     const Spot& on) const override;
  std::optional<RoutePlace> random_place(const Spot& near, double radius,
                                         Random* random) const override;

  const NavFilter& filter() const { return filter_; }
  const NavMesh& mesh() const { return ground_->mesh(); }
  const CarvedGround& carved() const { return *ground_; }
  LandmarkView landmarks() const { return ground_->landmarks(); }
  const FactorRange& base_factors() const { return base_; }
  bool is_plain() const { return is_plain_; }  // all ground has factor 1 today
  // No ground has a lower factor today.
  double least_factor() const { return least_factor_; }
  bool has_links() const { return has_links_; }  // enabled, open to the profile

  // The leg from the last point to the next, as walks and searches count it.
  struct Leg {
    Cost cost = 0;  // of the part that was asked for
    MeshPlace end;
    std::uint8_t area = 0;  // area where the leg begins
  };
  // Calls `take` with the legs from the place to `to` until it returns true, and returns whether it
  // did. There are several where floors part on the way (navmesh/mesh/mesh_ray.h): they end on
  // different floors. Links count whole. None: the leg is broken.
  using TakeLeg = absl::FunctionRef<bool(const Leg&)>;
  bool any_leg(const MeshPlace& from, const RoutePoint& at, const Spot& to, const LegPart& part,
               TakeLeg take) const;
  // Returns the leg that ends on the floor that `to` means, see floor_at().
  std::optional<Leg> leg_on_floor(const MeshPlace& from, const RoutePoint& at, const Spot& to,
                                  const LegPart& part = {}) const;
  // Returns the leg over ground alone, exactly along the straight line from `at`, which ends at the
  // height of `to`. Rounding may have barred the way along a wall if borders of other ground meet
  // it.
  std::optional<Leg> straight_leg(const MeshPlace& from, const Spot& at, const Spot& to) const;
  // Returns how far above or below `to` the leg ends, world units.
  double height_off(const Leg& leg, const Spot& to) const;

  RoutePlace place_of(const MeshPlace& place) const;
  // Returns one cell of each piece of ground that holds the point at this height, place.cell first.
  // There are several where pieces touch, in a point or along a line: no way leads through there
  // from one to another, but ways begin and end there on each. REQUIRES: place.cell is allowed and
  // holds the place. O(edges of the cell), and on these edges O(cells near).
  std::vector<std::uint32_t> pieces_at(const MeshPlace& place) const;
  std::uint8_t area_of(std::uint32_t cell) const {
    return static_cast<std::uint8_t>(mesh().cell(cell).area);
  }

 private:
  // A straight way over ground.
  struct Way {
    RayResult ray;
    std::vector<std::uint32_t> cells;  // crossed, in order
  };

  std::optional<RoutePlace> find(const Spot& at, double height_reach,
                                 std::uint64_t* looks = nullptr) const;
  RouteWalk walk_from(MeshPlace place, std::span<const RoutePoint> route) const;
  bool any_straight_leg(const MeshPlace& from, const Spot& at, const Spot& to, const LegPart& part,
                        TakeLeg take) const;
  // Returns the open way whose end is nearest in height to `to`, or any other if none is open.
  Way way_nearest(const MeshPlace& from, const Spot& to) const;
  std::optional<Leg> leg_beside(const MeshPlace& from, const Spot& to, const LegPart& part) const;
  std::optional<Leg> leg_over_link(const MeshPlace& from, std::uint64_t id, const Spot& to) const;
  template <class Visit>
  void for_each_cell_after(std::uint32_t cell, Visit&& visit) const;
  void collect_reachable(const RoutePlace& from, std::vector<std::uint32_t>* cells) const;
  std::uint64_t most_ways() const;

  const CarvedGround* ground_;
  NavFilter filter_;
  FactorRange base_;
  bool is_plain_ = true;
  double least_factor_ = 1;
  bool has_links_ = false;
  std::shared_ptr<const NavKernels> kernels_;
  std::shared_ptr<const CarvedGround> owner_;
};

}  // namespace repath
