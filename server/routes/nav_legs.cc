// Legs over a carved mesh, as walks and searches count them.
//
// If the border of other ground meets a wall, the wall gets a corner there. Rounding to the lattice
// moves the corner up to half a step into the ground. An agent that went along that wall may still
// do so, round the corner. So the leg stands for the way that follows it and goes round corners
// within kLegAside. That way is made of rays towards the leg's end. If a ray is stopped, the next
// one leads to the end of the edge that stopped it.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "navmesh/mesh/mesh_ray.h"
#include "routes/boxes.h"
#include "routes/nav_ground.h"

namespace repath {
namespace {

// In world units. A leg that ends this near to a point's height has ended on the point's floor.
constexpr double kSameHeight = 1e-3;
constexpr int kRaysMax = 256;
// The leg may end at a former corner, half a step inside of today's wall.
constexpr double kEndAside = kLegAside / 2;
constexpr double kFine = 1 << 20;  // places are multiples of 1 / kFine

// A straight part of the way beside a leg.
struct LegStretch {
  MeshPlace from;
  double to_x = 0;  // lattice steps
  double to_z = 0;
  std::vector<std::uint32_t> cells;  // as cast_ray() gives them
};

struct LegBeside {
  std::vector<LegStretch> stretches;  // none: the leg is blocked
  MeshPlace end;                      // at most twice kLegAside from the leg's end
};

class LegRound {
 public:
  LegRound(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from, double to_x,
           double to_z)
      : mesh_(mesh),
        filter_(filter),
        at_(from),
        origin_(from),
        length_(plane_length(to_x - from.x, to_z - from.z)),
        dx_((to_x - from.x) / length_),
        dz_((to_z - from.z) / length_),
        targets_{{to_x, to_z}} {}

  LegBeside run() {
    for (int rays = 0; rays < kRaysMax; ++rays) {
      const Target to = targets_.back();
      LegStretch stretch{at_, to.x, to.z, {}};
      const RayResult ray = cast_ray(mesh_, at_, to.x, to.z, filter_, &stretch.cells);
      const bool ends = targets_.size() == 1;
      if (ray.is_free || (ends && is_near(ray.end, to))) {
        at_ = ray.end;
        stretch.to_x = at_.x;
        stretch.to_z = at_.z;
        found_.stretches.push_back(std::move(stretch));
        if (ends) return {std::move(found_.stretches), at_};
        targets_.pop_back();
        continue;
      }
      const std::optional<Target> corner = corner_after(ray);
      if (!corner) break;
      targets_.push_back(*corner);
    }
    return {};
  }

 private:
  struct Target {
    double x;
    double z;
  };

  static bool is_near(const MeshPlace& at, const Target& to) {
    return plane_length(at.x - to.x, at.z - to.z) <= kLegAside;
  }
  double along(double x, double z) const { return (x - origin_.x) * dx_ + (z - origin_.z) * dz_; }
  double aside(double x, double z) const {
    return std::abs((x - origin_.x) * dz_ - (z - origin_.z) * dx_);
  }

  // Takes the vertex if it is near the leg, ahead of the way's present end, and farther on than the
  // best so far.
  void offer(const NavMesh::Edge& v, std::optional<Target>* best) const {
    const double far = along(v.x, v.z);
    if (aside(v.x, v.z) > kLegAside || far > length_ + kLegAside || far <= along(at_.x, at_.z))
      return;
    const bool is_aimed_at =
        std::ranges::any_of(targets_, [&](const Target& t) { return t.x == v.x && t.z == v.z; });
    if (!is_aimed_at && (!*best || far > along((*best)->x, (*best)->z))) *best = {v.x, v.z};
  }

