// The lattice of navmeshes, floor plans and their obstacles: 16 steps to the millimetre, 16,000 to
// the unit. A corner given in whole millimetres is a lattice point, so the coordinates that a
// client sends and an outside checker reads are exact. Only the crossing of two lines is rounded,
// by at most half a step. Signs of determinants are exact in 64 bits.
//
// Ranges: a coordinate is in [-kLatticeMax, kLatticeMax], 33,554 units each way. A difference then
// fits 31 bits with its sign, a product of two differences 61, a determinant 62.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/point.h"

namespace repath {

inline constexpr std::int32_t kLatticePerUnit = 16'000;
inline constexpr std::int32_t kLatticeMax = 1 << 29;
inline constexpr double kLatticeExtent = static_cast<double>(kLatticeMax) / kLatticePerUnit;

struct LatticePoint {
  std::int32_t x = 0;
  std::int32_t z = 0;
  bool operator==(const LatticePoint&) const = default;
  auto operator<=>(const LatticePoint&) const = default;
};

// Returns the determinant of b - a and c - a: twice the signed area of the triangle, in steps
// squared. It is above 0 if c lies to the left of the line a -> b (x right, z up).
[[nodiscard]] constexpr std::int64_t turn(LatticePoint a, LatticePoint b, LatticePoint c) {
  return (std::int64_t{b.x} - a.x) * (std::int64_t{c.z} - a.z) -
         (std::int64_t{b.z} - a.z) * (std::int64_t{c.x} - a.x);
}

// Returns whether the point, in world units, is in range; NaN is not.
[[nodiscard]] constexpr bool is_in_extent(Point p) {
  return p.x >= -kLatticeExtent && p.x <= kLatticeExtent && p.z >= -kLatticeExtent &&
         p.z <= kLatticeExtent;
}
[[nodiscard]] constexpr bool is_in_lattice(LatticePoint p) {
  return p.x >= -kLatticeMax && p.x <= kLatticeMax && p.z >= -kLatticeMax && p.z <= kLatticeMax;
}

// Returns the lattice point nearest to a point in world units, halves up. REQUIRES: in range.
[[nodiscard]] inline LatticePoint to_lattice(Point p) {
  return {static_cast<std::int32_t>(std::floor(p.x * kLatticePerUnit + 0.5)),
          static_cast<std::int32_t>(std::floor(p.z * kLatticePerUnit + 0.5))};
}
// Returns the point in world units, rounded once.
[[nodiscard]] constexpr Point to_point(LatticePoint p) {
  return {static_cast<double>(p.x) / kLatticePerUnit, static_cast<double>(p.z) / kLatticePerUnit};
}

}  // namespace repath
