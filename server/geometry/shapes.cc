#include "geometry/shapes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.h"
#include "geometry/point.h"
#include "geometry/trig.h"

namespace repath {
namespace {

std::string coordinate_field(std::size_t i) { return "xz[" + std::to_string(i) + "]"; }

absl::Status not_simple(std::size_t point, const std::string& what) {
  return invalid_field("POLYGON_NOT_SIMPLE", coordinate_field(2 * point), what);
}

// Edges i and j = i + 1 may share only point j: their far ends must not fold back onto each other.
bool folds_back(Point before, Point corner, Point after) {
  if (orientation(before, corner, after) != 0) return false;
  return (before.x - corner.x) * (after.x - corner.x) > 0 ||
         (before.z - corner.z) * (after.z - corner.z) > 0;
}

struct Edge {
  std::size_t i;  // from corner i to the next
  double x0, x1, z0, z1;
};

// Returns the edges with their bounds, ascending by z0.
std::vector<Edge> edges_by_z(const std::vector<Point>& p) {
  std::vector<Edge> edges;
  edges.reserve(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto [x0, x1] = std::minmax(p[i].x, p[(i + 1) % p.size()].x);
    const auto [z0, z1] = std::minmax(p[i].z, p[(i + 1) % p.size()].z);
    edges.push_back({i, x0, x1, z0, z1});
  }
  std::ranges::sort(edges, {}, &Edge::z0);
  return edges;
}

bool meet(const std::vector<Point>& p, std::size_t i, std::size_t j) {
  const std::size_t n = p.size();
  const bool neighbours = (i + 1) % n == j || (j + 1) % n == i;
  return !neighbours && segments_meet(p[i], p[(i + 1) % n], p[j], p[(j + 1) % n]);
}

// Returns whether two edges meet that are not neighbours. Compares only edges whose bounds meet.
bool edges_meet(const std::vector<Point>& p) {
  const std::vector<Edge> edges = edges_by_z(p);
  for (auto a = edges.begin(); a != edges.end(); ++a) {
    for (auto b = a + 1; b != edges.end() && b->z0 <= a->z1; ++b)
      if (b->x0 <= a->x1 && a->x0 <= b->x1 && meet(p, a->i, b->i)) return true;
  }
  return false;
}

// Returns the first such pair in the polygon's order. REQUIRES: edges_meet(p).
std::pair<std::size_t, std::size_t> first_meeting(const std::vector<Point>& p) {
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = i + 2; j < p.size(); ++j)
      if (meet(p, i, j)) return {i, j};
  return {};
}

}  // namespace

std::array<Point, 4> box_corners(const Box& box) {
  const SinCos turn = sin_cos(box.yaw);
  const double ax = box.half_x * turn.cos;
  const double az = box.half_x * turn.sin;
  const double bx = -(box.half_z * turn.sin);
  const double bz = box.half_z * turn.cos;
  const Point c = box.center;
  return {{{c.x - ax - bx, c.z - az - bz},
           {c.x + ax - bx, c.z + az - bz},
           {c.x + ax + bx, c.z + az + bz},
           {c.x - ax + bx, c.z - az + bz}}};
}

absl::Status check_polygon(const Polygon& polygon) {
  const std::vector<Point>& p = polygon.points;
  const std::size_t n = p.size();
  if (n < kPolygonPointsMin || n > kPolygonPointsMax) {
    return invalid_field("POLYGON_SIZE", "xz",
                         "a polygon has " + std::to_string(kPolygonPointsMin) + " to " +
                             std::to_string(kPolygonPointsMax) + " corners, this one has " +
                             std::to_string(n));
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(p[i].x) || !std::isfinite(p[i].z)) {
      return invalid_field("NOT_FINITE",
                           coordinate_field(std::isfinite(p[i].x) ? 2 * i + 1 : 2 * i),
                           "must be a finite number");
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (p[i] == p[(i + 1) % n]) {
      return not_simple((i + 1) % n, "this corner is the same as the one before it");
    }
  }
  // A polygon whose points all lie on one line always folds back somewhere, because its area is
  // zero.
  for (std::size_t i = 0; i < n; ++i) {
    if (folds_back(p[(i + n - 1) % n], p[i], p[(i + 1) % n])) {
      return not_simple(i, "the edges at this corner lie on each other");
    }
  }
  if (!edges_meet(p)) return absl::OkStatus();
  const auto [i, j] = first_meeting(p);
  return not_simple(i, "the edge from this corner meets the edge from corner " + std::to_string(j) +
                           "; a polygon must not touch itself");
}

}  // namespace repath
