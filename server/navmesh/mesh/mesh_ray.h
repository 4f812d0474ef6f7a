// Walks from a place of the mesh in a straight line over its ground. It answers line-of-sight
// queries and finds the cells that a part of a path crosses. Exact at vertices and along edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

struct RayResult {
  bool is_free = false;  // whether the whole segment is on the ground
  double share = 0;      // share of the segment that is free, [0, 1]
  MeshPlace end;         // the last place reached
  // Edge of the last cell that stopped the ray; kNoEdge if a vertex stopped it, or if it was not
  // stopped.
  std::uint32_t edge = kNoEdge;
};

// The straight ways over ground from a place to a point of the plane, (to_x, to_z), in lattice
// steps. There are several where floors part at a corner on the line and both go on along it:
// beside the foot of a ramp, say. Ground that the filter excludes is blocked. A way may run along
// blocked ground and touch its corners, but does not pass where two blocked pieces touch. REQUIRES:
// from.cell holds `from`, and the filter allows that cell. Keeps references to mesh and filter.
class RayFan {
 public:
  RayFan(const NavMesh& mesh, const MeshPlace& from, double to_x, double to_z,
         const NavFilter& filter);

  // Follows the next way. The first one stays in its own cell where it can. A way ends at the point
  // or where it is stopped. Ways that join an earlier one are left out. Empty: there is no other,
  // but the first call always finds one. All calls together: O(cells crossed and around vertices
  // met).
  std::optional<RayResult> next();
  // The cells that the last way crossed, in order.
  const std::vector<std::uint32_t>& cells() const { return cells_; }

 private:
  // A vertex, or the beginning, where the last way chose the next cell of those around.
  struct Choice {
    MeshPlace at;
    std::size_t crossed = 0;  // number of cells before
  };

  bool allows(std::uint32_t cell) const { return filter_.allows(mesh_.cell(cell).flags); }
  double side(const NavMesh::Edge& v) const;
  std::optional<RayResult> follow(std::uint32_t cell);
  std::uint32_t enter(const MeshPlace& at);
  std::uint32_t other_at(const Choice& choice);
  bool goes_into(std::uint32_t cell, const MeshPlace& at) const;
  std::uint32_t crossed_edge(std::uint32_t cell) const;
  const NavMesh::Edge& farthest_on_ray(std::uint32_t cell) const;
  MeshPlace meeting(std::uint32_t cell, std::uint32_t edge) const;
  RayResult stop(const MeshPlace& at, std::uint32_t edge) const;

  const NavMesh& mesh_;
  const NavFilter& filter_;
  const MeshPlace from_;
  const double to_x_;
  const double to_z_;
  const double dx_;
  const double dz_;
  bool has_begun_ = false;
  std::vector<std::uint32_t> cells_;
  std::size_t known_ = 0;                   // so many of cells_ are in seen_
  std::vector<Choice> choices_;             // of the last way, whose other cells were not tried
  std::unordered_set<std::uint32_t> seen_;  // crossed by the ways before
  std::vector<std::uint32_t> around_;
};

// Follows the first of these ways. Appends the cells crossed, in order, unless `cells` is null.
RayResult cast_ray(const NavMesh& mesh, const MeshPlace& from, double to_x, double to_z,
                   const NavFilter& filter, std::vector<std::uint32_t>* cells);

}  // namespace repath
