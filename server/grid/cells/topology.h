// How a walker steps from cell to cell.
#pragma once

#include <cstdint>

namespace repath {

enum class Topology : std::uint8_t {
  k4,    // to the four cells that share an edge
  k8,    // and to the four that share a corner
  kHex,  // to the six neighbours of a hexagon, see grid/cells/hex.h
};

// When a diagonal step may pass its two flanks, the cells that share an edge with both of its ends.
// Of no meaning but for k8.
enum class CornerRule : std::uint8_t {
  kNone,  // no corner is cut: both flanks must be free
  kOne,   // at least one must be free
};

}  // namespace repath
