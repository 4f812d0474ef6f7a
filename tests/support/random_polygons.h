// Random polygons for tests of geometry and of the rooms above it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "geometry/grow.h"
#include "geometry/point.h"
#include "geometry/shapes.h"
#include "geometry/trig.h"

namespace repath::test {

// Returns a polygon that is star-shaped around `center`, and so simple; counterclockwise; corners
// 0.3 to 1 `reach` away.
inline Polygon random_star(Random* random, Point center, double reach, std::uint32_t corners) {
  Polygon star;
  for (std::uint32_t i = 0; i < corners; ++i) {
    const double angle = 2 * 3.141592653589793 * (i + 0.7 * random->unit()) / corners;
    const double far = reach * (0.3 + 0.7 * random->unit());
    const SinCos v = sin_cos(angle);
    star.points.push_back({center.x + far * v.cos, center.z + far * v.sin});
  }
  return star;
}

inline LatticeRing to_lattice(const std::vector<Point>& points) {
  LatticeRing ring;
  for (const Point p : points) ring.push_back(to_lattice(p));
  return ring;
}

inline Polygon to_polygon(const LatticeRing& ring) {
  Polygon polygon;
  for (const LatticePoint p : ring) polygon.points.push_back(to_point(p));
  return polygon;
}

// Returns whether an edge of one touches an edge of the other.
inline bool rings_meet(const LatticeRing& a, const LatticeRing& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      if (segments_meet(to_point(a[i]), to_point(a[(i + 1) % a.size()]), to_point(b[k]),
                        to_point(b[(k + 1) % b.size()])))
        return true;
  return false;
}

// Decides by the parity of edges to the left; a point on the ring may count as either.
inline bool lies_inside(const LatticePoint* ring, std::size_t size, LatticePoint p) {
  bool inside = false;
  for (std::size_t i = 0; i < size; ++i) {
    LatticePoint a = ring[i];
    LatticePoint b = ring[(i + 1) % size];
    if (a.z > b.z) std::swap(a, b);
    if (a.z <= p.z && p.z < b.z && turn(a, b, p) < 0) inside = !inside;
  }
  return inside;
}

// A region as geometry/partition.h takes it.
struct Region {
  LatticeRing points;
  std::vector<std::uint32_t> loop_ends;

  void add(const LatticeRing& loop) {
    points.insert(points.end(), loop.begin(), loop.end());
    loop_ends.push_back(static_cast<std::uint32_t>(points.size()));
  }
  std::int64_t twice_area() const {
    std::int64_t sum = 0;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : loop_ends) {
      sum += repath::twice_area(std::span(points).subspan(begin, end - begin));
      begin = end;
    }
    return sum;
  }
};

// Returns the free ones of side x side squares: loops that touch themselves and each other at
// corners, with many straight corners.
inline Region random_squares(Random* random, int side, std::uint32_t free_percent) {
  std::vector<bool> free(static_cast<std::size_t>((side + 2) * (side + 2)));
  const auto at = [&free, side](int x, int z) -> std::vector<bool>::reference {
    return free[static_cast<std::size_t>((z + 1) * (side + 2) + x + 1)];
  };
  for (int z = 0; z < side; ++z)
    for (int x = 0; x < side; ++x) at(x, z) = random->below(100) < free_percent;
  // Edge d of square (x, z), counterclockwise: 0 bottom, 1 right, 2 top, 3 left.
  const int dx[] = {0, 1, 0, -1};
  const int dz[] = {-1, 0, 1, 0};
  std::vector<bool> seen(static_cast<std::size_t>(4 * side * side));
  Region region;
  for (int start = 0; start < 4 * side * side; ++start) {
    int x = start / 4 % side;
    int z = start / 4 / side;
    int d = start % 4;
    LatticeRing loop;
    while (at(x, z) && !at(x + dx[d], z + dz[d])) {
      const auto edge = static_cast<std::size_t>(4 * (z * side + x) + d);
      if (seen[edge]) break;
      seen[edge] = true;
      loop.push_back({x + (d == 1 || d == 2 ? 1 : 0), z + (d == 2 || d == 3 ? 1 : 0)});
      // The next edge of the same square if it is a border, otherwise of the square ahead,
      // otherwise of the one across.
      const int ahead = (d + 1) % 4;
      if (!at(x + dx[ahead], z + dz[ahead])) {
        d = ahead;
      } else if (x += dx[ahead], z += dz[ahead]; at(x + dx[d], z + dz[d])) {
        x += dx[d];
        z += dz[d];
        d = (d + 3) % 4;
      }
    }
    if (!loop.empty()) region.add(loop);
  }
  return region;
}

// Returns a star with star-shaped holes that keep clear of it and of each other, 10 units wide.
inline Region random_plan(Random* random, std::uint32_t corners, int holes) {
  Region plan;
  const Polygon outer = random_star(random, {}, 5, corners);
  plan.add(to_lattice(outer.points));
  std::vector<LatticeRing> taken{plan.points};
  for (int i = 0; i < holes; ++i) {
    const Point center{(random->unit() - 0.5) * 8, (random->unit() - 0.5) * 8};
    Polygon hole = random_star(random, center, 0.2 + random->unit(), 3 + random->below(6));
    bool clear = check_polygon(hole).ok();
    LatticeRing ring = to_lattice(hole.points);
    std::ranges::reverse(ring);
    for (const LatticeRing& other : taken) clear = clear && !rings_meet(ring, other);
    if (!clear || !lies_inside(plan.points.data(), corners, ring[0])) continue;
    bool nested = false;
    for (std::size_t k = 1; k < taken.size(); ++k)
      nested = nested || lies_inside(taken[k].data(), taken[k].size(), ring[0]) ||
               lies_inside(ring.data(), ring.size(), taken[k][0]);
    if (nested) continue;
    taken.push_back(ring);
    plan.add(ring);
  }
  return plan;
}

}  // namespace repath::test
