// What a batch that was staged but not applied would do: which pairs of places it would part, which
// agents it would touch or cut off.
//
// Borrows everything. Changes nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/engine.h"
#include "replan/state.h"
#include "world/staged.h"
#include "world/world.h"

namespace repath {

// Fills pairs, agents, truncated and changed_edges. `pair_views` are the views of command.pairs.
// O(agents on changed edges + the cells of the components that are asked about, once a view).
void try_changes(const World& world, const StagedBatch& staged, const TestChanges& command,
                 const std::vector<ViewId>& pair_views, ReplanState& agents, TestAnswer* answer);

}  // namespace repath
