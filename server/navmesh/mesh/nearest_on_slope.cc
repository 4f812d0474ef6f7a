#include "navmesh/mesh/nearest_on_slope.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace repath {
namespace {

// World units by which points keep within the range, so that rounding does not take them out of it.
constexpr double kRangeMargin = 1e-9;

// An amount that changes evenly over the plane: its value at the place that the search is for, and
// the change with each step in x and z. Points are given in steps from that place.
struct Slope {
  double at_place = 0;
  double per_x = 0;
  double per_z = 0;
  double at(Point p) const { return at_place + per_x * p.x + per_z * p.z; }
};

// Takes off the part of a convex ring where the amount is below 0.
void clip(const Slope& amount, std::vector<Point>* ring) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < ring->size(); ++i) {
    const Point p = (*ring)[i];
    const Point q = (*ring)[i + 1 == ring->size() ? 0 : i + 1];
    const double at_p = amount.at(p);
    const double at_q = amount.at(q);
    if (at_p >= 0) kept.push_back(p);
    if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0)) {
      const double share = at_p / (at_p - at_q);
      kept.push_back({p.x + share * (q.x - p.x), p.z + share * (q.z - p.z)});
    }
  }
  ring->swap(kept);
}

// How far a point lies to the left of the line through a and b, times the distance of these.
Slope left_of(Point a, Point b) {
  const double dx = b.x - a.x;
  const double dz = b.z - a.z;
  return {dz * a.x - dx * a.z, -dz, dx};
}

// The same, from where the edge ab no longer decides the height.
Slope beside(Point a, Point b) {
  constexpr double kReach = 1.01 * NavMesh::kEdgeReach;
  Slope slope = left_of(a, b);
  slope.at_place -= kReach * std::sqrt(slope.per_x * slope.per_x + slope.per_z * slope.per_z);
  return slope;
}

double flat_squared(Point p) { return p.x * p.x + p.z * p.z; }

// Returns the point of the convex ring at which `weight` times the square of the distance in the
// plane, and the square of the height, have the least sum. The ring may be only a line or a
// point.
Point least_on(const std::vector<Point>& ring, const Slope& height, double weight) {
  const double foot =
      -height.at_place / (weight + height.per_x * height.per_x + height.per_z * height.per_z);
  const Point middle{foot * height.per_x, foot * height.per_z};
  bool is_inside =
      true;  // a point on the line of a ring without area, that is in its box, is on it
  Point low = ring[0];
  Point high = ring[0];
  double least = -1;
  Point best;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i];
    const Point b = ring[i + 1 == ring.size() ? 0 : i + 1];
    is_inside = is_inside && left_of(a, b).at(middle) >= 0;
    low = {std::min(low.x, a.x), std::min(low.z, a.z)};
    high = {std::max(high.x, a.x), std::max(high.z, a.z)};
    const double dx = b.x - a.x;
    const double dz = b.z - a.z;
    const double rise = height.per_x * dx + height.per_z * dz;
    const double whole = weight * (dx * dx + dz * dz) + rise * rise;
    const double part = weight * (a.x * dx + a.z * dz) + height.at(a) * rise;
    const double share = whole > 0 ? std::clamp(-part / whole, 0., 1.) : 0;
    const Point p{a.x + share * dx, a.z + share * dz};
    const double sum = weight * flat_squared(p) + height.at(p) * height.at(p);
    if (least >= 0 && sum >= least) continue;
    least = sum;
    best = p;
  }
  is_inside = is_inside && low.x <= middle.x && middle.x <= high.x && low.z <= middle.z &&
              middle.z <= high.z;
  return is_inside ? middle : best;
}

// Returns the nearest point in space of those at most `radius` from the place in the plane. With a
// greater weight the point is nearer in the plane. So if the nearest one is too far, the wanted one
// belongs to the least weight with which it is not.
Point nearest_on(const std::vector<Point>& ring, const Slope& height, double radius) {
  constexpr int kDoublings = 60;
  constexpr int kHalvings = 60;
  Point best = least_on(ring, height, 1);
  if (flat_squared(best) <= radius * radius) return best;
  double low = 1;
  double high = 1;
  for (int i = 0; i < kDoublings && flat_squared(best) > radius * radius; ++i) {
    low = high;
    high *= 2;
    best = least_on(ring, height, high);
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = low + (high - low) / 2;
    const Point p = least_on(ring, height, middle);
    const bool is_far = flat_squared(p) > radius * radius;
    (is_far ? low : high) = middle;
    if (!is_far) best = p;
  }
  return best;
}

