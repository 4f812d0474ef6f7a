#include "routes/leg_beside.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "navmesh/mesh/mesh_ray.h"

namespace repath {
namespace {

constexpr int kRaysMax = 256;
// The leg may end at a former corner, half a step inside of today's wall.
constexpr double kEndAside = kLegAside / 2;
constexpr double kFine = 1 << 20;  // places are multiples of 1 / kFine

class LegRound {
 public:
  LegRound(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from, double to_x,
           double to_z)
      : mesh_(mesh),
        filter_(filter),
        at_(from),
        origin_(from),
        length_(leg_length(to_x - from.x, to_z - from.z)),
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
    return leg_length(at.x - to.x, at.z - to.z) <= kLegAside;
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

}  // namespace

LegBeside leg_beside_walls(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from,
                           double to_x, double to_z) {
  const double length = leg_length(to_x - from.x, to_z - from.z);
  const double dx = std::round((to_x - from.x) / length * kEndAside * kFine) / kFine;
  const double dz = std::round((to_z - from.z) / length * kEndAside * kFine) / kFine;
  for (const double side : {0.0, 1.0, -1.0}) {
    LegBeside found = LegRound(mesh, filter, from, to_x - side * dz, to_z + side * dx).run();
    if (!found.stretches.empty()) return found;
  }
  return {};
}

}  // namespace repath
