#include "navmesh/search/way_back.h"

#include "navmesh/search/cone_steps.h"

namespace repath {

namespace {

constexpr std::uint64_t kConesUncompared = 512;  // as AnyAngleSearch

struct StraightBounds : FixedBounds {
  double lower(const Cone& cone, const NavMesh::Edge& left, const NavMesh::Edge& right) const {
    return length_through(cone, left, right, to.x, to.z);
  }
  const MeshPlace& to;
};

}  // namespace

void WayBack::begin(const NavMesh& uncut, const MeshPlace& goal, const MeshPlace& start,
                    double beyond) {
  beyond_ = beyond;
  path_.seen.clear();
  core_.begin(uncut, goal, kConesUncompared, true);
  if (path_.begin(start, beyond, false)) return;
  StraightBounds bounds{{}, path_.goal()};
  ConeSteps(core_, bounds, path_).open();
}

Progress WayBack::advance(std::uint32_t* expansions) {
  StraightBounds bounds{{}, path_.goal()};
  const Progress progress = ConeSteps(core_, bounds, path_).advance(expansions);
  if (progress != Progress::kPathFound) return progress;
  if (path_.seen.empty()) return Progress::kNoPath;
  list_bends();
  return progress;
}

void WayBack::list_bends() {
  const NavMesh& uncut = *core_.mesh;
  certain_ = path_.best() + beyond_;
  first_of_.begin(uncut.cells_end());
  bends_.clear();
  const std::uint32_t start = uncut.vertices_end();
  const Bend from_goal{core_.start.x, core_.start.z, 0, start, kNone};
  for (const std::uint32_t cell : core_.start_cells) add(cell, from_goal);
  for (const SeenRoot& seen : path_.seen) {
    if (seen.root == start) {
      add(seen.cell, from_goal);
      continue;
    }
    const LatticePoint at = uncut.vertex(seen.root).at;
    add(seen.cell, {static_cast<double>(at.x), static_cast<double>(at.z),
                    core_.roots.length(seen.root), seen.root, kNone});
  }
}

void WayBack::add(std::uint32_t cell, const Bend& bend) {
  First& first = first_of_[cell];
  if (!first_of_.knows(cell)) first = {kNone, first_of_.stamp()};
  for (std::uint32_t b = first.bend; b != kNone; b = bends_[b].next)
    if (bends_[b].root == bend.root) return;
  bends_.push_back(bend);
  bends_.back().next = first.bend;
  first.bend = static_cast<std::uint32_t>(bends_.size() - 1);
}

// Returns the next cell on the way out of the dead end in which the cell lies; kNoCell if it lies
// in none.
std::uint32_t WayBack::cell_outside(std::uint32_t cell) const {
  for (const NavMesh::Edge& e : core_.mesh->edges_of(cell))
    if (e.twin != kNoEdge && core_.mesh->edge(e.twin).leads_into_dead_end) return e.neighbour;
  return kNoCell;
}

// Returns the bends of the first cell that has any on the way out of a dead end.
std::uint32_t WayBack::first_bend_outside(std::uint32_t cell) {
  inside_.clear();
  while (cell != kNoCell && !first_of_.knows(cell)) {
    inside_.push_back(cell);
    cell = cell_outside(cell);
  }
  const std::uint32_t bend = cell == kNoCell ? kNone : first_of_[cell].bend;
  for (const std::uint32_t c : inside_) first_of_[c] = {bend, first_of_.stamp()};
  return bend;
}

std::size_t WayBack::bytes() const {
  return core_.bytes() + path_.bytes() + path_.seen.capacity() * sizeof(SeenRoot) +
         bends_.capacity() * sizeof(Bend) + first_of_.bytes() +
         inside_.capacity() * sizeof(std::uint32_t);
}

}  // namespace repath
