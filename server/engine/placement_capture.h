// Takes what placements need of a grid world and its agents. Runs on the world's strand.
//
// Borrows everything. Changes nothing.
#pragma once

#include <span>
#include <vector>

#include "engine/placements.h"
#include "engine/tried_changes.h"
#include "grid_ground/state.h"
#include "world/world.h"

namespace repath {

// Returns the views that agents use, with their agents. `covered`: the cells that a tower may
// cover. Facts found about the views in `known` are shared. O(agents + cells covered / 64 for each
// team that has not seen all cells).
std::vector<PlacementView> capture_placements(const World& world, const ReplanState& state,
                                              std::span<const ViewComponents> known,
                                              const PlaceBox& covered);

}  // namespace repath
