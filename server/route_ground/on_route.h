// The place on a route of an agent that was seen at a position. Pure, safe on any thread as the
// ground is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "routes/route_ground.h"

namespace repath {

// A report no farther from a leg counts as on it. World units, on the plane.
inline constexpr double kRouteReportReach = 0.1;
// Returns whether the two are within reach of each other on the plane.
bool is_within_reach(const Spot& place, const Spot& seen);

struct OnRoute {
  std::uint32_t at = 0;  // the leg that begins at this point
  Spot spot;             // on it: the nearest place; where not every point is a place, and on
                         // links, points[at] itself
};

// Returns the nearest place on the first leg, from points[from] on, that comes within reach of
// `seen`, or on a nearer leg that follows it at once. A link other than the first leg counts at its
// ends alone, because an agent may be seen on the ground beside it. The first leg begins at
// `origin`. The height of `seen` decides the floor, unless `is_broken`: then the route is not
// walked. Empty: the position is off the route. REQUIRES: points not empty, from < their number.
// O(legs), and a walk to the place found from the point before.
std::optional<OnRoute> find_on_route(const RouteGround& ground, std::span<const RoutePoint> points,
                                     std::uint32_t from, const Spot& origin, const Spot& seen,
                                     bool is_broken);

// Returns the rest of a route as points: `origin`, on the leg that begins at points[at], then the
// points ahead. The i-th is points[at + i], but for the first. REQUIRES: at < points.size().
void rest_of_route(std::span<const RoutePoint> points, std::uint32_t at, const Spot& origin,
                   std::vector<RoutePoint>* out);

}  // namespace repath
