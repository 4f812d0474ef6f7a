#include "navmesh/search/cells_within.h"

#include "navmesh/search/cone_steps.h"

namespace repath {

struct CellsWithin::Listener : NoPathAsked {
  static constexpr bool kHearsOfAll = true;
  explicit Listener(CellsWithin* to) : cells(*to) {}
  bool take(const Cone& cone, const NavMesh::Edge& right, const NavMesh::Edge& left) {
    const Point at = nearest_point(cone, left, right);
    cells.enter(right.neighbour, {.length = least_length(cone, left, right),
                                  .x = at.x,
                                  .z = at.z,
                                  .bend = {cone.root.x, cone.root.z},
                                  .before = cells.core_->mesh->edge(right.twin).neighbour});
    return true;
  }
  bool is_enough(double f) const { return f > cells.limit_; }
  CellsWithin& cells;
};

void CellsWithin::begin(const NavMesh& mesh, const MeshPlace& start, double length) {
  limit_ = length * kLatticePerUnit;
  core_->begin(mesh, start);
  entries_.begin(mesh.cells_end());
  entered_.clear();
  for (const std::uint32_t cell : core_->start_cells)
    enter(cell, {0, start.x, start.z, {start.x, start.z}, cell});
  open_cones(*core_, LeastLengths{}, Listener(this));
}

Progress CellsWithin::advance(std::uint32_t* expansions) {
  return advance_cones(*core_, LeastLengths{}, Listener(this), expansions);
}

// An entry that is shorter by rounding alone is ignored: so following the cells before never leads
// round in a ring.
void CellsWithin::enter(std::uint32_t cell, Entry entry) {
  constexpr double kShorter = 1 - 0x1p-40;
  if (!entries_.knows(cell)) {
    entered_.push_back(cell);
  } else if (entry.length >= entries_[cell].length * kShorter) {
    return;
  }
  entry.stamp = entries_.stamp();
  entries_[cell] = entry;
}

}  // namespace repath
