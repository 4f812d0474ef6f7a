// Decides on which side of a ray a point lies: the exact sign of a determinant of doubles.
//
// Coordinates are lattice steps: whole numbers for vertices, multiples of 2^-20 for starts and
// goals (to_fine_steps). So the difference of any two is exact, and only products are rounded. A
// filter as in J. Shewchuk's orient2d decides nearly always; the other cases are computed in 128
// bits.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/ring.h"

namespace repath {

// Converts world units to lattice steps, rounded to 2^-20 of a step: 3e-11 of a unit. REQUIRES:
// within five times the extent, so that this is a double.
inline double to_fine_steps(double units) {
  return std::floor(units * kLatticePerUnit * 0x1p20 + 0.5) * 0x1p-20;
}
inline double from_steps(double steps) { return steps / kLatticePerUnit; }

// Returns the sign of the determinant, slowly. REQUIRES: multiples of 2^-20 below 2^31 in
// magnitude.
inline double exact_determinant(double dx, double dz, double px, double pz) {
  const auto whole = [](double v) { return static_cast<std::int64_t>(v * 0x1p20); };
  const Wide det = Wide{whole(dx)} * whole(pz) - Wide{whole(dz)} * whole(px);
  return static_cast<double>((det > 0) - (det < 0));
}

// Returns a value above 0 if the vector (px, pz) lies to the left of (dx, dz) (x right, z up),
// below 0 if to the right, and 0 if both are on one line. Only the sign has a meaning.
inline double side_of(double dx, double dz, double px, double pz) {
  const double a = dx * pz;
  const double b = dz * px;
  const double det = a - b;
  if (std::abs(det) > (std::abs(a) + std::abs(b)) * 0x1p-50) return det;
  return a == 0 && b == 0 ? 0 : exact_determinant(dx, dz, px, pz);
}

}  // namespace repath
