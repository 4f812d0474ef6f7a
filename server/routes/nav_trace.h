// The nodes of searches over a mesh as places with heights, for routes/nav_search.h. Pure
// functions.
#pragma once

#include <cstddef>
#include <vector>

#include "navmesh/carve/carved_ground.h"
#include "navmesh/search/any_angle.h"
#include "navmesh/search/corridor.h"
#include "routes/route_trace.h"

namespace repath {

// Each function appends at most `room` places. False: there are more.

// `expanded`: the nodes that the search logged; after them come the waiting nodes.
bool append_any_angle(const CarvedGround& ground, const RoutePlace& start,
                      const AnyAngleSearch& search, const std::vector<SeenCone>& expanded,
                      std::size_t room, RouteTrace* trace);
bool append_corridor(const CarvedGround& ground, const CorridorSearch& search, std::size_t room,
                     RouteTrace* trace);

}  // namespace repath
