// Agents and their verdicts on one grid.
#pragma once

#include "replan/commit_verdicts.h"
#include "replan/grid_kind.h"
#include "replan/planner.h"
#include "replan/positions.h"
#include "replan/settling.h"
#include "verdicts/agent_book.h"

namespace repath {

using Replanner = AgentBook<GridKind>;

extern template class Verdicts<GridKind>;
extern template class AgentBook<GridKind>;

}  // namespace repath
