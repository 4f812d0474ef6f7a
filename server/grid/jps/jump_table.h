// The directions in which a cheapest path may continue from a cell that it reached by some
// direction, on uniform ground with eight neighbours.
//
// Source: D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", AAAI 2011.
// The table keeps one cheapest path out of many: one that makes its diagonal steps as early as
// possible.
#pragma once

#include <array>
#include <cstdint>

#include "grid/cells/topology.h"

namespace repath {

// The directions in which a path may continue (bit d for kDirections[d]), by direction of arrival
// (kDirections; 8 for the start) and 3 x 3 pattern of free cells (GridLayer::free_around).
using JumpTable = std::array<std::array<std::uint8_t, 512>, 9>;
const JumpTable& jump_table(CornerRule rule);

// Returns the direction of kDirections that goes by (dx, dy).
constexpr std::uint32_t direction_by(std::int32_t dx, std::int32_t dy) {
  const auto nine = static_cast<std::uint32_t>((dy + 1) * 3 + dx + 1);
  return nine > 4 ? nine - 1 : nine;
}

}  // namespace repath
