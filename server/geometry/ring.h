// Rings of lattice points: polygons whose last point is joined to the first.
//
// Counterclockwise means a positive area with x to the right and z up (geometry/lattice.h). Pure
// functions, safe on any thread.
#pragma once

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

// Returns on which side of the line a -> b the point c lies: +1 left, -1 right, 0 on the line.
[[nodiscard]] constexpr int orientation(LatticePoint a, LatticePoint b, LatticePoint c) {
  return sign(turn(a, b, c));
}

// Returns (b - a) . (c - b): above 0 if the path a -> b -> c goes on instead of back.
[[nodiscard]] constexpr std::int64_t onward(LatticePoint a, LatticePoint b, LatticePoint c) {
  return (std::int64_t{b.x} - a.x) * (std::int64_t{c.x} - b.x) +
         (std::int64_t{b.z} - a.z) * (std::int64_t{c.z} - b.z);
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

[[nodiscard]] constexpr std::uint64_t distance_squared(LatticePoint a, LatticePoint b) {
  const std::int64_t dx = std::int64_t{b.x} - a.x;
  const std::int64_t dz = std::int64_t{b.z} - a.z;
  return static_cast<std::uint64_t>(dx * dx) + static_cast<std::uint64_t>(dz * dz);
}

}  // namespace repath
