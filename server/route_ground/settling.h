// From a finished search to a verdict: what the agent is told, if anything, and how far it is
// proved.
//
// Not thread-safe. Borrows the state and the verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "route_ground/route_kind.h"
#include "route_ground/route_trial.h"
#include "route_ground/state.h"
#include "verdicts/settling_core.h"

namespace repath {

// A search and what it was asked.
struct RouteFinding {
  const RouteGround& ground;  // that it read
  Revision revision{};        // of that
  Spot start;
  bool moves_origin = false;            // it began where the agent's origin is to be, see stand()
  std::span<const Spot> goals;          // their places then
  Standing standing = Standing::kPath;  // or kPartial
  PathVersion version{};                // of the route held when it began
  Cost walked = 0;                      // along that route by then
  const RouteSearch* search = nullptr;
  Revision proof{};  // its bound was proved then, and holds at `revision`
};

class RouteSettling : private SettlingCore<RouteKind> {
 public:
  RouteSettling(RouteState& state, Verdicts<RouteKind>& verdicts) : SettlingCore(state, verdicts) {}

  // Where the agent's route is to begin: its origin, or, as long as it holds a whole route from
  // another place, where its origin will be with the answer. Empty if a verdict was given, because
  // it stands in an obstacle and no route is wanted or nothing free is near.
  std::optional<Spot> stand(Slot slot);
  // No goal can be reached from there at the world's revision. kServed or kPartial.
  Outcome cut_off(Slot slot);
  // The search ended with `progress`, which is not kOutOfBudget. Adds its work to `units`.
  Outcome finish(Slot slot, const RouteFinding& finding, Progress progress, WorkUnits* units);

 private:
  struct Found {
    std::vector<RoutePoint> points;
    Spot origin;
    Cost cost = 0;
    Cost lower = 0;
  };

  struct Stand {
    Spot spot;                   // where it is
    std::optional<Spot> origin;  // where its route is to begin
  };

  Stand find_stand(Slot slot) const;
  bool is_new(Slot slot, const Stand& stand) const;
  void move_to(Slot slot, const Stand& stand);
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
