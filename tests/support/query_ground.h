// The live ground of a world as queries ask it.
#pragma once

#include "routes/query_ground.h"
#include "routes/route_world.h"

namespace repath::test {

inline const QueryGround& query_ground(const RouteWorld& world, RouteViewId view) {
  return dynamic_cast<const QueryGround&>(world.ground(view));
}

}  // namespace repath::test
