// A way round closed steps of a path that costs no more than they did.
//
// Edges that close make nothing cheaper, so the path's old cost still bounds every path from below
// (recall.h says for how long), and a path mended at no extra cost is optimal without any further
// proof: the one search that is needed is between two cells of the path, a few dozen steps apart.
// Pure function but for the memory it borrows from `idle`.
#pragma once

#include <span>
#include <vector>

#include "base/ids.h"
#include "grid/cells/graph.h"
#include "grid/jps/idle_jumps.h"
#include "grid/jps/jump_map.h"
#include "replan/recall.h"

namespace repath {

// How many steps before and after the gap the way round may leave the path and come back.
inline constexpr std::size_t kDetourReach = 32;

// `nodes`[at] to the last, with another way between two cells on either side of `gap`, at the cost
// that the old one had; empty if none was found within `units_max` expansions. Adds what it used
// to `units`. REQUIRES: `jumps` is that of the graph's layer, which is uniform; the path is open
// but for the gap.
std::vector<NodeId> find_detour(const GridGraph& graph, const JumpMap& jumps, IdleJumps& idle,
                                std::span<const NodeId> nodes, std::size_t at, Recalled::Gap gap,
                                WorkUnits units_max, WorkUnits* units);

}  // namespace repath
