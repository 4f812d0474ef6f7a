// What a batch would do to a world of routes: which pairs of places it would part, which agents it
// would touch or cut off. It is done to a clone of the world, so what is said is what apply() does.
//
// Changes nothing but the views in use, for as long as it runs.
#pragma once

#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "reroute/state.h"
#include "routes/route_world.h"

namespace repath {

// Errors of RouteWorld::acquire_view ("pairs[1].profile") and of RouteWorld::apply
// ("batch.upsert_obstacles[0]..."); RESOURCE_EXHAUSTED with WORLD_MEMORY. REQUIRES: the pairs'
// points are where RouteEngine takes points. O(world).
absl::StatusOr<TestAnswer> try_route_changes(RouteWorld& world, const TestChanges& command,
                                             const RouteState& agents);

}  // namespace repath
