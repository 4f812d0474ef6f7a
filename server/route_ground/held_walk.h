// Filter 1: the effect of changes of the ground on an agent and on its held route. Reads only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "route_ground/on_route.h"
#include "route_ground/state.h"

namespace repath {

// Returns where the agent stands on `ground`, whatever its origin was; empty: in an obstacle. On
// graphs that is the open node nearest to its position, or, as long as that is open, the node of
// its route that its latest report was near. On meshes it is on the floor that it was on, or, if it
// has not stood anywhere yet, on the one that its position means. Adds looks as RouteGround does,
// as the next function.
std::optional<RoutePlace> stand_of(const RouteAgent& agent, const RouteGround& ground,
                                   std::uint64_t* looks = nullptr);

// Returns the free place that stands in for the agent's own on `ground`, where that is blocked and
// the agent asked for one (AgentSpec::snap_start). Empty: it did not, or no place near is free.
std::optional<RoutePlace> stand_in_of(const RouteAgent& agent, const RouteGround& ground,
                                      std::uint64_t* looks = nullptr);

// Returns whether something changed on the way ahead of the agent. Adds what it looked at
// to `tests`. REQUIRES: the agent holds a route. O(changes near the route x legs).
bool crosses(const RouteState& s, Slot slot, const std::vector<RouteChange>& changes,
             std::uint64_t* tests);

// Returns the cost of the way along a route from one place on it to a later one, by the legs as
// they were sent. Use it where the way from a place on a leg is barred: the place is rounded, so
// along a wall the wall itself may bar the way. Returns kUnreachable if a leg is broken, or if
// parts of legs have no cost on this ground.
Cost cost_along(const RouteGround& ground, std::span<const RoutePoint> points, const OnRoute& from,
                const OnRoute& to);

struct HeldWalk {
  Cost cost = 0;                        // cost of the rest of the route; kUnreachable: broken
  std::optional<std::uint32_t> broken;  // then: the point at the end of its first broken leg
};
// Walks the rest of the held route on `ground`; `rest` is memory for that. REQUIRES: as crosses.
HeldWalk walk_held(const RouteState& s, const RouteGround& ground, Slot slot,
                   std::vector<RoutePoint>* rest);

}  // namespace repath
