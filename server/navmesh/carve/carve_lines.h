// Exact predicates on segments between lattice points, for carving (navmesh/carve/carve.h).
#pragma once

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
        bounds_(bounds_of(a, b)),
        dx_(std::int64_t{b.x} - a.x),
        dz_(std::int64_t{b.z} - a.z),
        reach_(std::abs(dx_) + std::abs(dz_)) {}

  bool meets(LatticePoint c) const {
    if (!bounds_.holds(c)) return false;
    const std::int64_t off =
        2 * (dx_ * (std::int64_t{c.z} - a_.z) - dz_ * (std::int64_t{c.x} - a_.x));
    if (std::abs(off) != reach_) return std::abs(off) < reach_;
    return off - dx_ + dz_ == 0;  // touches a corner of the pixel: the lower left one
  }

 private:
  LatticePoint a_;
  LatticeBox bounds_;
  std::int64_t dx_;
  std::int64_t dz_;
  std::int64_t reach_;
};

// Whether ab meets the closed square of `far` steps around c. Exact.
inline bool meets_square(LatticePoint a, LatticePoint b, LatticePoint c, std::int32_t far) {
  if (!bounds_of(a, b).grown(far).holds(c)) return false;
  const std::int64_t reach = std::abs(std::int64_t{b.x} - a.x) + std::abs(std::int64_t{b.z} - a.z);
  return std::abs(turn(a, b, c)) <= far * reach;
}

inline bool are_opposite(std::int64_t a, std::int64_t b) {
  return (a > 0 && b < 0) || (a < 0 && b > 0);
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
