#include "navmesh/mesh/leg_factor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace repath {
namespace {

constexpr double kAlong = 0.01;  // greatest sine of the angle between a leg and an edge along it
constexpr double kBeside = 1;    // lattice steps
// Ends that were computed may lie outside of their cell by this much, in lattice steps.
constexpr double kOutside = 1e-4;

// Cuts the part down to where `at` + t * `step` lies in [low, high]; it may come out empty.
void cut_down(double at, double step, double low, double high, LegPart* part) {
  if (step == 0) {
    if (at < low || at > high) part->last = part->first;
    return;
  }
  const double one = (low - at) / step;
  const double other = (high - at) / step;
  part->first = std::max(part->first, std::min(one, other));
  part->last = std::min(part->last, std::max(one, other));
}

}  // namespace

double LegFactor::sum(const LegPart& part) {
  const auto is_one = [this](std::uint32_t cell) { return factor_of(cell) == 1; };
  if (std::ranges::all_of(cells_, is_one)) return part.last - part.first;
  double sum = 0;
  double done = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const bool is_last = i + 1 == cells_.size();
    const double share = is_last ? 1 : std::max(done, share_within(cells_[i]));
    const LegPart here{std::max(done, part.first), std::min(share, part.last)};
    if (here.first < here.last) sum += cheapest_within(cells_[i], here);
    done = share;
  }
  return std::max(sum, part.last - part.first);  // rounding
}

// Returns how far along the leg the convex cell reaches, [0, 1].
double LegFactor::share_within(std::uint32_t cell) const {
  double share = 1;
  for (const NavMesh::Edge& a : mesh_.edges_of(cell)) {
    const NavMesh::Edge& b = NavMesh::after(a);
    const double ex = b.x - a.x;
    const double ez = b.z - a.z;
    const double outside = kOutside * (std::abs(ex) + std::abs(ez));
    const double here = ex * (from_.z - a.z) - ez * (from_.x - a.x) + outside;
    const double there = ex * (to_.z - a.z) - ez * (to_.x - a.x) + outside;
    if (there >= 0) continue;
    share = std::min(share, here <= 0 ? 0 : here / (here - there));
  }
  return share;
}

// Returns the sum of a part that lies in the cell.
double LegFactor::cheapest_within(std::uint32_t cell, const LegPart& part) {
  const double factor = factor_of(cell);
  beside_.clear();
  if (factor > 1) add_beside(cell, kNoCell, part, kCellsAside);
  if (beside_.empty()) return (part.last - part.first) * factor;
  cuts_ = {part.first, part.last};
  for (const Stretch& stretch : beside_) cuts_.insert(cuts_.end(), {stretch.first, stretch.last});
  std::ranges::sort(cuts_);
  double sum = 0;
  for (std::size_t i = 1; i < cuts_.size(); ++i) {
    double least = factor;
    for (const Stretch& stretch : beside_)
      if (stretch.first <= cuts_[i - 1] && cuts_[i] <= stretch.last)
        least = std::min(least, stretch.factor);
    sum += (cuts_[i] - cuts_[i - 1]) * least;
  }
  return sum;
}

// Adds the ground behind the cell's edges that the part runs along. Behind a sliver is more of it.
void LegFactor::add_beside(std::uint32_t cell, std::uint32_t before, const LegPart& part,
                           int left) {
  for (const NavMesh::Edge& edge : mesh_.edges_of(cell)) {
    const std::uint32_t behind = edge.neighbour;
    if (behind == kNoCell || behind == before || !filter_.allows(mesh_.cell(behind).flags))
      continue;
    const LegPart along = part_along(edge, part);
    if (along.first >= along.last) continue;
    beside_.push_back({along.first, along.last, factor_of(behind)});
    if (left > 1) add_beside(behind, cell, along, left - 1);
  }
}

// Returns how much of the part runs along the edge.
LegPart LegFactor::part_along(const NavMesh::Edge& a, const LegPart& part) const {
  const NavMesh::Edge& b = NavMesh::after(a);
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double edge = std::sqrt(ex * ex + ez * ez);
  const double across = (ex * dz_ - ez * dx_) / edge;  // how much farther from the edge it ends
  LegPart along = part;
  if (std::abs(across) > kAlong * std::sqrt(dx_ * dx_ + dz_ * dz_)) return {part.first, part.first};
  const double beside = (ex * (from_.z - a.z) - ez * (from_.x - a.x)) / edge;
  cut_down(beside, across, -kBeside, kBeside, &along);
  const double at = (ex * (from_.x - a.x) + ez * (from_.z - a.z)) / edge;
  cut_down(at, (ex * dx_ + ez * dz_) / edge, 0, edge, &along);
  return along;
}

}  // namespace repath
