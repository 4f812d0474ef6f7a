// Answers about connected ground by a look at the surroundings, without labels or a search. They
// settle nearly every door, stone and tower; components.h answers for the rest. Pure functions.
#pragma once

#include <span>

#include "base/ids.h"
#include "grid/cells/layer.h"
#include "grid/cells/topology.h"

namespace repath {

// Longest side of a box that may_part() examines; the cells around such a box fit a word.
inline constexpr std::int32_t kPartingSideMax = 14;

// Returns false if blocking `blocked` has parted no free cells, in any topology and under any
// corner rule. It is proved by a box that holds the blocked cells: the free cells around it are
// connected, so every path through the box has a way round it. True proves nothing. `layer` is the
// layer after the change; cells that were freed together with `blocked` do not matter. REQUIRES:
// `blocked` is not empty. O(cells + sides of the box around them).
[[nodiscard]] bool may_part(const GridLayer& layer, std::span<const NodeId> blocked);

// Size of the window of in_pocket(): this many rows above and below the first of the cells, and
// half a word of columns.
inline constexpr std::int32_t kPocketReach = 16;

// Returns true if no steps lead from any of `cells` to `other`, under any corner rule: `cells` lie
// in a pocket without a way out, for example behind doors that shut. A flood fill by rows of 64
// cells (grid/bits/fill_runs.h) decides. If it reaches the window's edge, or needs too many rounds,
// the answer is false, which proves nothing. Blocked cells lead nowhere. REQUIRES: `cells` is not
// empty; all are nodes of the layer. O(1): fills at most 40 rows.
[[nodiscard]] bool in_pocket(const GridLayer& layer, Topology topology,
                             std::span<const NodeId> cells, NodeId other);

}  // namespace repath
