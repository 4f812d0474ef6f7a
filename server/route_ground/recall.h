// Routes that were the best ones and may be so again, tried before anything is searched: doors that
// open and shut.
//
// The rest of an optimal route is optimal from each place on it. So a route that was optimal at an
// earlier revision is optimal today for an agent that stands on it, under two conditions. It costs
// what it cost then, and nothing that fell since leads to anything cheaper (route_trial.h). How the
// agent came there, and which routes it followed since, does not matter.
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
  // `lower`: a cost that no way is cheaper than, proved at `proof` and for all that fell since
  // then.
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

// Returns the latest of the agent's remembered routes that is optimal today. Adds what it looked at
// to `tests`. O(remembered x (legs + changes since)).
std::optional<RecalledRoute> recall_route(const RouteState& state, Slot slot, std::uint64_t* tests);

// Notes that the route just adopted is optimal at the finding's revision. O(legs).
void note_best(const RouteFinding& finding, HeldRoute* route);
// Remembers the held route, which is given up, if it was optimal when it was found.
void remember_route(RouteAgent* agent);

}  // namespace repath