  std::optional<Target> corner_after(const RayResult& stopped) {
    std::optional<Target> best;
    if (stopped.edge != kNoEdge) {
      offer(mesh_.edge(stopped.edge), &best);
      offer(mesh_.edge(mesh_.next(stopped.edge)), &best);
      return best;
    }
    cells_around(mesh_, stopped.end, &around_);
    for (const std::uint32_t cell : around_) {
      const std::span<const NavMesh::Edge> edges = mesh_.edges_of(cell);
      for (std::size_t k = 0; k < edges.size(); ++k) {
        const NavMesh::Edge& a = edges[k];
        const NavMesh::Edge& b = edges[k + 1 == edges.size() ? 0 : k + 1];
        if (is_open(a.neighbour)) continue;
        if (is_at(a, stopped.end)) offer(b, &best);
        if (is_at(b, stopped.end)) offer(a, &best);
      }
    }
    return best;
  }
  bool is_open(std::uint32_t cell) const {
    return cell != kNoCell && filter_.allows(mesh_.cell(cell).flags);
  }
  static bool is_at(const NavMesh::Edge& v, const MeshPlace& at) {
    return v.x == at.x && v.z == at.z;
  }

  const NavMesh& mesh_;
  const NavFilter& filter_;
  MeshPlace at_;
  const MeshPlace origin_;
  const double length_;
  const double dx_;  // direction of the leg, of length 1
  const double dz_;
  std::vector<Target> targets_;  // the last one first
  LegBeside found_;
  std::vector<std::uint32_t> around_;
};

constexpr double kAlong = 0.01;  // greatest sine of the angle between a leg and an edge along it
constexpr double kBeside = 1;    // lattice steps

class LegOverCells {
 public:
  LegOverCells(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from, double to_x,
               double to_z)
      : mesh_(mesh),
        filter_(filter),
        from_(from),
        to_x_(to_x),
        to_z_(to_z),
        dx_(to_x - from.x),
        dz_(to_z - from.z),
        length_(plane_length(dx_, dz_)) {}

  double factor_of(std::uint32_t cell) const { return filter_.factor(mesh_.cell(cell)); }

  double sum(std::span<const std::uint32_t> cells) const {
    double sum = 0;
    double done = 0;
    for (const std::uint32_t cell : cells) {
      const double share = cell == cells.back() ? 1 : std::max(done, share_within(cell));
      sum += (share - done) * factor_of(cell) - saved_along_edges(cell, done, share);
      done = share;
    }
    return std::max(sum, 1.0);
  }

 private:
  // Returns how far along the leg the convex cell reaches, [0, 1].
  double share_within(std::uint32_t cell) const {
    const std::span<const NavMesh::Edge> edges = mesh_.edges_of(cell);
    double share = 1;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const NavMesh::Edge& a = edges[k];
      const NavMesh::Edge& b = edges[k + 1 == edges.size() ? 0 : k + 1];
      const double here = (b.x - a.x) * (from_.z - a.z) - (b.z - a.z) * (from_.x - a.x);
      const double there = (b.x - a.x) * (to_z_ - a.z) - (b.z - a.z) * (to_x_ - a.x);
      if (there >= 0) continue;
      share = std::min(share, here <= 0 ? 0 : here / (here - there));
    }
    return share;
  }

  // Returns the saving on the part [first, last] of the leg, which lies in the cell.
  double saved_along_edges(std::uint32_t cell, double first, double last) const {
    const double factor = factor_of(cell);
    if (factor <= 1) return 0;
    const std::span<const NavMesh::Edge> edges = mesh_.edges_of(cell);
    double saved = 0;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const std::uint32_t behind = edges[k].neighbour;
      if (behind == kNoCell || !filter_.allows(mesh_.cell(behind).flags)) continue;
      const double gain = factor - factor_of(behind);
      if (gain <= 0) continue;
      saved += gain * part_along(edges[k], edges[k + 1 == edges.size() ? 0 : k + 1], first, last);
    }
    return saved;
  }

  // Returns how much of that part runs along the edge from a to b.
  double part_along(const NavMesh::Edge& a, const NavMesh::Edge& b, double first,
                    double last) const {
    const double ex = b.x - a.x;
    const double ez = b.z - a.z;
    const double edge = plane_length(ex, ez);
    const double across =
        (ex * dz_ - ez * dx_) / edge;  // how much farther from the edge the leg ends
    if (std::abs(across) > kAlong * length_) return 0;
    const double beside = (ex * (from_.z - a.z) - ez * (from_.x - a.x)) / edge;
    clip(beside, across, -kBeside, kBeside, &first, &last);
    const double along = (ex * dx_ + ez * dz_) / edge;
    const double at = (ex * (from_.x - a.x) + ez * (from_.z - a.z)) / edge;
    clip(at, along, 0, edge, &first, &last);
    return std::max(0.0, last - first);
  }

