// The factor of a straight leg over cells of several factors: the mean along it, or along a part.
//
// Along a border the cheaper side counts: a walker there may walk on either side. "Along" means at
// most a lattice step beside the border and nearly in its direction, because rounding must not
// decide the factor. The cheapest way round dear ground follows its edge. Both directions of a leg
// have the same factor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/point.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

// A part of a leg, as shares of it: 0 <= first <= last <= 1.
struct LegPart {
  double first = 0;
  double last = 1;
};

// Borrows mesh, filter and cells. Not thread-safe.
class LegFactor {
 public:
  // A leg between two points, in lattice steps, through `cells`, which it crosses in this order
  // (navmesh/mesh/mesh_ray.h). The filter allows them. REQUIRES: one cell or more.
  LegFactor(const NavMesh& mesh, const NavFilter& filter, Point from, Point to,
            std::span<const std::uint32_t> cells)
      : mesh_(mesh),
        filter_(filter),
        from_(from),
        to_(to),
        dx_(to.x - from.x),
        dz_(to.z - from.z),
        cells_(cells) {}

  // Returns the sum over the part of the length, as a share of the leg's, times factor. If all
  // ground has factor 1, that is exactly last - first. O(edges of the cells, and of those along the
  // leg).
  double sum(const LegPart& part = {});

 private:
  static constexpr int kCellsAside = 4;  // looked at from a cell crossed, one behind the other

  struct Stretch {
    double first;
    double last;
    double factor;
  };

  double factor_of(std::uint32_t cell) const { return filter_.factor(mesh_.cell(cell)); }
  double share_within(std::uint32_t cell) const;
  double cheapest_within(std::uint32_t cell, const LegPart& part);
  void add_beside(std::uint32_t cell, std::uint32_t before, const LegPart& part, int left);
  LegPart part_along(const NavMesh::Edge& edge, const LegPart& part) const;

  const NavMesh& mesh_;
  const NavFilter& filter_;
  const Point from_;
  const Point to_;
  const double dx_;
  const double dz_;
  const std::span<const std::uint32_t> cells_;
  std::vector<Stretch> beside_;  // cheaper ground beside the cell in work
  std::vector<double> cuts_;
};

}  // namespace repath