// Returns the height of the plane over three corners. REQUIRES: `whole`, twice their area, is not
// 0.
Slope plane_over(Point a, Point b, Point c, double whole, double ya, double yb, double yc) {
  const Slope to_b = left_of(c, a);
  const Slope to_c = left_of(a, b);
  const double b_more = (yb - ya) / whole;
  const double c_more = (yc - ya) / whole;
  return {ya + b_more * to_b.at_place + c_more * to_c.at_place,
          b_more * to_b.per_x + c_more * to_c.per_x, b_more * to_b.per_z + c_more * to_c.per_z};
}

// Returns the height along the line through two points.
Slope line_over(Point a, Point b, double ya, double yb) {
  const double dx = b.x - a.x;
  const double dz = b.z - a.z;
  const double rise = (yb - ya) / (dx * dx + dz * dz);
  return {ya - rise * (dx * a.x + dz * a.z), rise * dx, rise * dz};
}

}  // namespace

bool is_level(const HeightCell& ground) {
  const std::span<const NavMesh::Edge> corners = ground.mesh.edges_of(ground.cell);
  const double y = ground.mesh.vertex(corners[0].vertex).y;
  return std::ranges::all_of(
      corners, [&](const NavMesh::Edge& e) { return ground.mesh.vertex(e.vertex).y == y; });
}

void find_nearest_on_slope(const NavMesh& mesh, std::uint32_t cell, const HeightCell& ground,
                           const NearestWish& wish, std::vector<Point>* points) {
  points->clear();
  const auto from_place = [&](const NavMesh::Edge& e) { return Point{e.x - wish.x, e.z - wish.z}; };
  const auto above_place = [&](double y) { return (y - wish.y) * kLatticePerUnit; };
  const auto above_place_at = [&](double x, double z) {
    return above_place(ground.mesh.height_at(ground.cell, x, z));
  };
  const double reach = (wish.reach - kRangeMargin) * kLatticePerUnit;
  const double radius = std::max(0., wish.radius - kRangeMargin) * kLatticePerUnit;
  // Adds the nearest point of the part. Returns whether the ground there is that of the plane.
  const auto add = [&](std::vector<Point> part, const Slope& height) {
    clip({reach + height.at_place, height.per_x, height.per_z}, &part);
    clip({reach - height.at_place, -height.per_x, -height.per_z}, &part);
    if (part.empty()) return true;
    const Point p = nearest_on(part, height, radius);
    points->push_back({wish.x + p.x, wish.z + p.z});
    const double off = above_place_at(points->back().x, points->back().z) - height.at(p);
    return std::abs(off) < kRangeMargin * kLatticePerUnit;
  };
  std::vector<Point> whole;
  for (const NavMesh::Edge& e : mesh.edges_of(cell)) whole.push_back(from_place(e));
  const std::span<const NavMesh::Edge> fan = ground.mesh.edges_of(ground.cell);
  const auto height_of = [&](const NavMesh::Edge& e) {
    return above_place(ground.mesh.vertex(e.vertex).y);
  };
  const Point a = from_place(fan[0]);
  for (std::size_t k = 1; k + 1 < fan.size(); ++k) {
    const Point b = from_place(fan[k]);
    const Point c = from_place(fan[k + 1]);
    const double area = (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
    if (area == 0) continue;
    std::vector<Point> part = whole;
    if (k > 1) clip(left_of(a, b), &part);
    if (k + 2 < fan.size()) clip(left_of(c, a), &part);
    const Slope plane =
        plane_over(a, b, c, area, height_of(fan[0]), height_of(fan[k]), height_of(fan[k + 1]));
    if (add(part, plane)) continue;
    // The heights of an edge reach a little way, and with straight corners they may be others.
    for (const NavMesh::Edge& e : fan)
      clip(beside(from_place(e), from_place(NavMesh::after(e))), &part);
    add(std::move(part), plane);
  }
  for (const NavMesh::Edge& e : mesh.edges_of(cell)) {
    const Point from = from_place(e);
    const Point to = from_place(NavMesh::after(e));
    const double y_from = above_place_at(e.x, e.z);
    const double y_to = above_place_at(NavMesh::after(e).x, NavMesh::after(e).z);
    add({from, to}, line_over(from, to, y_from, y_to));
  }
}

}  // namespace repath
