// The cost of a path as rooms exchange it: a 64-bit integer, so that sums are exact and a run
// replays bit for bit.
//
// The unit is 1 / kStraightStep of a straight step between cells at factor 1. A diagonal step costs
// kDiagonalStep; 8119/5741 approximates the square root of two (a continued-fraction convergent,
// relative error 7.5e-9). The common scale of 256 leaves room for factors: a step costs its length
// times the mean of both cells' factors, rounded to a unit, with a relative error of at most
// 3.4e-7. The largest sum, 2^28 cells x factor 1000 x a diagonal step = 5.6e17, is far below 2^63.
// So plain sums cannot overflow, and only kUnreachable needs care.
#pragma once

#include <cstdint>
#include <limits>

namespace repath {

using Cost = std::uint64_t;

// The cost of a place that cannot be reached. Adding anything to it with saturating_add() leaves it
// unchanged.
inline constexpr Cost kUnreachable = std::numeric_limits<Cost>::max();
inline constexpr Cost kStraightStep = 5741u * 256u;
inline constexpr Cost kDiagonalStep = 8119u * 256u;

constexpr Cost saturating_add(Cost a, Cost b) {
  return a > kUnreachable - b ? kUnreachable : a + b;
}

// Returns a cost as a length in cells: a straight step at factor 1 is 1.0. Exact to double
// rounding.
constexpr double cells_from_cost(Cost c) {
  return static_cast<double>(c) / static_cast<double>(kStraightStep);
}

}  // namespace repath
