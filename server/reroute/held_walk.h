// What changes of the ground do to an agent and to the route that it holds: filter 1. Reads only.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reroute/state.h"

namespace repath {

// Where the agent stands on `ground`, whatever its origin was. Empty: in an obstacle. On graphs, if
// its node is closed there, on the open node nearest to its position.
std::optional<RoutePlace> stand_of(const RouteAgent& agent, const RouteGround& ground);

// Whether something changed on the way that the agent has before it. Adds what it looked at to
// `tests`. REQUIRES: it holds a route. O(changes near the route x legs).
bool crosses(const RouteState& s, RouteSlot slot, const std::vector<RouteChange>& changes,
             std::uint64_t* tests);

struct HeldWalk {
  Cost cost = 0;                        // of the rest of the route; kUnreachable: it is broken
  std::optional<std::uint32_t> broken;  // then: the point at the end of its first broken leg
};
// What is left of the held route, on `ground`; `rest` is memory for that. REQUIRES: as crosses.
HeldWalk walk_held(const RouteState& s, const RouteGround& ground, RouteSlot slot,
                   std::vector<RoutePoint>* rest);

}  // namespace repath
