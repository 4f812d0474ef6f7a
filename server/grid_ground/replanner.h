// Agents and their verdicts on one grid.
#pragma once

#include "grid_ground/commit_verdicts.h"
#include "grid_ground/grid_kind.h"
#include "grid_ground/planner.h"
#include "grid_ground/settling.h"
#include "verdicts/agent_book.h"

namespace repath {

using Replanner = AgentBook<GridKind>;

extern template class AgentBook<GridKind>;

}  // namespace repath
