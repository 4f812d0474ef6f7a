#include "geometry/grow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "base/error.h"
#include "geometry/trig.h"

namespace repath {
namespace {

// In millimetres: a value nearer than this to a whole millimetre counts as whole.
constexpr double kOnMillimetre = 1e-6;
constexpr int kSides = 16;
constexpr double kPi = 0x1.921fb54442d18p+1;

// Return the largest whole millimetre at or below v, and the least at or above v. v in millimetres.
double floor_mm(double v) { return std::floor(v + kOnMillimetre); }
double ceil_mm(double v) { return -std::floor(kOnMillimetre - v); }

// Returns the corners of the regular 16-gon around the unit circle, counterclockwise from +x.
const std::array<Point, kSides>& unit_sides() {
  static const std::array<Point, kSides> corners = [] {
    std::array<Point, kSides> made;
    const double reach = 1 / sin_cos(kPi / kSides).cos;
    for (int i = 0; i < kSides; ++i) {
      const SinCos v = sin_cos(i % 4 * (2 * kPi / kSides));
      const Point p{reach * v.cos, reach * v.sin};
      // Quarter turns of the first four corners, so that corners on an axis are exactly on it.
      const std::array<Point, 4> turned{{p, {-p.z, p.x}, {-p.x, -p.z}, {p.z, -p.x}}};
      made[static_cast<std::size_t>(i)] = turned[static_cast<std::size_t>(i / 4)];
    }
    return made;
  }();
  return corners;
}

Point operator-(Point a, Point b) { return {a.x - b.x, a.z - b.z}; }
Point operator+(Point a, Point b) { return {a.x + b.x, a.z + b.z}; }

bool is_below(Point a, Point b) { return a.z < b.z || (a.z == b.z && a.x < b.x); }

// Returns whether direction a comes before b, counted counterclockwise from +x within one turn.
bool turns_before(Point a, Point b) {
  const bool a_upper = a.z > 0 || (a.z == 0 && a.x > 0);
  const bool b_upper = b.z > 0 || (b.z == 0 && b.x > 0);
  return a_upper != b_upper ? a_upper : cross(a, b) > 0;
}

// Returns the Minkowski sum of two convex, counterclockwise polygons; `b` may be a single point.
// Takes the edges in the order of their directions, from the lowest corner of each polygon on.
std::vector<Point> minkowski_sum(const std::vector<Point>& a, const std::vector<Point>& b) {
  const auto low_a = static_cast<std::size_t>(std::ranges::min_element(a, is_below) - a.begin());
  const auto low_b = static_cast<std::size_t>(std::ranges::min_element(b, is_below) - b.begin());
  const std::size_t edges_b = b.size() < 2 ? 0 : b.size();
  std::vector<Point> sum;
  sum.reserve(a.size() + b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  const auto at = [](const std::vector<Point>& p, std::size_t k) {  // k < 2 p.size()
    return p[k < p.size() ? k : k - p.size()];
  };
  while (i < a.size() || j < edges_b) {
    const Point here_a = at(a, low_a + i);
    const Point here_b = at(b, low_b + j);
    sum.push_back(here_a + here_b);
    if (j == edges_b) {
      ++i;
    } else if (i == a.size()) {
      ++j;
    } else {
      const Point edge_a = at(a, low_a + i + 1) - here_a;
      const Point edge_b = at(b, low_b + j + 1) - here_b;
      const bool b_first = turns_before(edge_b, edge_a);
      const bool a_first = turns_before(edge_a, edge_b);
      if (!b_first) ++i;
      if (!a_first) ++j;
    }
  }
  return sum;
}

// Returns the quadrant (0: +x +z, then counterclockwise) that a turn from direction `n` enters
// first, and that a turn to `n` leaves last.
int quadrant_after(Point n) {
  if (n.x > 0 && n.z >= 0) return 0;
  if (n.x <= 0 && n.z > 0) return 1;
  return n.x < 0 ? 2 : 3;
}
int quadrant_before(Point n) {
  if (n.x >= 0 && n.z > 0) return 0;
  if (n.x < 0 && n.z >= 0) return 1;
  return n.x <= 0 ? 2 : 3;
}

Point rounded_into(int quadrant, Point v) {
  const bool right = quadrant == 0 || quadrant == 3;
  return {right ? ceil_mm(v.x) : floor_mm(v.x), quadrant < 2 ? ceil_mm(v.z) : floor_mm(v.z)};
}

// Rounds a corner whose normals lie on both sides of the axis between `quadrant` and the next one
// to one millimetre point: the nearest one along the other axis, and along this axis as far out as
// both lines require. Returns false if that is half a millimetre more than rounding alone would
// give.
bool round_across_axis(int quadrant, Point v, Point n0, Point n1, Point* rounded) {
  // Turned so that the axis is +x.
  const auto turn_back = [](Point p, int quarters) {
    for (; quarters > 0; --quarters) p = {p.z, -p.x};
    return p;
  };
  const int quarters = (quadrant + 1) % 4;
  const Point seen = turn_back(v, quarters);
  const Point low = turn_back(n0, quarters);
  const Point high = turn_back(n1, quarters);
  const double across = std::floor(seen.z + 0.5);
  // A point P is beyond the line of normal n iff n . (P - v) >= 0.
  const double off = across - seen.z;
  const double more = std::max(-off * low.z / low.x, -off * high.z / high.x);
  if (!(low.x > 0) || !(high.x > 0) || !(more <= 0.5)) return false;
  *rounded = turn_back({ceil_mm(seen.x + std::max(more, 0.0)), across}, (4 - quarters) % 4);
  return true;
}

// Moves every corner beyond both lines that meet in it. In millimetres.
std::vector<Point> round_outward(const std::vector<Point>& convex) {
  const std::size_t n = convex.size();
  std::vector<Point> rounded;
  rounded.reserve(n + 8);
  for (std::size_t i = 0; i < n; ++i) {
    const Point v = convex[i];
    const Point in = v - convex[i == 0 ? n - 1 : i - 1];
    const Point out = convex[i + 1 == n ? 0 : i + 1] - v;
    const Point n0{in.z, -in.x};
    const Point n1{out.z, -out.x};
    const int first = quadrant_after(n0);
    const int last = quadrant_before(n1);
    const int axes = (last - first + 4) % 4;
    if (axes == 3) {  // both normals on one axis: a straight corner
      rounded.push_back(rounded_into(first, v));
      rounded.push_back(rounded_into(last, v));
      continue;
    }
    Point one;
    if (axes == 1 && round_across_axis(first, v, n0, n1, &one)) {
      rounded.push_back(one);
      continue;
    }
    for (int k = 0; k <= axes; ++k) rounded.push_back(rounded_into((first + k) % 4, v));
  }
  return rounded;
}

// Returns the convex hull: counterclockwise, without straight corners (A. Andrew's monotone chain,
// 1979).
LatticeRing convex_hull(LatticeRing points) {
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  LatticeRing hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t begin = hull.size();
    for (const LatticePoint p : points) {
      while (hull.size() >= begin + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::ranges::reverse(points);
  }
  return hull;
}

absl::StatusOr<LatticeRing> to_lattice(const std::vector<Point>& rounded) {
  constexpr double kMax = kLatticeMax / static_cast<double>(kLatticePerMillimetre);
  LatticeRing points;
  points.reserve(rounded.size());
  for (const Point p : rounded) {
    if (!(std::abs(p.x) <= kMax) || !(std::abs(p.z) <= kMax)) {
      return make_error(absl::StatusCode::kOutOfRange, "OUTSIDE_LATTICE", "",
                        "the grown shape reaches beyond " +
                            std::to_string(static_cast<int>(kLatticeExtent)) +
                            " units from the origin");
    }
    points.push_back({static_cast<std::int32_t>(p.x) * kLatticePerMillimetre,
                      static_cast<std::int32_t>(p.z) * kLatticePerMillimetre});
  }
  return convex_hull(std::move(points));
}

// Returns a regular 16-gon around a disc; for radius 0 the centre alone.
std::vector<Point> around_disc(Point center, double radius) {
  std::vector<Point> corners;
  if (radius <= 0) return {center};
  for (const Point side : unit_sides())
    corners.push_back({center.x + radius * side.x, center.z + radius * side.z});
  return corners;
}

// Grows a convex counterclockwise polygon by `radius`, in world units.
absl::StatusOr<LatticeRing> grow_convex(const std::vector<Point>& corners, double radius) {
  std::vector<Point> sum = minkowski_sum(corners, around_disc({}, radius));
  for (Point& p : sum) p = {p.x * 1000, p.z * 1000};
  return to_lattice(round_outward(sum));
}

using Corners = std::vector<Point>;

// Returns whether the area is negative. The turn at the lowest corner has the same sign and is
// exact.
bool runs_clockwise(const Corners& p) {
  const std::size_t n = p.size();
  const auto low = static_cast<std::size_t>(std::ranges::min_element(p, is_below) - p.begin());
  return orientation(p[(low + n - 1) % n], p[low], p[(low + 1) % n]) < 0;
}

bool in_triangle(Point a, Point b, Point c, Point p) {
  return orientation(a, b, p) >= 0 && orientation(b, c, p) >= 0 && orientation(c, a, p) >= 0;
}

// Returns whether the polygon stays simple when corner i is cut off.
bool is_ear(const Corners& p, std::size_t i) {
  const std::size_t n = p.size();
  const Point a = p[(i + n - 1) % n];
  const Point b = p[i];
  const Point c = p[(i + 1) % n];
  if (orientation(a, b, c) <= 0) return false;
  for (const Point q : p)
    if (q != a && q != b && q != c && in_triangle(a, b, c, q)) return false;
  return true;
}

// Cuts the polygon into counterclockwise triangles; straight corners become corners of some
// triangle.
std::vector<Corners> cut_ears(Corners p) {
  std::vector<Corners> triangles;
  while (p.size() > 3) {
    std::size_t ear = p.size();
    for (std::size_t i = 0; i < p.size() && ear == p.size(); ++i)
      if (is_ear(p, i)) ear = i;
    if (ear == p.size()) break;  // only a line is left
    const std::size_t n = p.size();
    triangles.push_back({p[(ear + n - 1) % n], p[ear], p[(ear + 1) % n]});
    p.erase(p.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  if (p.size() == 3 && orientation(p[0], p[1], p[2]) > 0) triangles.push_back(std::move(p));
  return triangles;
}

bool is_convex(const Corners& p) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i)
    if (orientation(p[i], p[(i + 1) % n], p[(i + 2) % n]) < 0) return false;
  return true;
}

// Joins both along the edge a[i] -> a[i + 1] if they share it and their union is convex.
bool join_along(const Corners& a, std::size_t i, const Corners& b, Corners* joined) {
  const std::size_t n = a.size();
  const std::size_t m = b.size();
  for (std::size_t j = 0; j < m; ++j) {
    if (b[j] != a[(i + 1) % n] || b[(j + 1) % m] != a[i]) continue;
    joined->clear();
    for (std::size_t k = 1; k <= n; ++k) joined->push_back(a[(i + k) % n]);
    for (std::size_t k = 2; k < m; ++k) joined->push_back(b[(j + k) % m]);
    return is_convex(*joined);
  }
  return false;
}

bool join(const Corners& a, const Corners& b, Corners* joined) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (join_along(a, i, b, joined)) return true;
  return false;
}

// Joins pieces until no two can be joined. Pieces that cannot be joined now never can, because
// angles only grow.
void join_all(std::vector<Corners>* pieces) {
  Corners joined;
  for (std::size_t a = 0; a < pieces->size(); ++a)
    for (std::size_t b = a + 1; b < pieces->size();) {
      if (!join((*pieces)[a], (*pieces)[b], &joined)) {
        ++b;
        continue;
      }
      (*pieces)[a].swap(joined);
      pieces->erase(pieces->begin() + static_cast<std::ptrdiff_t>(b));
      b = a + 1;
    }
}

}  // namespace

std::vector<std::vector<Point>> convex_pieces(const Polygon& polygon) {
  Corners corners = polygon.points;
  if (runs_clockwise(corners)) std::ranges::reverse(corners);
  if (is_convex(corners)) return {std::move(corners)};
  std::vector<Corners> pieces = cut_ears(std::move(corners));
  join_all(&pieces);
  return pieces;
}

absl::StatusOr<LatticeRing> grow_wall(Point from, Point to, double radius) {
  return grow_convex({from, to}, radius);
}

absl::StatusOr<std::vector<LatticeRing>> grow(const Shape& shape, double radius) {
  if (std::holds_alternative<CellRect>(shape))
    return invalid_field("KIND_UNSUITED", "cells", "only grids have cells");
  std::vector<std::vector<Point>> pieces;
  if (const auto* polygon = std::get_if<Polygon>(&shape)) {
    pieces = convex_pieces(*polygon);
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    const std::array<Point, 4> corners = box_corners(*box);
    pieces.emplace_back(corners.begin(), corners.end());
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    radius += capsule->radius;
    if (capsule->from == capsule->to) {
      pieces.push_back(around_disc(capsule->from, std::exchange(radius, 0)));
    } else {
      pieces.push_back({capsule->from, capsule->to});
    }
  } else {
    const Circle& circle = std::get<Circle>(shape);
    pieces.push_back(around_disc(circle.center, circle.radius + radius));
    radius = 0;
  }
  std::vector<LatticeRing> rings;
  for (const std::vector<Point>& piece : pieces) {
    auto ring = grow_convex(piece, radius);
    if (!ring.ok()) return ring.status();
    rings.push_back(*std::move(ring));
  }
  return rings;
}

}  // namespace repath
