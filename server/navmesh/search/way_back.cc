#include "navmesh/search/way_back.h"

#include <algorithm>
#include <cmath>

namespace repath {

void WayBack::begin(const NavMesh& uncut, const MeshPlace& goal, const MeshPlace& start,
                    double beyond) {
  uncut_ = &uncut;
  goal_ = goal;
  beyond_ = beyond;
  seen_.clear();
  search_.begin(uncut, goal, start, {}, {.beyond = beyond, .enters_dead_ends = false});
  search_.log_roots(&seen_);
}

Progress WayBack::advance(std::uint32_t* expansions) {
  const Progress progress = search_.advance(expansions);
  if (progress != Progress::kPathFound) return progress;
  if (seen_.empty()) return Progress::kNoPath;
  list_bends();
  return progress;
}

void WayBack::list_bends() {
  certain_ = search_.path_steps() + beyond_;
  if (first_of_.size() < uncut_->cells_end()) first_of_.resize(uncut_->cells_end());
  if (++stamp_ == 0) {  // once in 2^32 queries
    for (First& first : first_of_) first.stamp = 0;
    stamp_ = 1;
  }
  bends_.clear();
  const std::uint32_t start = uncut_->vertices_end();
  const Bend from_goal{goal_.x, goal_.z, 0, start, kNone};
  cells_around(*uncut_, goal_, &around_);
  for (const std::uint32_t cell : around_) add(cell, from_goal);
  for (const AnyAngleSearch::CellRoot& seen : seen_) {
    if (seen.root == start) {
      add(seen.cell, from_goal);
      continue;
    }
    const LatticePoint at = uncut_->vertex(seen.root).at;
    add(seen.cell, {static_cast<double>(at.x), static_cast<double>(at.z),
                    search_.distance(seen.root), seen.root, kNone});
  }
}

void WayBack::add(std::uint32_t cell, const Bend& bend) {
  First& first = first_of_[cell];
  if (first.stamp != stamp_) first = {kNone, stamp_};
  for (std::uint32_t b = first.bend; b != kNone; b = bends_[b].next)
    if (bends_[b].root == bend.root) return;
  bends_.push_back(bend);
  bends_.back().next = first.bend;
  first.bend = static_cast<std::uint32_t>(bends_.size() - 1);
}

// The cell that the tree of cells hangs on, in which it lies, or the next one on the way there;
// kNoCell: it lies in none.
std::uint32_t WayBack::cell_outside(std::uint32_t cell) const {
  for (const NavMesh::Edge& e : uncut_->edges_of(cell))
    if (e.twin != kNoEdge && uncut_->edge(e.twin).leads_into_dead_end) return e.neighbour;
  return kNoCell;
}

// Of the first cell on the way out of a dead end that has bends, or is the last.
std::uint32_t WayBack::first_bend_outside(std::uint32_t cell) {
  inside_.clear();
  while (cell != kNoCell && first_of_[cell].stamp != stamp_) {
    inside_.push_back(cell);
    cell = cell_outside(cell);
  }
  const std::uint32_t bend = cell == kNoCell ? kNone : first_of_[cell].bend;
  for (const std::uint32_t c : inside_) first_of_[c] = {bend, stamp_};
  return bend;
}

std::size_t WayBack::bytes() const {
  return search_.bytes() + seen_.capacity() * sizeof(AnyAngleSearch::CellRoot) +
         bends_.capacity() * sizeof(Bend) + first_of_.capacity() * sizeof(First) +
         (around_.capacity() + inside_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace repath
