// The lattice on which navmeshes, floor plans and their obstacles live: 16 steps to the millimetre,
// 16,000 to the unit. A corner given to a millimetre is a lattice point, so what a client sends and
// what an outside checker reads is exact; only where two lines cross a point is rounded, by half a
// step at most. Signs of determinants are exact in 64 bits.
//
// Ranges: a coordinate is in [-kLatticeMax, kLatticeMax], 33,554 units each way. A difference then
// fits 31 bits with its sign, a product of two 61, a determinant 62.
#pragma once

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

// The determinant of b - a and c - a: twice the signed area of the triangle, in steps squared.
// Above 0: c lies to the left of the line a -> b (x right, z up).
[[nodiscard]] constexpr std::int64_t turn(LatticePoint a, LatticePoint b, LatticePoint c) {
  return (std::int64_t{b.x} - a.x) * (std::int64_t{c.z} - a.z) -
         (std::int64_t{b.z} - a.z) * (std::int64_t{c.x} - a.x);
}

// In world units, rounded once.
[[nodiscard]] constexpr Point to_point(LatticePoint p) {
  return {static_cast<double>(p.x) / kLatticePerUnit, static_cast<double>(p.z) / kLatticePerUnit};
}

}  // namespace repath
