// Path cost between rooms: a 64-bit integer, so that sums are exact and a run replays bit for bit.
//
// Unit: 1 / kStraightStep of a straight cell step at factor 1. A diagonal is kDiagonalStep;
// 8119/5741 is a close rational to the square root of two (a continued-fraction convergent, 7.5e-9
// relative). The common scale of 256 leaves room for factors: a step's cost is its length times the
// mean of both cells' factors, rounded to a unit, 3.4e-7 relative at most. Largest sum: 2^28 cells
// x factor 1000 x a diagonal = 5.6e17, far below 2^63; so plain sums cannot overflow and only
// kUnreachable needs care.
#pragma once

#include <cstdint>
#include <limits>

namespace repath {

using Cost = std::uint64_t;

// Absorbs: anything plus it stays unreachable.
inline constexpr Cost kUnreachable = std::numeric_limits<Cost>::max();
inline constexpr Cost kStraightStep = 5741u * 256u;
inline constexpr Cost kDiagonalStep = 8119u * 256u;

constexpr Cost saturating_add(Cost a, Cost b) {
  return a > kUnreachable - b ? kUnreachable : a + b;
}

// A cost as length in cells (a straight step at factor 1 is 1.0). Exact to double rounding.
constexpr double cells_from_cost(Cost c) {
  return static_cast<double>(c) / static_cast<double>(kStraightStep);
}

}  // namespace repath
