// Which ways a cheapest path need go on from a cell it reached by some direction, on uniform ground
// with eight neighbours.
//
// Source: D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", AAAI 2011:
// of all cheapest paths only one with its diagonal steps as early as they can be is followed.
#pragma once

#include <array>
#include <cstdint>

#include "grid/cells/topology.h"

namespace repath {

// For each direction of arrival (of kDirections; 8 for the start) and each 3 x 3 pattern of free
// cells (GridLayer::free_around) the directions that a path may go on in, bit d for kDirections[d].
using JumpTable = std::array<std::array<std::uint8_t, 512>, 9>;
const JumpTable& jump_table(CornerRule rule);

// The direction in kDirections that goes by (dx, dy).
constexpr std::uint32_t direction_by(std::int32_t dx, std::int32_t dy) {
  const auto nine = static_cast<std::uint32_t>((dy + 1) * 3 + dx + 1);
  return nine > 4 ? nine - 1 : nine;
}

}  // namespace repath
