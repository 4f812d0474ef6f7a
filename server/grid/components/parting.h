// Decides, without labels, whether blocking some cells can have split connected ground.
//
// It cannot if the cells lie in a box around which the free cells are connected: every path through
// the box has a way round it. This settles nearly every door, stone and tower on open ground by a
// look at the cells around it; components.h answers for the rest. Pure function.
#pragma once

#include <span>

#include "base/ids.h"
#include "grid/cells/layer.h"

namespace repath {

// Longest side of a box that is examined; the cells around such a box fit a word.
inline constexpr std::int32_t kPartingSideMax = 14;

// Returns false if free cells that were connected before `blocked` were blocked still are, in any
// topology and under any corner rule. True proves nothing. `layer` is the layer after the change;
// cells that were freed together with `blocked` do not matter. REQUIRES: `blocked` is not empty.
// O(cells + sides of the box around them).
[[nodiscard]] bool may_part(const GridLayer& layer, std::span<const NodeId> blocked);

}  // namespace repath