  // Cuts [first, last] down to where `at` + t * `step` lies in [low, high].
  static void clip(double at, double step, double low, double high, double* first, double* last) {
    if (step == 0) {
      if (at < low || at > high) *last = *first;
      return;
    }
    const double one = (low - at) / step;
    const double other = (high - at) / step;
    *first = std::max(*first, std::min(one, other));
    *last = std::min(*last, std::max(one, other));
  }

  const NavMesh& mesh_;
  const NavFilter& filter_;
  const MeshPlace& from_;
  const double to_x_;
  const double to_z_;
  const double dx_;
  const double dz_;
  const double length_;
};

// Follows the leg from `from` to (to_x, to_z), in lattice steps. REQUIRES: the two points differ.
// O(rays): at most 768, mostly three that are stopped if something is in the way.
LegBeside leg_beside_walls(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from,
                           double to_x, double to_z) {
  const double length = plane_length(to_x - from.x, to_z - from.z);
  const double dx = std::round((to_x - from.x) / length * kEndAside * kFine) / kFine;
  const double dz = std::round((to_z - from.z) / length * kEndAside * kFine) / kFine;
  for (const double side : {0.0, 1.0, -1.0}) {
    LegBeside found = LegRound(mesh, filter, from, to_x - side * dz, to_z + side * dx).run();
    if (!found.stretches.empty()) return found;
  }
  return {};
}

// Returns the mean factor from `from` to (to_x, to_z), in lattice steps, through `cells` in their
// order (navmesh/mesh/mesh_ray.h); none: within the cell of `from`. If the leg runs along the
// border of a cell, at most a lattice step inside of it, the ground behind counts if it is cheaper.
// The reason is that the cheapest way round dear ground follows its edge, and rounding must not
// decide the factor. The result is exactly 1 if all cells have factor 1. O(edges of the cells).
double mean_factor(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from, double to_x,
                   double to_z, std::span<const std::uint32_t> cells) {
  const LegOverCells leg(mesh, filter, from, to_x, to_z);
  const double first = leg.factor_of(cells.empty() ? from.cell : cells.front());
  const auto is_one = [&leg](std::uint32_t cell) { return leg.factor_of(cell) == 1; };
  if (cells.empty() || std::ranges::all_of(cells, is_one)) return first;
  return leg.sum(cells);
}

}  // namespace

std::optional<NavGround::Leg> NavGround::leg(const MeshPlace& from, const RoutePoint& at,
                                             const Spot& to) const {
  if (!(std::abs(to.x) <= kLatticeExtent && std::abs(to.z) <= kLatticeExtent)) return std::nullopt;
  if (at.link) return leg_over_link(from, *at.link, to);
  const std::optional<Leg> straight = leg_over_ground(from, at.at, to);
  if (straight || !ground_->had_changed_grounds()) return straight;
  return leg_beside(from, to);
}

std::optional<NavGround::Leg> NavGround::leg_over_ground(const MeshPlace& from, const Spot& at,
                                                         const Spot& to) const {
  const double x = to_fine_steps(to.x);
  const double z = to_fine_steps(to.z);
  std::vector<std::uint32_t> cells;
  const RayResult ray = repath::cast_ray(mesh(), from, x, z, filter_, &cells);
  if (!ray.is_free) return std::nullopt;
  const double length = plane_length(to.x - at.x, to.z - at.z);
  const double factor = is_plain_ ? 1 : mean_factor(mesh(), filter_, from, x, z, cells);
  return Leg{route_cost_of(length * factor), ray.end,
             area_of(cells.empty() ? from.cell : cells.front())};
}

