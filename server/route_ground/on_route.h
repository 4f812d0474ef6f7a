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

// Legs that share a box. A report looks at the boxes of all legs ahead, and at legs in boxes near
// it.
inline constexpr std::uint32_t kLegsPerBox = 16;
// Returns boxes around the legs of a route: the i-th is around the legs from points[i *
// kLegsPerBox] on.
std::vector<RouteBox> boxes_of_legs(std::span<const RoutePoint> points);

// Returns the place on the legs from points[from] on that is nearest to `seen`, within reach of it.
// If several are as near on the plane, to kSamePlace, the nearest in height counts. If they
// are equally high, too, the first counts: in doubt an agent is behind. The first leg begins at
// `origin`. The farther half of a link that ends where the agent is counts as this end: an agent
// that is still on its way there was put there already. On graphs so does that of a leg. A link
// other than the first leg counts at its ends alone, because an agent may be seen on the ground
// beside it. The height of `seen` decides the floor, unless `is_broken`: then the route is
// not walked, and a leg without a height counts. Empty: the position is off the route. REQUIRES:
// points not empty, from < their number; `boxes` are those of all points, or empty. O(legs to the
// first that is exactly there, else all; with boxes a sixteenth), and a walk for each leg that is
// nearer than those before it.
std::optional<OnRoute> find_on_route(const RouteGround& ground, std::span<const RoutePoint> points,
                                     std::uint32_t from, const Spot& origin, const Spot& seen,
                                     bool is_broken, std::span<const RouteBox> boxes = {});

// Returns the rest of a route as points: `origin`, on the leg that begins at points[at], then the
// points ahead. The i-th is points[at + i], but for the first. REQUIRES: at < points.size().
void rest_of_route(std::span<const RoutePoint> points, std::uint32_t at, const Spot& origin,
                   std::vector<RoutePoint>* out);

}  // namespace repath
