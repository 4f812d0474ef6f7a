// A free cell of a grid, chosen evenly.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "agents/agent.h"
#include "base/ids.h"
#include "engine/snapshot.h"

namespace repath {

// Among the free cells whose centre is at most `radius` cells from `near` (infinite: all of them).
// The same seed gives the same cell of the same layer. Empty: there is none, or none was met in
// 1,000 tries, each a cell of the square around. Thread-safe.
std::optional<NodeId> random_free_cell(const GridLayer& layer, MapPoint near, double radius,
                                       std::uint64_t seed);

}  // namespace repath
