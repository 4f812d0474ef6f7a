// Whether some cells lie in a pocket: free ground around them that nothing leads out of, and that a
// look around them shows to be one. A goal that towers were built around, an agent that doors shut
// in: without labels, without a search.
//
// A flood fill by rows of 64 cells (grid/bits/fill_runs.h) in a window around the cells, a few
// dozen rows at the most; what reaches the window's edge, or winds on, is not called a pocket. Pure
// function.
#pragma once

#include <span>

#include "base/ids.h"
#include "grid/cells/layer.h"
#include "grid/cells/topology.h"

namespace repath {

// The window: so many rows above and below the first of the cells, and half a word of columns.
inline constexpr std::int32_t kPocketReach = 16;

// True: no steps lead from any of `cells` to `other`, under any corner rule. False says nothing.
// Cells that are blocked lead nowhere. REQUIRES: `cells` not empty; all are nodes of the layer.
// O(1): 40 rows filled at most.
[[nodiscard]] bool in_pocket(const GridLayer& layer, Topology topology,
                             std::span<const NodeId> cells, NodeId other);

}  // namespace repath
