// The search behind the settler `detour`.
#pragma once

#include <span>
#include <vector>

#include "base/ids.h"
#include "grid/cells/graph.h"
#include "grid/jps/idle_jumps.h"
#include "grid/jps/jump_map.h"
#include "grid_ground/settlers/recaller.h"

namespace repath {

// How many steps before and after the gap the way round may leave the path and come back.
inline constexpr std::size_t kDetourReach = 32;

// Returns `nodes` from `at` on, with another way between two cells on either side of `gap`, at the
// cost that the old way had. Empty if no such way was found within `units_max` expansions. Adds the
// units it used to `units`. REQUIRES: `jumps` is that of the graph's layer, which is uniform; the
// path is open but for the gap. Pure function but for the memory it borrows from `idle`.
std::vector<NodeId> find_detour(const GridGraph& graph, const JumpMap& jumps, IdleJumps& idle,
                                std::span<const NodeId> nodes, std::size_t at, Recalled::Gap gap,
                                WorkUnits units_max, WorkUnits* units);

}  // namespace repath
