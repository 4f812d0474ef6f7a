// Positions of agents in worlds of routes (verdicts/positions.h). No agent walks backwards: a
// report behind the place the agent had come to is astray, once it is out of reach.
#pragma once

#include "route_ground/route_kind.h"
#include "verdicts/positions.h"

namespace repath {

extern template class Positions<RouteKind>;

}  // namespace repath
