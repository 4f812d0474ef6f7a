// What a batch that was staged but not applied would do: which pairs of places it would part, which
// agents it would touch or cut off.
//
// Borrows everything. Changes nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/engine_world.h"
#include "grid/components/component_map.h"
#include "grid_ground/state.h"
#include "world/staged.h"
#include "world/world.h"

namespace repath {

// What is known of what hangs together in a view today.
struct ViewComponents {
  ViewId view{};
  const ComponentMap* components = nullptr;
};

// Answers all but the revision. `pair_views` are the views of command.pairs; what is found out
// about today's layers of the views in `known` stays there. O(agents on changed edges + cells / 64
// of each view asked about, less what is known and not touched).
TestAnswer try_changes(const World& world, const StagedBatch& staged, const TestChanges& command,
                       const std::vector<ViewId>& pair_views, std::span<const ViewComponents> known,
                       ReplanState& agents);

}  // namespace repath
