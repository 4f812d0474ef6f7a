// On which side of a ray a point lies: the sign of a determinant of doubles, exact.
//
// Coordinates are lattice steps, those of vertices whole numbers, those of starts and goals
// multiples of 2^-20 (to_fine_steps): so the difference of any two is exact, and only products are
// rounded. A filter as in J. Shewchuk's orient2d decides nearly always; the rest is computed in 128
// bits.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/ring.h"

namespace repath {

// World units as lattice steps, to 2^-20 of a step: 3e-11 of a unit. REQUIRES: within the extent.
inline double to_fine_steps(double units) {
  return std::floor(units * kLatticePerUnit * 0x1p20 + 0.5) * 0x1p-20;
}
inline double from_steps(double steps) { return steps / kLatticePerUnit; }

// The determinant itself, slowly. REQUIRES: multiples of 2^-20 below 2^31 in magnitude.
inline double exact_determinant(double dx, double dz, double px, double pz) {
  const auto whole = [](double v) { return static_cast<std::int64_t>(v * 0x1p20); };
  const Wide det = Wide{whole(dx)} * whole(pz) - Wide{whole(dz)} * whole(px);
  return static_cast<double>((det > 0) - (det < 0));
}

// Above 0: the vector (px, pz) lies to the left of (dx, dz) (x right, z up); below: to the right;
// 0: along the same line. Only the sign counts.
inline double side_of(double dx, double dz, double px, double pz) {
  const double a = dx * pz;
  const double b = dz * px;
  const double det = a - b;
  if (std::abs(det) > (std::abs(a) + std::abs(b)) * 0x1p-50) return det;
  return a == 0 && b == 0 ? 0 : exact_determinant(dx, dz, px, pz);
}

}  // namespace repath
