// Answers what a staged batch would do if it were applied: which pairs of places it would part,
// which agents it would affect or cut off.
//
// Borrows everything. Changes nothing.
#pragma once

#include <span>
#include <vector>

#include "base/work_meter.h"
#include "engine/engine_world.h"
#include "grid/components/component_map.h"
#include "grid_ground/state.h"
#include "world/staged.h"
#include "world/world.h"

namespace repath {

// Components of a view as known today.
struct ViewComponents {
  ViewId view{};
  const ComponentMap* components = nullptr;
};

// Returns an agent of each view that agents use and whose cells the batch changes, but for views
// of one agent alone (AgentSpec::stands). Labels of these views are of use to try_changes().
// O(agents).
std::vector<const AgentSpec*> agents_of_views(const StagedBatch& staged, const ReplanState& agents);

// Answers everything but the revision. `pair_views` are the views of command.pairs. Facts found
// about today's layers of the views in `known` are kept there. O(agents + cells / 64 of each view
// asked about, less what is known and unchanged). The views of agents that wait count as asked
// about if the batch blocks or frees cells there. For these agents it also looks at the cells of
// their goals, once for all agents that have the same goals and stand on connected cells. The
// answer is of no use once the meter is over. The meter counts a unit for each of these looks, and
// kUnitsOfAgent for each of these agents. It also counts a unit for each cell that is looked at to
// find one that stands in for a blocked place, and kUnitsOfExpansion for each expansion that new
// labels cost.
TestAnswer try_changes(const World& world, const StagedBatch& staged, const TestChanges& command,
                       const std::vector<ViewId>& pair_views, std::span<const ViewComponents> known,
                       ReplanState& agents, WorkMeter* meter);

}  // namespace repath
