// Every agent of one world of routes; see agents/slot_table.h.
//
// Not thread-safe. Invariants:
//   1. A route is held iff the standing is kRoute or kPartial. The agent is on the leg that begins
//      at points[at], at row.origin; row.held is the rest's cost today unless `broken_at` is set.
//   2. row.lower bounds the optimum from below at every revision the agent is settled for. It was
//      proved at row.proof, and held since against all that fell and was shut by then.
//   3. row.rest holds the rest of the held route.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "agents/agent.h"
#include "agents/slot_table.h"
#include "base/ids.h"
#include "reroute/goal_table.h"
#include "routes/route_world.h"

namespace repath {

using RouteSlot = std::uint32_t;

// What an agent's last verdict was; kNone: none that counts. kEmpty: no agent in the slot.
enum class RouteStanding : std::uint8_t { kEmpty, kNone, kRoute, kPartial, kCutOff, kStartBlocked };

struct RouteRow {
  Spot origin;         // where its route begins or would begin
  RouteBox rest;       // around the rest of the held route
  Cost held = 0;       // of the rest of the held route, today
  Cost lower = 0;      // no way from the origin to the goals costs less (kRoute)
  Revision proof{};    // of the search that said so; 0: none did
  Cost allowance = 0;  // fixed when the route was adopted
  RouteGoalsId goals{};
  RouteViewId view{};
  RouteStanding standing = RouteStanding::kEmpty;
  bool settled = false;     // at the world's revision
  bool has_origin = false;  // else it stands in an obstacle and nothing stands in for its place
  bool is_snapped = false;  // the origin stands in for its place, which is blocked
};

struct HeldRoute {
  std::vector<RoutePoint> points;  // as sent
  std::uint32_t at = 0;            // the leg it is on begins here
  PathVersion version{};
  bool is_bounded = false;  // found by a search that claims a bound only
  Cost hysteresis = 0;      // something found must cost less by more than that
  Revision found_at{};      // what `ahead` is true of
  std::vector<Cost> ahead;  // costs from each point to the end; empty: it was not the best one
  bool holds() const { return !points.empty(); }
};

// A route whose client may not know yet that it was replaced.
struct PastRoute {
  PathVersion version{};
  std::vector<RoutePoint> points;
};

// A route that was the best one when it was found, and is not held any more: see recall.h.
struct RememberedRoute {
  std::vector<RoutePoint> points;
  Revision found_at{};
  std::vector<Cost> ahead;
};

struct RouteAgent {
  AgentSpec spec;
  OwnerId owner{};
  Spot spot;  // where it is: on its route, or on the ground at its position, or its position
  bool is_placed = false;  // the spot was a place on the ground, so that its height tells the floor
  bool is_led = false;  // a report was near its route and put it there; else its place is what is
                        // nearest to its position
  HeldRoute route;
  PathVersion last_version{};
  std::vector<PastRoute> past;              // ascending by version
  std::vector<RememberedRoute> remembered;  // to its goals, the latest last
  std::optional<std::uint32_t> broken_at;   // point at the end of the route's first broken leg
  Cost walked = 0;                          // along the held route since it was adopted

  // While it waits: what a route found would be told as, and whether silence is no answer.
  EventType answer = EventType::kImproved;
  EventReason reason = EventReason::kNone;
  bool must_answer = false;
  Revision proved{};    // the last revision its verdict is proved for; 0: none
  Revision asked_at{};  // the world's when it was last put where no verdict speaks for it
  std::uint64_t wait_frame = 0;
  Micros wait_us = 0;
  std::vector<Revision> cause_revisions;    // ascending
  std::vector<ObstacleId> cause_obstacles;  // ascending
  std::uint32_t searches_in_vain = 0;       // since it waits: begun, and of no use when they ended
  bool wants_copy = false;                  // a commit came while its last search ran

  bool has_verdict = false;
  AgentEvent verdict;       // the latest; its path without points
  Revision told{};          // the last revision it got an event in
  std::uint64_t epoch = 0;  // a search begun in another one must begin again
};

using RouteAgentTable = SlotTable<RouteAgent, RouteRow>;

}  // namespace repath
