// Whether cells that were blocked can have parted ground that hung together, without labels.
//
// They cannot if they fill a box around which the free cells hang together: whatever led through
// the box goes round it. This settles nearly every door, stone and tower on open ground at the
// price of a look at the cells around; components.h answers for the rest.
// Pure function.
#pragma once

#include <span>

#include "base/ids.h"
#include "grid/cells/layer.h"

namespace repath {

// Boxes of more cells than this on a side are not looked at: the cells around one fit a word.
inline constexpr std::int32_t kPartingSideMax = 14;

// False: free cells that hung together before `blocked` were blocked still do, by whatever topology
// and corner rule. `layer` is as it is after; cells that were freed together with them do not
// matter. True says nothing. REQUIRES: `blocked` not empty. O(cells + sides of the box around).
[[nodiscard]] bool may_part(const GridLayer& layer, std::span<const NodeId> blocked);

}  // namespace repath
