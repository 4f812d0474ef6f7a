// How an agent steps from cell to cell.
#pragma once

#include <cstdint>

namespace repath {

enum class Topology : std::uint8_t {
  k4,    // to the four cells that share an edge
  k8,    // also to the four cells that share a corner
  kHex,  // to the six neighbours of a hexagon; see grid/cells/hex.h
};

// Whether a diagonal step may pass its two flanks: the cells that share an edge with both its ends.
// Has a meaning for k8 only.
enum class CornerRule : std::uint8_t {
  kNone,  // corners are not cut: both flanks must be free
  kOne,   // at least one flank must be free
};

}  // namespace repath
