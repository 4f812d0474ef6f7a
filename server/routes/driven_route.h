// Routes over meshes for agents with a turning radius: straight lines and arcs of that radius
// (geometry/turns.h) near a route that was found. Pure functions, safe on any thread as the ground
// is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agents/route.h"
#include "base/cost.h"
#include "base/stop_token.h"
#include "routes/route_ground.h"

namespace repath {

struct DriveRules {
  double radius = 1;                // of the arcs, world units, > 0
  double deviation = 0.05;          // greatest distance of an arc from its chords, world units, > 0
  const StopToken* stop = nullptr;  // borrowed; may be null
};

// Returns the rules for an agent of this turning radius. The chords of its arcs are off these by at
// most a 32nd of the radius, so no two of them turn by more than 29 degrees.
inline DriveRules rules_of_agent(double radius) {
  constexpr double kMost = 0.05;
  return {.radius = radius, .deviation = std::min(kMost, radius / 32)};
}

struct DrivenRoute {
  std::vector<RoutePoint> points;  // ends of the straight lines and of the chords of the arcs
  Cost cost = 0;
  std::uint64_t legs = 0;  // legs that were walked to find it
  bool is_found = false;   // false: a turn has no room, or `stop` requested an end
};

// Returns a route that begins and ends with `found` and takes the same links; an agent may turn as
// it likes at their ends. A circle through three of its points in a row that are no ends of links
// has at least the radius, or they lie on a line. REQUIRES: the ground is a mesh; `found` is open
// on it and not empty.
DrivenRoute drive_route(const RouteGround& ground, std::span<const RoutePoint> found,
                        const DriveRules& rules);

}  // namespace repath
