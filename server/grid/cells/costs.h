// Cost factors as integers, and the cost of a step.
//
// A factor has 20 fractional bits, so that [1, 1000] fits 30 bits and rounding a factor has a
// relative error below 5e-7. A step from a to b costs length * (fa + fb) / 2, where length is
// kStraightStep or kDiagonalStep, rounded to the nearest unit, halves up. The product is below
// 2^53, so 64-bit arithmetic is exact, and at factor 1 no step is rounded. The cost is symmetric.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/cost.h"
#include "grid/cells/terrain.h"

namespace repath {

using Factor = std::uint32_t;
inline constexpr int kFactorBits = 20;
inline constexpr Factor kFactorOne = Factor{1} << kFactorBits;

// Rounds to the nearest, halves up. REQUIRES: kFactorMin <= factor <= kFactorMax.
constexpr Factor to_factor(double factor) {
  return static_cast<Factor>(factor * static_cast<double>(kFactorOne) + 0.5);
}
constexpr double from_factor(Factor factor) {
  return static_cast<double>(factor) / static_cast<double>(kFactorOne);
}

constexpr Cost step_cost(Cost length, Factor a, Factor b) {
  return (length * (std::uint64_t{a} + b) + (std::uint64_t{1} << kFactorBits)) >> (kFactorBits + 1);
}

// The metrics at factor 1: lower bounds of the cost of a path between cells dx and dy apart.
constexpr Cost manhattan_cost(std::uint32_t dx, std::uint32_t dy) {
  return kStraightStep * (Cost{dx} + dy);
}
constexpr Cost octile_cost(std::uint32_t dx, std::uint32_t dy) {
  const Cost diagonal = std::min(dx, dy);
  return kDiagonalStep * diagonal + kStraightStep * (std::max(dx, dy) - diagonal);
}

}  // namespace repath