std::optional<NavGround::Leg> NavGround::leg_beside(const MeshPlace& from, const Spot& to) const {
  const double x = to_fine_steps(to.x);
  const double z = to_fine_steps(to.z);
  const double length = plane_length(x - from.x, z - from.z);
  if (length <= kLegAside) {
    const double factor = filter_.factor(mesh().cell(from.cell));
    return Leg{route_cost_of(from_steps(length) * factor), from, area_of(from.cell)};
  }
  const LegBeside way = leg_beside_walls(mesh(), filter_, from, x, z);
  if (way.stretches.empty()) return std::nullopt;
  double cost = 0;
  for (const LegStretch& s : way.stretches)
    cost += from_steps(plane_length(s.to_x - s.from.x, s.to_z - s.from.z)) *
            mean_factor(mesh(), filter_, s.from, s.to_x, s.to_z, s.cells);
  const std::vector<std::uint32_t>& cells = way.stretches.front().cells;
  return Leg{route_cost_of(cost), way.end, area_of(cells.empty() ? from.cell : cells.front())};
}

std::optional<NavGround::Leg> NavGround::leg_over_link(const MeshPlace& from, std::uint64_t id,
                                                       const Spot& to) const {
  const std::optional<std::uint32_t> known = ground_->find_link(id);
  const NavLink* link = known ? &mesh().links()[*known] : nullptr;
  if (link == nullptr || !link->enabled || !filter_.allows(link->flags) ||
      link->from_cell == kNoCell || link->to_cell == kNoCell)
    return std::nullopt;
  const auto is_at = [](LatticePoint end, double x, double z) { return end.x == x && end.z == z; };
  // A leg that followed a rounded wall ends that far from its point, see above.
  const auto is_near = [](LatticePoint end, double x, double z) {
    return plane_length(end.x - x, end.z - z) <= 2 * kLegAside;
  };
  const double x = to_fine_steps(to.x);
  const double z = to_fine_steps(to.z);
  const bool is_forward = is_near(link->from, from.x, from.z) && is_at(link->to, x, z);
  const bool is_back =
      link->both_ways && is_near(link->to, from.x, from.z) && is_at(link->from, x, z);
  const double here = ground_->height_at(from.cell, from.x, from.z);
  const auto begins_in = [&](std::uint32_t cell) {
    return filter_.allows(mesh().cell(cell).flags) &&
           std::abs(ground_->height_at(cell, from.x, from.z) - here) <= kFloorReach;
  };
  MeshPlace end{kNoCell, x, z};
  if (is_forward && begins_in(link->from_cell)) {
    end.cell = link->to_cell;
  } else if (is_back && begins_in(link->to_cell)) {
    end.cell = link->from_cell;
  }
  if (end.cell == kNoCell || !filter_.allows(mesh().cell(end.cell).flags)) return std::nullopt;
  return Leg{cost_over(*link, filter_), end, static_cast<std::uint8_t>(link->area)};
}

std::optional<NavGround::Leg> NavGround::leg_on_floor(const MeshPlace& from, const RoutePoint& at,
                                                      const Spot& to) const {
  const auto height_off = [&](const Leg& leg) { return std::abs(place_of(leg.end).at.y - to.y); };
  const std::optional<Leg> first = leg(from, at, to);
  if (first && height_off(*first) <= kSameHeight) return first;
  // If floors meet in a corner, the leg may lie on each of them: the nearest in height counts.
  std::vector<Leg> legs;
  if (first) legs.push_back(*first);
  append_other_legs(from, at, to, &legs);
  const auto best = std::ranges::min_element(legs, {}, height_off);
  if (best == legs.end() || height_off(*best) > kFloorReach) return std::nullopt;
  return *best;
}

void NavGround::append_other_legs(const MeshPlace& from, const RoutePoint& at, const Spot& to,
                                  std::vector<Leg>* legs) const {
  if (at.link) return;
  std::vector<std::uint32_t> around;
  cells_around(mesh(), from, &around);
  for (const std::uint32_t cell : around) {
    if (cell == from.cell || !filter_.allows(mesh().cell(cell).flags)) continue;
    const std::optional<Leg> found = leg({cell, from.x, from.z}, at, to);
    if (found) legs->push_back(*found);
  }
}

}  // namespace repath
