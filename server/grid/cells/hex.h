// Hexagons in odd-r offset coordinates: pointy tops, each odd row half a cell to the right of the
// even ones, so that cell (x, y) has six neighbours, two in its row and two in each row beside.
//
// A map does not know of hexagons: cells are stored, numbered and covered by shapes as squares are,
// and a profile walks on them as hexagons or as squares. Only steps, the metric, what hangs
// together and the disc of a radius differ. Sources: A. Patel, "Hexagonal Grids" (redblobgames.com,
// 2013) for odd-r and its axial coordinates q = x - floor(y / 2), r = y. Pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace repath {

// Whether a step by (dx, dy), each in [-1, 1], leads to a neighbour from a row that is odd or not.
constexpr bool is_hex_step(std::int32_t dx, std::int32_t dy, bool odd) {
  if (dy == 0) return dx != 0;
  return odd ? dx >= 0 : dx <= 0;
}

// The least number of steps between two cells. REQUIRES: y0, y1 >= 0.
constexpr std::uint32_t hex_distance(std::int32_t x0, std::int32_t y0, std::int32_t x1,
                                     std::int32_t y1) {
  const std::int32_t dq = (x1 - (y1 >> 1)) - (x0 - (y0 >> 1));
  const std::int32_t dr = y1 - y0;
  return static_cast<std::uint32_t>((std::abs(dq) + std::abs(dr) + std::abs(dq + dr)) / 2);
}

// No cells that many columns and rows apart are fewer steps apart; grows with either. Each row
// passed takes a step, and every second one moves a column, the first maybe.
constexpr std::uint32_t hex_distance_bound(std::uint32_t dx, std::uint32_t dy) {
  const std::uint32_t drift = (dy + 1) / 2;
  return dy + (dx > drift ? dx - drift : 0);
}

}  // namespace repath
