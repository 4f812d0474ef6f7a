// From a finished search to a verdict: what the agent is told, if anything, and how far it is
// proved.
//
// Not thread-safe. Borrows the state and the verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reroute/route_trial.h"
#include "reroute/state.h"
#include "reroute/verdicts.h"

namespace repath {

// What came of a finished search.
enum class RouteOutcome : std::uint8_t {
  kServed,       // a verdict was given; the agent is settled or waits for another one
  kSearchAgain,  // the search does not speak for the agent as it is now; it keeps its place
  kPartial,      // no goal can be reached, and the agent wants the nearest reachable place
};

// A search and what it was asked.
struct RouteFinding {
  const RouteGround& ground;  // that it read
  Revision revision{};        // of that
  Spot start;
  bool moves_origin = false;    // it began where the agent's origin is to be, see stand()
  std::span<const Spot> goals;  // their places then
  RouteStanding standing = RouteStanding::kRoute;  // or kPartial
  PathVersion version{};                           // of the route held when it began
  Cost walked = 0;                                 // along that route by then
  const RouteSearch* search = nullptr;
  Revision proof{};  // its bound was proved then, and holds at `revision`
};

class RouteSettling {
 public:
  RouteSettling(RouteState& state, RouteVerdicts& verdicts) : s_(state), v_(verdicts) {}

  // Where the agent's route is to begin: its origin, or, as long as it holds a whole route from
  // another place, where its origin will be with the answer. Empty if a verdict was given, because
  // it stands in an obstacle and no route is wanted or nothing free is near.
  std::optional<Spot> stand(RouteSlot slot);
  // No goal can be reached from there at the world's revision. kServed or kPartial.
  RouteOutcome cut_off(RouteSlot slot);
  // The search ended with `progress`, which is not kOutOfBudget. Adds its work to `units`.
  RouteOutcome finish(RouteSlot slot, const RouteFinding& finding, Progress progress,
                      WorkUnits* units);

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

  Stand find_stand(RouteSlot slot) const;
  bool is_new(RouteSlot slot, const Stand& stand) const;
  void move_to(RouteSlot slot, const Stand& stand);
  bool align(RouteSlot slot, const RouteFinding& finding, Found* found);
  bool keep_held(RouteSlot slot, const RouteFinding& finding, WorkUnits* units);
  void prefer_held(RouteSlot slot, const RouteFinding& finding, Found* found) const;
  RouteOutcome adopt(RouteSlot slot, const RouteFinding& finding, Found found, WorkUnits* units);
  void keep_hindsight(RouteSlot slot, const RouteFinding& finding);
  void set_proof(RouteSlot slot, const RouteFinding& finding, const RouteTrial& trial);
  RouteOutcome finish_unreachable(RouteSlot slot, const RouteFinding& finding, WorkUnits* units);
  RouteOutcome tell_unreachable(RouteSlot slot, const RouteTrial& trial, Revision since,
                                bool has_goals);
  void tell_route(RouteSlot slot, const RouteTrial& trial, Cost told, Cost old_cost,
                  Revision since);
  void tell_cost(RouteSlot slot, Cost before, Cost after);
  bool is_out_of_date(RouteSlot slot, const RouteTrial& trial, Revision since) const;
  void start_blocked(RouteSlot slot);
  void close(RouteSlot slot, const RouteTrial& trial, Revision since);
  void close_in_silence(RouteSlot slot, const RouteTrial& trial, Revision since);

  RouteState& s_;
  RouteVerdicts& v_;
};

// What the agent may claim of the route it holds, as far as its row tells: optimality, allowance
// and weight of `path`. REQUIRES: a route is held, and settled.
void set_claim(const RouteState& state, RouteSlot slot, AgentPath* path);

}  // namespace repath
