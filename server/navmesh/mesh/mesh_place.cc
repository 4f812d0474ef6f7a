#include "navmesh/mesh/mesh_place.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace repath {
bool holds(const NavMesh& mesh, std::uint32_t cell, double x, double z) {
  for (const NavMesh::Edge& a : mesh.edges_of(cell)) {
    const NavMesh::Edge& b = NavMesh::after(a);
    if (side_of(b.x - a.x, b.z - a.z, x - a.x, z - a.z) < 0) return false;
  }
  return true;
}

void cells_around(const NavMesh& mesh, const MeshPlace& place, std::vector<std::uint32_t>* cells,
                  const NavFilter* filter) {
  cells->assign(1, place.cell);
  for (std::size_t i = 0; i < cells->size(); ++i)
    for (const NavMesh::Edge& e : mesh.edges_of((*cells)[i])) {
      if (e.neighbour == kNoCell || !is_on_edge(e, place.x, place.z)) continue;
      if (filter != nullptr && !filter->allows(mesh.cell(e.neighbour).flags)) continue;
      if (std::ranges::find(*cells, e.neighbour) == cells->end()) cells->push_back(e.neighbour);
    }
}

MeshPlace pull_into(const NavMesh& mesh, std::uint32_t cell, double x, double z) {
  const auto fine = [](double steps) { return std::floor(steps * 0x1p20 + 0.5) * 0x1p-20; };
  const std::span<const NavMesh::Edge> edges = mesh.edges_of(cell);
  double middle_x = 0;
  double middle_z = 0;
  for (const NavMesh::Edge& e : edges) {
    middle_x += e.x / static_cast<double>(edges.size());
    middle_z += e.z / static_cast<double>(edges.size());
  }
  double share = 0;
  for (int i = 0; i < 50; ++i) {
    const MeshPlace at{cell, fine(x + share * (middle_x - x)), fine(z + share * (middle_z - z))};
    if (holds(mesh, cell, at.x, at.z)) return at;
    share = share == 0 ? 0x1p-45 : share * 2;
    if (share > 1) break;
  }
  return {cell, edges[0].x, edges[0].z};
}

}  // namespace repath
