// From a finished search to a verdict: the event, if any, that the agent is sent, and the revision
// up to which it is proved.
//
// Not thread-safe. Borrows the state and the verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "route_ground/route_kind.h"
#include "route_ground/route_trial.h"
#include "route_ground/state.h"
#include "verdicts/settling_core.h"

namespace repath {

// A search and what it was asked.
struct RouteFinding {
  const RouteGround* ground = nullptr;  // ground that the search read
  Revision revision{};                  // revision of that ground
  Spot start;
  bool moves_origin = false;            // it began where the agent's origin is to be, see stand()
  std::vector<Spot> goals;              // their places then
  Standing standing = Standing::kPath;  // or kPartial
  PathVersion version{};                // version of the route held when the search began
  Cost walked = 0;                      // along that route by then
  const RouteSearch* search = nullptr;
  Revision proof{};  // its bound was proved then, and holds at `revision`
};

class RouteSettling : private SettlingCore<RouteKind> {
 public:
  RouteSettling(RouteState& state, Verdicts<RouteKind>& verdicts) : SettlingCore(state, verdicts) {}

  // Returns the place where the agent's route is to begin. It is the agent's origin. As long as the
  // agent holds a whole route from another place, it is the place where its origin will be with the
  // answer. Returns empty if it gave a verdict. It does so if the agent stands in an obstacle and
  // wants no route from there, or if all ground near is blocked.
  std::optional<Spot> stand(Slot slot);
  // Settles an agent that can reach no goal from there at the world's revision. Returns kServed or
  // kPartial.
  Outcome cut_off(Slot slot);
  // Settles the agent by a search that ended with `progress`, which is not kOutOfBudget. Adds its
  // work to `units`.
  Outcome finish(Slot slot, const RouteFinding& finding, Progress progress, WorkUnits* units);

 private:
  struct Found {
    std::vector<RoutePoint> points;
    Spot origin;
    Cost cost = 0;
    Cost lower = 0;
    bool is_tight = false;
  };

  struct Stand {
    Spot spot;                   // where it is
    std::optional<Spot> origin;  // where its route is to begin
  };

  Stand find_stand(Slot slot) const;
  bool is_new(Slot slot, const Stand& stand) const;
  void move_to(Slot slot, const Stand& stand);
  Found take_found(Slot slot, const RouteFinding& finding, WorkUnits* units) const;
  void drive(Slot slot, const RouteGround& ground, Found* found, WorkUnits* units) const;
  std::optional<Found> drive_held(Slot slot, const RouteFinding& finding, const Found& found,
                                  WorkUnits* units) const;
  bool align(Slot slot, const RouteFinding& finding, Found* found);
  bool keep_held(Slot slot, const RouteFinding& finding, WorkUnits* units);
  void prefer_held(Slot slot, const RouteFinding& finding, Found* found) const;
  Outcome adopt(Slot slot, const RouteFinding& finding, Found found, WorkUnits* units);
  void keep_hindsight(Slot slot, const RouteFinding& finding);
  void set_proof(Slot slot, const RouteFinding& finding, const ClaimTrial& trial);
  Outcome finish_unreachable(Slot slot, const RouteFinding& finding, WorkUnits* units);
  bool is_out_of_date(Slot slot, const ClaimTrial& trial, Revision since) const;
};

}  // namespace repath
