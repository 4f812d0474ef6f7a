// Routes that were the best ones and may be so again, tried before anything is searched: doors that
// open and shut.
//
// The rest of a best way is a best way from wherever on it somebody is. So one that was found at a
// revision is the best one today for who stands on it, if it costs what it cost then and nothing
// that fell since leads to anything cheaper (route_trial.h). How its agent came there, and what it
// walked on meanwhile, does not matter.
//
// Plain functions on the state; not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "route_ground/settling.h"
#include "route_ground/state.h"

namespace repath {

// A route found without a search; costs are those of today.
class RecalledRoute final : public RouteSearch {
 public:
  // No way costs less than `lower`: proved at `proof`, and for all that fell since then.
  RecalledRoute(std::vector<RoutePoint> points, Cost cost, Cost lower, Revision proof)
      : points_(std::move(points)), cost_(cost), lower_(lower), proof_(proof) {}
  [[nodiscard]] Progress advance(std::uint32_t*) override { return Progress::kPathFound; }
  void append_route(std::vector<RoutePoint>* out) const override {
    out->insert(out->end(), points_.begin(), points_.end());
  }
  Cost cost() const override { return cost_; }
  Cost lower_bound() const override { return lower_; }
  std::uint64_t expanded() const override { return 0; }
  Revision proof() const { return proof_; }

 private:
  std::vector<RoutePoint> points_;
  Cost cost_;
  Cost lower_;
  Revision proof_;
};

// Of the routes that the agent remembers the latest that is the best one today. Adds what it looked
// at to `tests`. O(remembered x (legs + changes since)).
std::optional<RecalledRoute> recall_route(const RouteState& state, Slot slot, std::uint64_t* tests);

// The route that was just adopted is the best one at the finding's revision. O(legs).
void note_best(const RouteFinding& finding, HeldRoute* route);
// The held route is given up. No effect if it was not the best one when it was found.
void remember_route(RouteAgent* agent);

}  // namespace repath
