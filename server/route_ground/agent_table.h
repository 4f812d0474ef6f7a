// Every agent of one world of routes; see agents/slot_table.h and verdicts/agent_record.h.
//
// Not thread-safe. Invariants:
//   1. If a route is held, the agent is on the leg that begins at points[at], at row.origin.
//   2. row.lower was proved at row.proof. Since then it was tested against all that fell and had
//      been shut at row.proof already. Ground that was shut later counted as open in the proof.
//   3. row.rest holds the rest of the held route.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "agents/agent.h"
#include "agents/slot_table.h"
#include "base/ids.h"
#include "route_ground/goal_table.h"
#include "route_ground/search_state.h"
#include "routes/route_world.h"
#include "verdicts/agent_record.h"

namespace repath {

struct RouteRow : RowCore<Spot, RouteViewId> {
  bool has_origin = false;  // else it stands in an obstacle and nothing stands in for its place
  bool is_snapped = false;  // the origin stands in for its place, which is blocked
  RouteBox rest;            // around the rest of the held route
  Revision proof{};         // revision of the search that proved `lower`; 0: unproved
};

struct HeldRoute : HeldPathCore<RoutePoint> {
  bool is_bounded = false;      // found by a search that claims a bound only
  Revision found_at{};          // revision at which `ahead` is true
  std::vector<Cost> ahead;      // costs from each point to the end; empty: it was not the best one
  std::vector<RouteBox> boxes;  // around its legs, see boxes_of_legs()
};

// A route that was the best one when it was found, and is not held any more: see recall.h.
struct RememberedRoute {
  std::vector<RoutePoint> points;
  Revision found_at{};
  std::vector<Cost> ahead;
};

struct RouteAgent : AgentCore<HeldRoute> {
  Spot spot;  // where it is: on its route, or on the ground at its position, or its position
  bool is_placed = false;    // the spot was a place on the ground, so its height tells the floor
  bool is_led = false;       // a report was near its route and put it there; else its place is what
                             // is nearest to its position
  bool wants_copy = false;   // a commit came while its last search ran
  bool wants_fresh = false;  // the repair of a kept search reached its cap
  std::unique_ptr<RouteSearchState> search;  // kept from one question to the next; may be null
  std::vector<RememberedRoute> remembered;   // to its goals, the latest last
  Cost walked = 0;                           // along the held route since it was adopted
};

using RouteAgentTable = SlotTable<RouteAgent, RouteRow>;

}  // namespace repath
