// Paths for agents with a turning radius: straight lines and arcs of that radius (geometry/turns.h)
// near a path that was found. Pure functions, any thread.
#pragma once

#include <span>

#include "engine/queries.h"
#include "engine/snapshot.h"

namespace repath {

// Replaces answer->points, a smoothed path over cells, by a path of world.turning_radius, and sets
// answer->cost and answer->bound as smooth() does. If a turn has no room, leaves no path and the
// state kTurnTooTight. REQUIRES: world.turning_radius > 0; topology other than kHex.
void drive_cells(const Snapshot& world, const PathQuery& query, std::span<const NodeId> ends,
                 const StopToken* stop, PathAnswer* answer);

// Replaces answer->route, a path over a mesh, in the same way (routes/driven_route.h). The
// bound holds as that of the path found. REQUIRES: query.turning_radius > 0; the ground is a mesh,
// and the route is not empty.
void drive_answer(const QueryGround& ground, const PathQuery& query, const StopToken* stop,
                  PathAnswer* answer);

}  // namespace repath
