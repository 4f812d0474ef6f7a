// Positions of agents on a grid (verdicts/positions.h): a position within half a cell of a path's
// segment counts as its nearer node.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/ids.h"
#include "base/map_point.h"
#include "grid/cells/layer.h"

namespace repath {

// Returns the place in `nodes`, not before `from`, of the node that `point` counts as. It is the
// nearer end of the first segment no farther than half a cell, or of a nearer segment that follows
// at once. Empty: the point is off the path. Skips ahead as far as a path can lead in so many
// steps.
std::optional<std::uint32_t> place_on_path(const GridLayer& layer, std::span<const NodeId> nodes,
                                           std::uint32_t from, MapPoint point);

}  // namespace repath
