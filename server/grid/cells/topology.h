// How an agent steps from cell to cell: over squares or hexagons.
//
// Hexagons are in odd-r offset coordinates: pointy tops, with each odd row half a cell to the right
// of the even rows. Cell (x, y) has six neighbours: two in its row and two in each row beside it. A
// map does not know hexagons: cells are stored, numbered and covered by shapes as squares are, and
// a profile walks on them as hexagons or as squares. Only the steps, the metric, the components and
// the disc of a radius differ. Source: A. Patel, "Hexagonal Grids" (redblobgames.com, 2013) for
// odd-r and its axial coordinates q = x - floor(y / 2), r = y. Pure functions.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace repath {

enum class Topology : std::uint8_t {
  k4,    // to the four cells that share an edge
  k8,    // also to the four cells that share a corner
  kHex,  // to the six neighbours of a hexagon
};

// Whether a diagonal step may pass its two flanks: the cells that share an edge with both its ends.
// Has a meaning for k8 only.
enum class CornerRule : std::uint8_t {
  kNone,  // corners are not cut: both flanks must be free
  kOne,   // at least one flank must be free
};

// Returns whether a step by (dx, dy), each in [-1, 1], leads to a neighbour. `odd`: the step starts
// in an odd row.
constexpr bool is_hex_step(std::int32_t dx, std::int32_t dy, bool odd) {
  if (dy == 0) return dx != 0;
  return odd ? dx >= 0 : dx <= 0;
}

// Returns the least number of steps between two cells. REQUIRES: y0, y1 >= 0.
constexpr std::uint32_t hex_distance(std::int32_t x0, std::int32_t y0, std::int32_t x1,
                                     std::int32_t y1) {
  const std::int32_t dq = (x1 - (y1 >> 1)) - (x0 - (y0 >> 1));
  const std::int32_t dr = y1 - y0;
  return static_cast<std::uint32_t>((std::abs(dq) + std::abs(dr) + std::abs(dq + dr)) / 2);
}

// Returns a lower bound of the number of steps between cells that many columns and rows apart; it
// grows with both. Each row takes a step, and every second of these steps also moves by a column,
// perhaps already the first.
constexpr std::uint32_t hex_distance_bound(std::uint32_t dx, std::uint32_t dy) {
  const std::uint32_t drift = (dy + 1) / 2;
  return dy + (dx > drift ? dx - drift : 0);
}

}  // namespace repath
