#include "navmesh/search/cone_core.h"

#include "base/check.h"

namespace repath {

void ConeCore::begin(const NavMesh& on, const MeshPlace& from, std::uint64_t uncompared,
                     bool lists) {
  REPATH_CHECK(on.is_live(from.cell) && holds(on, from.cell, from.x, from.z));
  mesh = &on;
  start = from;
  cells_around(on, from, &start_cells);
  compared_after = uncompared;
  roots.begin(on.vertices_end() + 1, uncompared == 0, lists);
  roots.set(on.vertices_end(), 0, on.vertices_end());
  queue.clear();
  cones.clear();
  free.clear();
  made.clear();
  has_current = false;
  current_f = 0;
}

SeenCone ConeCore::seen(const Cone& cone, double f, double straight) const {
  const Edge& left = left_end(cone);
  const Edge& right = right_end(cone);
  const EdgePart part = cone.root_is_end() ? EdgePart{} : part_of(cone, left, right);
  const double g = least_length(cone, left, right);
  return {.root = cone.root.vertex,
          .edge = cone.edge,
          .cell = mesh->cell_of(cone.edge),
          .from = {cone.root.x, cone.root.z},
          .left = point_at(left, right, part.left),
          .right = point_at(left, right, part.right),
          .at = nearest_point(cone, left, right),
          .g = g,
          .f = std::max({f, g, straight})};
}

std::size_t ConeCore::bytes() const {
  return roots.bytes() + queue.heap.bytes() + cones.capacity() * sizeof(Cone) +
         made.capacity() * sizeof(Made) +
         (free.capacity() + start_cells.capacity()) * sizeof(std::uint32_t);
}

}  // namespace repath
