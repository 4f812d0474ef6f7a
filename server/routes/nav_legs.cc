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

#include "base/nearest_on_segment.h"
#include "navmesh/mesh/leg_factor.h"
#include "navmesh/mesh/mesh_ray.h"
#include "routes/boxes.h"
#include "routes/nav_ground.h"

namespace repath {
namespace {

constexpr int kRaysMax = 256;
// The leg may end at a former corner, half a step inside of today's wall.
constexpr double kEndAside = kLegAside / 2;
constexpr double kFine = 1 << 20;  // places are multiples of 1 / kFine

// In lattice steps. A leg that followed a rounded wall ends that far from the end of its link.
constexpr double kLinkReach = 2 * kLegAside;

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

// Returns length times factor of a part of the way beside a leg, in lattice steps. Shares count
// along the way.
double cost_beside(const NavMesh& mesh, const NavFilter& filter, const LegBeside& way,
                   const LegPart& part) {
  const auto length_of = [](const LegStretch& s) {
    return plane_length(s.to_x - s.from.x, s.to_z - s.from.z);
  };
  double whole = 0;
  for (const LegStretch& s : way.stretches) whole += length_of(s);
  double cost = 0;
  double done = 0;
  for (const LegStretch& s : way.stretches) {
    const double length = length_of(s);
    if (length == 0) continue;
    const LegPart here{std::clamp((part.first * whole - done) / length, 0.0, 1.0),
                       std::clamp((part.last * whole - done) / length, 0.0, 1.0)};
    cost +=
        length * LegFactor(mesh, filter, {s.from.x, s.from.z}, {s.to_x, s.to_z}, s.cells).sum(here);
    done += length;
  }
  return cost;
}

// Returns whether ground leads from cell `a` to cell `b` right at the point. Floors above each
// other do not hang together, nor do pieces that touch in a corner. O(cells around the point).
bool hangs_together(const NavMesh& mesh, const NavFilter& filter, std::uint32_t a, std::uint32_t b,
                    LatticePoint at) {
  const auto is_near = [&](const NavMesh::Edge& edge) {
    const NavMesh::Edge& end = NavMesh::after(edge);
    const double squared = nearest_on_segment(edge.x, edge.z, end.x, end.z, at.x, at.z).squared;
    return squared <= kLinkReach * kLinkReach;
  };
  std::vector<std::uint32_t> cells{a};
  for (std::size_t i = 0; i < cells.size() && cells[i] != b; ++i)
    for (const NavMesh::Edge& e : mesh.edges_of(cells[i]))
      if (e.neighbour != kNoCell && filter.allows(mesh.cell(e.neighbour).flags) && is_near(e) &&
          std::ranges::find(cells, e.neighbour) == cells.end())
        cells.push_back(e.neighbour);
  return std::ranges::find(cells, b) != cells.end();
}

}  // namespace

bool NavGround::any_leg(const MeshPlace& from, const RoutePoint& at, const Spot& to,
                        const LegPart& part, TakeLeg take) const {
  if (!(std::abs(to.x) <= kLatticeExtent && std::abs(to.z) <= kLatticeExtent)) return false;
  if (at.link) {
    const std::optional<Leg> leg = leg_over_link(from, *at.link, to);
    return leg && take(*leg);
  }
  if (any_straight_leg(from, at.at, to, part, take)) return true;
  if (!ground_->had_changed_grounds()) return false;
  std::vector<std::uint32_t> around;
  cells_around(mesh(), from, &around, &filter_);
  return std::ranges::any_of(around, [&](std::uint32_t cell) {
    const std::optional<Leg> leg = leg_beside({cell, from.x, from.z}, to, part);
    return leg && take(*leg);
  });
}

bool NavGround::any_straight_leg(const MeshPlace& from, const Spot& at, const Spot& to,
                                 const LegPart& part, TakeLeg take) const {
  const double x = to_fine_steps(to.x);
  const double z = to_fine_steps(to.z);
  const double length = plane_length(to.x - at.x, to.z - at.z);
  RayFan rays(mesh(), from, x, z, filter_);
  while (const std::optional<RayResult> ray = rays.next()) {
    if (!ray->is_free) continue;
    const double factor =
        is_plain_ ? part.last - part.first
                  : LegFactor(mesh(), filter_, {from.x, from.z}, {x, z}, rays.cells()).sum(part);
    if (take({route_cost_of(length * factor), ray->end, area_of(rays.cells().front())}))
      return true;
  }
  return false;
}

std::optional<NavGround::Leg> NavGround::leg_beside(const MeshPlace& from, const Spot& to,
                                                    const LegPart& part) const {
  const double x = to_fine_steps(to.x);
  const double z = to_fine_steps(to.z);
  const double length = plane_length(x - from.x, z - from.z);
  if (length <= kLegAside) {
    const double factor = filter_.factor(mesh().cell(from.cell)) * (part.last - part.first);
    return Leg{route_cost_of(from_steps(length) * factor), from, area_of(from.cell)};
  }
  const LegBeside way = leg_beside_walls(mesh(), filter_, from, x, z);
  if (way.stretches.empty()) return std::nullopt;
  const double cost = from_steps(cost_beside(mesh(), filter_, way, part));
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
  const auto is_near = [](LatticePoint end, double x, double z) {
    return plane_length(end.x - x, end.z - z) <= kLinkReach;
  };
  const double x = to_fine_steps(to.x);
  const double z = to_fine_steps(to.z);
  const bool is_forward = is_near(link->from, from.x, from.z) && is_at(link->to, x, z);
  const bool is_back =
      link->both_ways && is_near(link->to, from.x, from.z) && is_at(link->from, x, z);
  const auto begins_in = [&](std::uint32_t cell, LatticePoint at) {
    return filter_.allows(mesh().cell(cell).flags) &&
           hangs_together(mesh(), filter_, cell, from.cell, at);
  };
  MeshPlace end{kNoCell, x, z};
  if (is_forward && begins_in(link->from_cell, link->from)) {
    end.cell = link->to_cell;
  } else if (is_back && begins_in(link->to_cell, link->to)) {
    end.cell = link->from_cell;
  }
  if (end.cell == kNoCell || !filter_.allows(mesh().cell(end.cell).flags)) return std::nullopt;
  return Leg{cost_over(*link, filter_), end, static_cast<std::uint8_t>(link->area)};
}

std::optional<NavGround::Leg> NavGround::leg_on_floor(const MeshPlace& from, const RoutePoint& at,
                                                      const Spot& to, const LegPart& part) const {
  std::optional<Leg> best;
  double least = kFloorReach;
  any_leg(from, at, to, part, [&](const Leg& leg) {
    const double off = height_off(leg, to);
    if (off > least || (best && off == least)) return false;
    best = leg;
    least = off;
    return off <= kSameHeight;
  });
  if (!best || least <= kSameHeight || at.link) return best;
  // `to` has no exact height, or the leg ends straight above or below the floor that it means.
  const std::optional<double> meant = floor_at(to);
  if (meant && height_off(*best, {to.x, *meant, to.z}) > kSameHeight) return std::nullopt;
  return best;
}

std::optional<NavGround::Leg> NavGround::straight_leg(const MeshPlace& from, const Spot& at,
                                                      const Spot& to) const {
  std::optional<Leg> found;
  any_straight_leg(from, at, to, {}, [&](const Leg& leg) {
    if (height_off(leg, to) <= kSameHeight) found = leg;
    return found.has_value();
  });
  return found;
}

double NavGround::height_off(const Leg& leg, const Spot& to) const {
  return std::abs(place_of(leg.end).at.y - to.y);
}

}  // namespace repath
