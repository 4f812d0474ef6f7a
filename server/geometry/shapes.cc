#include "geometry/shapes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
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

absl::Status check_finite(double v, const std::string& field) {
  if (std::isfinite(v)) return absl::OkStatus();
  return invalid_field("NOT_FINITE", field, "must be a finite number");
}

struct CheckMeasures {
  const ShapeLimits& limits;
  const std::string& field;

  absl::Status operator()(const CellRect&) const { return absl::OkStatus(); }
  absl::Status operator()(const Box& box) const {
    const std::string here = field + ".box";
    if (auto s = check_center(box.center, here); !s.ok()) return s;
    if (auto s = check_extent(box.half_x, here + ".half_x"); !s.ok()) return s;
    if (auto s = check_extent(box.half_z, here + ".half_z"); !s.ok()) return s;
    if (auto s = check_finite(box.yaw, here + ".yaw"); !s.ok()) return s;
    if (std::abs(box.yaw) > kAngleMax)
      return invalid_field("OUT_OF_RANGE", here + ".yaw", "must be in [-1e4, 1e4] radians");
    double farthest = 0;
    for (const Point p : box_corners(box)) farthest = std::max(farthest, distance_out(p));
    return check_reach(farthest, here);
  }
  absl::Status operator()(const Circle& circle) const {
    const std::string here = field + ".cylinder";
    if (auto s = check_center(circle.center, here); !s.ok()) return s;
    if (auto s = check_extent(circle.radius, here + ".radius"); !s.ok()) return s;
    return check_reach(distance_out(circle.center) + kPolygonReach * circle.radius, here);
  }
  absl::Status operator()(const Polygon& polygon) const {
    const std::string here = field + ".polygon";
    if (polygon.points.size() <= kPolygonPointsMax) {
      const std::string list = here + ".xz";
      for (std::size_t i = 0; i < polygon.points.size(); ++i) {
        const Point p = polygon.points[i];
        if (auto s = check_coordinate(p.x, item(list, 2 * i)); !s.ok()) return s;
        if (auto s = check_coordinate(p.z, item(list, 2 * i + 1)); !s.ok()) return s;
      }
    }
    return with_field_prefix(check_polygon(polygon), here + ".");
  }
  absl::Status operator()(const Capsule& capsule) const {
    const std::string here = field + ".capsule";
    if (auto s = check_point(capsule.from, here + ".from"); !s.ok()) return s;
    if (auto s = check_point(capsule.to, here + ".to"); !s.ok()) return s;
    const double x = capsule.to.x - capsule.from.x;
    const double z = capsule.to.z - capsule.from.z;
    const double length_max = 2 * limits.extent_max;
    if (x * x + z * z > length_max * length_max)
      return invalid_field("OUT_OF_RANGE", here + ".to",
                           absl::StrCat("must be within ", length_max, " units of the other end"));
    if (auto s = check_extent(capsule.radius, here + ".radius"); !s.ok()) return s;
    const double farthest = std::max(distance_out(capsule.from), distance_out(capsule.to));
    return check_reach(farthest + kPolygonReach * capsule.radius, here);
  }

 private:
  // The regular polygon around a circle reaches 2 % farther than the circle.
  static constexpr double kPolygonReach = 1.02;

  static double distance_out(Point p) { return std::max(std::abs(p.x), std::abs(p.z)); }

  absl::Status check_coordinate(double v, const std::string& of) const {
    if (auto s = check_finite(v, of); !s.ok()) return s;
    if (std::abs(v) <= limits.coordinate_max) return absl::OkStatus();
    return invalid_field("OUT_OF_RANGE", of,
                         absl::StrCat("must be within ", limits.coordinate_max, " units of 0"));
  }
  absl::Status check_point(Point p, const std::string& of) const {
    if (auto s = check_coordinate(p.x, of + ".x"); !s.ok()) return s;
    return check_coordinate(p.z, of + ".z");
  }
  absl::Status check_center(Point p, const std::string& shape) const {
    return check_point(p, shape + ".center");
  }
  absl::Status check_extent(double v, const std::string& of) const {
    if (auto s = check_finite(v, of); !s.ok()) return s;
    if (v > 0 && v <= limits.extent_max) return absl::OkStatus();
    return invalid_field("OUT_OF_RANGE", of,
                         absl::StrCat("must be in (0, ", limits.extent_max, "] units"));
  }
  // Checks the farthest coordinate of the whole shape, if the limits bound it.
  absl::Status check_reach(double farthest, const std::string& shape) const {
    if (!limits.bounds_all || farthest <= limits.coordinate_max) return absl::OkStatus();
    return invalid_field(
        "OUT_OF_RANGE", shape,
        absl::StrCat("must lie within ", limits.coordinate_max, " units of 0 altogether"));
  }
};

struct AddShape {
  Hasher& h;

  void operator()(const CellRect& r) const {
    for (const std::int32_t v : {r.x0, r.y0, r.x1, r.y1})
      h.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(v)));
  }
  void operator()(const Box& b) const {
    h.add(b.center.x).add(b.center.z).add(b.half_x).add(b.half_z).add(b.yaw);
  }
  void operator()(const Circle& c) const { h.add(c.center.x).add(c.center.z).add(c.radius); }
  void operator()(const Polygon& p) const {
    h.add(std::uint64_t{p.points.size()});
    for (const Point& point : p.points) h.add(point.x).add(point.z);
  }
  void operator()(const Capsule& c) const {
    h.add(c.from.x).add(c.from.z).add(c.to.x).add(c.to.z).add(c.radius);
  }
};

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

absl::Status check_measures(const Shape& shape, const ShapeLimits& limits,
                            const std::string& field) {
  return std::visit(CheckMeasures{limits, field}, shape);
}

std::size_t points_kept(const Shape& shape) {
  const auto* polygon = std::get_if<Polygon>(&shape);
  return polygon == nullptr ? 0 : polygon->points.size();
}

void add_shape(const Shape& shape, Hasher* hasher) {
  hasher->add(std::uint64_t{shape.index()});
  std::visit(AddShape{*hasher}, shape);
}

}  // namespace repath
