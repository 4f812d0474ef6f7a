// Exact predicates on segments between lattice points, for carving (navmesh/carve/carve.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "geometry/ring.h"

namespace repath {

// Lattice steps, in x and in z: half a millimetre.
inline constexpr std::int32_t kCarveAttraction = 8;

// Whether the segment ab, its ends lattice points, meets the pixel of a point: the half-open square
// one step wide around it, its lower and left sides included. Exact.
class PixelTest {
 public:
  PixelTest(LatticePoint a, LatticePoint b)
      : a_(a),
        low_{std::min(a.x, b.x), std::min(a.z, b.z)},
        high_{std::max(a.x, b.x), std::max(a.z, b.z)},
        dx_(std::int64_t{b.x} - a.x),
        dz_(std::int64_t{b.z} - a.z),
        reach_(std::abs(dx_) + std::abs(dz_)) {}

  bool meets(LatticePoint c) const {
    if (c.z < low_.z || c.z > high_.z || c.x < low_.x || c.x > high_.x) return false;
    const std::int64_t off =
        2 * (dx_ * (std::int64_t{c.z} - a_.z) - dz_ * (std::int64_t{c.x} - a_.x));
    if (std::abs(off) != reach_) return std::abs(off) < reach_;
    return off - dx_ + dz_ == 0;  // touches a corner of the pixel: the lower left one
  }

 private:
  LatticePoint a_;
  LatticePoint low_;
  LatticePoint high_;
  std::int64_t dx_;
  std::int64_t dz_;
  std::int64_t reach_;
};

// Whether ab meets the closed square of `far` steps around c. Exact.
inline bool meets_square(LatticePoint a, LatticePoint b, LatticePoint c, std::int32_t far) {
  if (c.x + far < std::min(a.x, b.x) || c.x - far > std::max(a.x, b.x)) return false;
  if (c.z + far < std::min(a.z, b.z) || c.z - far > std::max(a.z, b.z)) return false;
  const std::int64_t reach = std::abs(std::int64_t{b.x} - a.x) + std::abs(std::int64_t{b.z} - a.z);
  return std::abs(turn(a, b, c)) <= far * reach;
}

inline bool are_opposite(std::int64_t a, std::int64_t b) {
  return (a > 0 && b < 0) || (a < 0 && b > 0);
}

// The floor of n / d + 1/2. REQUIRES: d > 0.
inline std::int32_t rounded_quotient(Wide n, Wide d) {
  constexpr Wide kNarrow = Wide{1} << 61;  // as a rule; a division in 64 bits is far cheaper
  if (n < kNarrow && n > -kNarrow && d < kNarrow) {
    const auto twice = static_cast<std::int64_t>(2 * n + d);
    const auto by = static_cast<std::int64_t>(2 * d);
    const std::int64_t q = twice / by;
    return static_cast<std::int32_t>(q * by > twice ? q - 1 : q);
  }
  const Wide twice = 2 * n + d;
  const Wide q = twice / (2 * d);
  return static_cast<std::int32_t>(q * (2 * d) > twice ? q - 1 : q);
}

// Where ab crosses the line cd, rounded, given how far a and b lie off that line.
inline LatticePoint rounded_crossing(LatticePoint a, LatticePoint b, std::int64_t from_a,
                                     std::int64_t from_b) {
  // a + (b - a) from_a / (from_a - from_b)
  const Wide sign = from_a > 0 ? 1 : -1;
  const Wide part = sign * from_a;
  const Wide whole = sign * (Wide{from_a} - from_b);
  return {a.x + rounded_quotient(part * (std::int64_t{b.x} - a.x), whole),
          a.z + rounded_quotient(part * (std::int64_t{b.z} - a.z), whole)};
}

// Whether ab and cd run through each other's inside, and where, rounded.
inline bool cross(LatticePoint a, LatticePoint b, LatticePoint c, LatticePoint d,
                  LatticePoint* at) {
  if (!are_opposite(turn(a, b, c), turn(a, b, d))) return false;
  const std::int64_t from_a = turn(c, d, a);
  const std::int64_t from_b = turn(c, d, b);
  if (!are_opposite(from_a, from_b)) return false;
  *at = rounded_crossing(a, b, from_a, from_b);
  return true;
}

}  // namespace repath
