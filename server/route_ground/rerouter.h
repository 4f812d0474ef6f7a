// Agents and their verdicts in one world of routes (a navmesh or a waypoint graph).
#pragma once

#include "route_ground/commit_verdicts.h"
#include "route_ground/planner.h"
#include "route_ground/route_kind.h"
#include "route_ground/settling.h"
#include "verdicts/agent_book.h"

namespace repath {

using Rerouter = AgentBook<RouteKind>;

extern template class AgentBook<RouteKind>;

}  // namespace repath
