#include "navmesh/mesh/mesh_ray.h"

#include <algorithm>
#include <span>

namespace repath {

RayFan::RayFan(const NavMesh& mesh, const MeshPlace& from, double to_x, double to_z,
               const NavFilter& filter)
    : mesh_(mesh),
      filter_(filter),
      from_(from),
      to_x_(to_x),
      to_z_(to_z),
      dx_(to_x - from.x),
      dz_(to_z - from.z) {}

double RayFan::side(const NavMesh::Edge& v) const {
  return side_of(dx_, dz_, v.x - from_.x, v.z - from_.z);
}

std::optional<RayResult> RayFan::next() {
  if (!has_begun_) {
    has_begun_ = true;
    const std::uint32_t cell = enter(from_);
    if (cell == kNoCell) return stop({from_.cell, from_.x, from_.z}, kNoEdge);
    return follow(cell);
  }
  while (!choices_.empty()) {
    seen_.insert(cells_.begin() + static_cast<std::ptrdiff_t>(known_), cells_.end());
    known_ = cells_.size();
    const Choice last = choices_.back();
    const std::uint32_t other = other_at(last);
    if (other == kNoCell) {
      choices_.pop_back();
      continue;
    }
    cells_.resize(last.crossed);
    known_ = last.crossed;
    if (auto way = follow(other)) return way;
  }
  return std::nullopt;
}

// Returns where the way that goes on in the cell ends; empty if it joins an earlier way.
std::optional<RayResult> RayFan::follow(std::uint32_t cell) {
  for (std::uint32_t left = 2 * mesh_.edges_end() + 2; left > 0; --left) {
    if (seen_.contains(cell)) return std::nullopt;
    if (cells_.empty() || cells_.back() != cell) cells_.push_back(cell);
    if (holds(mesh_, cell, to_x_, to_z_)) return RayResult{true, 1, {cell, to_x_, to_z_}, kNoEdge};
    const std::uint32_t edge = crossed_edge(cell);
    if (edge != kNoEdge) {
      const std::uint32_t next = mesh_.edge(edge).neighbour;
      if (next == kNoCell || !allows(next)) return stop(meeting(cell, edge), edge);
      cell = next;
      continue;
    }
    const NavMesh::Edge& v = farthest_on_ray(cell);
    const MeshPlace at{cell, v.x, v.z};
    const std::uint32_t next = enter(at);
    if (next == kNoCell) return stop(at, kNoEdge);
    cell = next;
  }
  return stop({cell, from_.x, from_.z}, kNoEdge);
}

// Returns a cell around the place into which the ray continues, or along whose edge it runs;
// preferably one that holds the target.
std::uint32_t RayFan::enter(const MeshPlace& at) {
  choices_.push_back({at, cells_.size()});
  cells_around(mesh_, at, &around_, &filter_);
  std::uint32_t found = kNoCell;
  for (const std::uint32_t cell : around_) {
    if (holds(mesh_, cell, to_x_, to_z_)) return cell;
    if (found != kNoCell || !goes_into(cell, at)) continue;
    // A later cell may hold the target too, on another floor, but a ray stays on the floor of the
    // cell that it is in.
    if (cell == at.cell) return cell;
    found = cell;
  }
  return found;
}

// Returns another cell around the place into which the ray may continue.
std::uint32_t RayFan::other_at(const Choice& choice) {
  cells_around(mesh_, choice.at, &around_, &filter_);
  const auto found = std::ranges::find_if(around_, [&](std::uint32_t cell) {
    return !seen_.contains(cell) &&
           (holds(mesh_, cell, to_x_, to_z_) || goes_into(cell, choice.at));
  });
  return found == around_.end() ? kNoCell : *found;
}

bool RayFan::goes_into(std::uint32_t cell, const MeshPlace& at) const {
  return std::ranges::none_of(mesh_.edges_of(cell), [&](const NavMesh::Edge& a) {
    const NavMesh::Edge& b = NavMesh::after(a);
    return is_on_edge(a, at.x, at.z) && side_of(b.x - a.x, b.z - a.z, dx_, dz_) < 0;
  });
}

// Returns the edge through whose inside the ray leaves the cell.
std::uint32_t RayFan::crossed_edge(std::uint32_t cell) const {
  for (const NavMesh::Edge& a : mesh_.edges_of(cell))
    if (side(a) < 0 && side(NavMesh::after(a)) > 0) return mesh_.cell(cell).first + a.place;
  return kNoEdge;
}

// Returns the vertex at which the ray leaves the cell.
const NavMesh::Edge& RayFan::farthest_on_ray(std::uint32_t cell) const {
  const NavMesh::Edge* best = &mesh_.edge(mesh_.cell(cell).first);
  double most = -1;
  for (const NavMesh::Edge& e : mesh_.edges_of(cell)) {
    const double along = (e.x - from_.x) * dx_ + (e.z - from_.z) * dz_;
    if (along < most || side(e) != 0) continue;
    most = along;
    best = &e;
  }
  return *best;
}

MeshPlace RayFan::meeting(std::uint32_t cell, std::uint32_t edge) const {
  const NavMesh::Edge& a = mesh_.edge(edge);
  const NavMesh::Edge& b = mesh_.edge(mesh_.next(edge));
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double share = ((a.x - from_.x) * ez - (a.z - from_.z) * ex) / (dx_ * ez - dz_ * ex);
  return pull_into(mesh_, cell, from_.x + share * dx_, from_.z + share * dz_);
}

RayResult RayFan::stop(const MeshPlace& at, std::uint32_t edge) const {
  const double length2 = dx_ * dx_ + dz_ * dz_;
  const double along = (at.x - from_.x) * dx_ + (at.z - from_.z) * dz_;
  return {false, length2 > 0 ? std::clamp(along / length2, 0.0, 1.0) : 0, at, edge};
}

RayResult cast_ray(const NavMesh& mesh, const MeshPlace& from, double to_x, double to_z,
                   const NavFilter& filter, std::vector<std::uint32_t>* cells) {
  RayFan fan(mesh, from, to_x, to_z, filter);
  const RayResult way = *fan.next();
  if (cells != nullptr) cells->insert(cells->end(), fan.cells().begin(), fan.cells().end());
  return way;
}

}  // namespace repath
