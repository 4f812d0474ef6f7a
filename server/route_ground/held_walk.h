// What changes of the ground do to an agent and to the route that it holds: filter 1. Reads only.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "route_ground/state.h"

namespace repath {

// Returns where the agent stands on `ground`, whatever its origin was; empty: in an obstacle. On
// graphs that is the open node nearest to its position, or, as long as that is open, the node of
// its route that its latest report was near. On meshes it is the floor that it was on; a floor
// nearer to its position that has opened since takes the place of that.
std::optional<RoutePlace> stand_of(const RouteAgent& agent, const RouteGround& ground);

// Whether something changed on the way that the agent has before it. Adds what it looked at to
// `tests`. REQUIRES: it holds a route. O(changes near the route x legs).
bool crosses(const RouteState& s, Slot slot, const std::vector<RouteChange>& changes,
             std::uint64_t* tests);

struct HeldWalk {
  Cost cost = 0;                        // of the rest of the route; kUnreachable: it is broken
  std::optional<std::uint32_t> broken;  // then: the point at the end of its first broken leg
};
// What is left of the held route, on `ground`; `rest` is memory for that. REQUIRES: as crosses.
HeldWalk walk_held(const RouteState& s, const RouteGround& ground, Slot slot,
                   std::vector<RoutePoint>* rest);

}  // namespace repath
