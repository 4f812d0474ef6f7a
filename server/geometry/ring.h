// Rings of lattice points: polygons whose last point is joined to the first.
//
// Counterclockwise means a positive area with x to the right and z up (geometry/lattice.h). Pure
// functions, safe on any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/lattice.h"
#include "geometry/point.h"

namespace repath {

using LatticeRing = std::vector<LatticePoint>;

// A type for products of three or four differences of coordinates.
__extension__ typedef __int128 Wide;

// Returns -1, 0 or +1.
[[nodiscard]] constexpr int sign(std::int64_t v) { return (v > 0) - (v < 0); }

// Returns twice the signed area, in steps squared: above 0 for counterclockwise rings. Exact for
// rings whose area lies within the lattice: sums may wrap on the way, and the result is still
// right.
[[nodiscard]] constexpr std::int64_t twice_area(std::span<const LatticePoint> ring) {
  std::uint64_t sum = 0;
  for (std::size_t i = 2; i < ring.size(); ++i)
    sum += static_cast<std::uint64_t>(turn(ring[0], ring[i - 1], ring[i]));
  return static_cast<std::int64_t>(sum);
}

// A closed box.
struct LatticeBox {
  LatticePoint low;
  LatticePoint high;

  [[nodiscard]] constexpr bool holds(LatticePoint p) const {
    return low.x <= p.x && p.x <= high.x && low.z <= p.z && p.z <= high.z;
  }
  [[nodiscard]] constexpr bool meets(const LatticeBox& other) const {
    return low.x <= other.high.x && other.low.x <= high.x && low.z <= other.high.z &&
           other.low.z <= high.z;
  }
  [[nodiscard]] constexpr LatticeBox grown(std::int32_t by) const {
    return {{low.x - by, low.z - by}, {high.x + by, high.z + by}};
  }
};
[[nodiscard]] constexpr LatticeBox bounds_of(LatticePoint a, LatticePoint b) {
  return {{std::min(a.x, b.x), std::min(a.z, b.z)}, {std::max(a.x, b.x), std::max(a.z, b.z)}};
}
// REQUIRES: the ring has a point.
[[nodiscard]] constexpr LatticeBox bounds_of(std::span<const LatticePoint> ring) {
  LatticeBox box{ring[0], ring[0]};
  for (const LatticePoint p : ring) {
    box.low = {std::min(box.low.x, p.x), std::min(box.low.z, p.z)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.z, p.z)};
  }
  return box;
}

// Returns on which side of the line a -> b the point c lies: +1 left, -1 right, 0 on the line.
[[nodiscard]] constexpr int orientation(LatticePoint a, LatticePoint b, LatticePoint c) {
  return sign(turn(a, b, c));
}

// Returns (b - a) . (c - b): above 0 if the path a -> b -> c goes on instead of back.
[[nodiscard]] constexpr std::int64_t onward(LatticePoint a, LatticePoint b, LatticePoint c) {
  return (std::int64_t{b.x} - a.x) * (std::int64_t{c.x} - b.x) +
         (std::int64_t{b.z} - a.z) * (std::int64_t{c.z} - b.z);
}

// Returns (b - a) . (p - a): how far p lies along the line from a to b, times the length of ab.
[[nodiscard]] constexpr std::int64_t along_line(LatticePoint a, LatticePoint b, LatticePoint p) {
  return (std::int64_t{b.x} - a.x) * (std::int64_t{p.x} - a.x) +
         (std::int64_t{b.z} - a.z) * (std::int64_t{p.z} - a.z);
}

// Returns whether corner b between a and c, with the inside to the left, is convex or straight: its
// inner angle is in (0, pi].
[[nodiscard]] constexpr bool is_convex_corner(LatticePoint a, LatticePoint b, LatticePoint c) {
  const std::int64_t t = turn(a, b, c);
  return t > 0 || (t == 0 && onward(a, b, c) > 0);
}

// Returns whether the ring is convex and counterclockwise with an area above 0. Straight corners
// are allowed.
[[nodiscard]] constexpr bool is_convex_ring(std::span<const LatticePoint> ring) {
  const std::size_t n = ring.size();
  if (n < 3) return false;
  std::size_t turns_up = 0;  // edges that begin to rise: one in a ring that goes round once
  LatticePoint a = ring[n - 2];
  LatticePoint b = ring[n - 1];
  bool rises = b.z > a.z || (b.z == a.z && b.x > a.x);
  for (const LatticePoint c : ring) {
    if (!is_convex_corner(a, b, c)) return false;
    const bool rises_next = c.z > b.z || (c.z == b.z && c.x > b.x);
    turns_up += !rises && rises_next ? 1 : 0;
    a = b;
    b = c;
    rises = rises_next;
  }
  return turns_up == 1;
}

// Returns the floor of n / d + 1/2. REQUIRES: d > 0.
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

// Returns where ab crosses a line, rounded; a and b lie `from_a` and `from_b` off the line, on
// opposite sides of it.
inline LatticePoint rounded_crossing(LatticePoint a, LatticePoint b, std::int64_t from_a,
                                     std::int64_t from_b) {
  // a + (b - a) from_a / (from_a - from_b)
  const Wide sign = from_a > 0 ? 1 : -1;
  const Wide part = sign * from_a;
  const Wide whole = sign * (Wide{from_a} - from_b);
  return {a.x + rounded_quotient(part * (std::int64_t{b.x} - a.x), whole),
          a.z + rounded_quotient(part * (std::int64_t{b.z} - a.z), whole)};
}

[[nodiscard]] constexpr std::uint64_t distance_squared(LatticePoint a, LatticePoint b) {
  const std::int64_t dx = std::int64_t{b.x} - a.x;
  const std::int64_t dz = std::int64_t{b.z} - a.z;
  return static_cast<std::uint64_t>(dx * dx) + static_cast<std::uint64_t>(dz * dz);
}

}  // namespace repath
