#include "navmesh/search/path_to_goal.h"

#include <algorithm>

#include "base/check.h"

namespace repath {

bool PathToGoal::begin(const MeshPlace& goal, double beyond, bool enters_dead_ends) {
  const NavMesh& mesh = *core_->mesh;
  REPATH_CHECK(mesh.is_live(goal.cell) && holds(mesh, goal.cell, goal.x, goal.z));
  goal_ = goal;
  beyond_ = beyond;
  enters_dead_ends_ = enters_dead_ends;
  best_ = std::numeric_limits<double>::infinity();
  cells_around(mesh, goal, &goal_cells_);
  on_way_.begin(mesh.cells_end());
  if (std::ranges::any_of(core_->start_cells, [this](std::uint32_t c) { return hears_of(c); })) {
    offer(core_->start_root());
    return true;
  }
  for (const std::uint32_t cell : goal_cells_) mark_way_to(cell);
  return false;
}

// Marks the cells from this one up its tree of dead ends, to the rest of the mesh or to a cell that
// is marked already.
void PathToGoal::mark_way_to(std::uint32_t cell) {
  const NavMesh& mesh = *core_->mesh;
  while (!on_way_.knows(cell)) {
    on_way_[cell].stamp = on_way_.stamp();
    for (const Edge& e : mesh.edges_of(cell)) {
      if (e.twin == kNoEdge || !mesh.edge(e.twin).leads_into_dead_end) continue;
      cell = e.neighbour;
      break;
    }
  }
}

void PathToGoal::see_goal(const Cone& cone, const Edge& right, const Edge& left) {
  const double tx = goal_.x - cone.root.x;
  const double tz = goal_.z - cone.root.z;
  ConeRoot root;
  if (cone.root_is_end()) {
    offer(cone.root);
  } else if (side_of(cone.left_x, cone.left_z, tx, tz) > 0) {
    if (cone.left_at_vertex && left.is_corner && core_->roots.reach(left, cone.root, &root))
      offer(root);
  } else if (side_of(cone.right_x, cone.right_z, tx, tz) < 0) {
    if (cone.right_at_vertex && right.is_corner && core_->roots.reach(right, cone.root, &root))
      offer(root);
  } else {
    offer(cone.root);
  }
}

// Takes up a whole path if it is shorter than the best one: the goal is seen from this root.
void PathToGoal::offer(const ConeRoot& from) {
  const double length = from.g + length_of(goal_.x - from.x, goal_.z - from.z);
  if (length >= best_) return;
  best_ = length;
  best_root_ = from.vertex;
}

void PathToGoal::append_path(std::vector<PathCorner>* out) const {
  REPATH_CHECK(core_->queue.is_done && has_path());
  const NavMesh& mesh = *core_->mesh;
  const auto first = static_cast<std::ptrdiff_t>(out->size());
  out->push_back({goal_.point()});
  for (std::uint32_t v = best_root_; v != mesh.vertices_end(); v = core_->roots.parent(v))
    out->push_back({to_point(mesh.vertex(v).at), v});
  out->push_back({core_->start.point()});
  std::reverse(out->begin() + first, out->end());
}

}  // namespace repath
