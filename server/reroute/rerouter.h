// Agents and their verdicts in one world of routes (a navmesh or a waypoint graph).
#pragma once

#include "reroute/commit_verdicts.h"
#include "reroute/planner.h"
#include "reroute/positions.h"
#include "reroute/route_kind.h"
#include "reroute/settling.h"
#include "verdicts/agent_book.h"

namespace repath {

using Rerouter = AgentBook<RouteKind>;

extern template class Verdicts<RouteKind>;
extern template class AgentBook<RouteKind>;

}  // namespace repath
