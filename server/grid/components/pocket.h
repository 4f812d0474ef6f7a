// Decides whether some cells lie in a pocket: free ground that a look at the surroundings shows to
// have no way out. For example a goal that towers were built around, or an agent that doors shut
// in. It needs neither labels nor a search.
//
// A flood fill by rows of 64 cells (grid/bits/fill_runs.h) in a window around the cells, of a few
// dozen rows. If the fill reaches the window's edge, or winds on, the answer is not "pocket". Pure
// function.
#pragma once

#include <span>

#include "base/ids.h"
#include "grid/cells/layer.h"
#include "grid/cells/topology.h"

namespace repath {

// Size of the window: this many rows above and below the first of the cells, and half a word of
// columns.
inline constexpr std::int32_t kPocketReach = 16;

// Returns true if no steps lead from any of `cells` to `other`, under any corner rule. False proves
// nothing. Blocked cells lead nowhere. REQUIRES: `cells` is not empty; all are nodes of the layer.
// O(1): fills at most 40 rows.
[[nodiscard]] bool in_pocket(const GridLayer& layer, Topology topology,
                             std::span<const NodeId> cells, NodeId other);

}  // namespace repath
