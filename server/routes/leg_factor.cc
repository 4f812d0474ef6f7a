#include "routes/leg_factor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace repath {
namespace {

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
        length_(std::sqrt(dx_ * dx_ + dz_ * dz_)) {}

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
    const double edge = std::sqrt(ex * ex + ez * ez);
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

}  // namespace

double mean_factor(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from, double to_x,
                   double to_z, std::span<const std::uint32_t> cells) {
  const LegOverCells leg(mesh, filter, from, to_x, to_z);
  const double first = leg.factor_of(cells.empty() ? from.cell : cells.front());
  const auto is_one = [&leg](std::uint32_t cell) { return leg.factor_of(cell) == 1; };
  if (cells.empty() || std::ranges::all_of(cells, is_one)) return first;
  return leg.sum(cells);
}

}  // namespace repath
