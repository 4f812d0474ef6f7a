// A free cell of a grid, chosen evenly.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "agents/agent.h"
#include "base/ids.h"
#include "engine/snapshot.h"

namespace repath {

// Returns a free cell whose centre is at most `radius` cells from `near` (infinite: any free cell).
// The same seed gives the same cell of the same layer. Empty: there is no such cell, or 1,000 tries
// in the square around `near` met none. Thread-safe.
std::optional<NodeId> random_free_cell(const GridLayer& layer, MapPoint near, double radius,
                                       std::uint64_t seed);

}  // namespace repath
