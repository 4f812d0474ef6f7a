#include "navmesh/search/corridor.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/check.h"
#include "navmesh/search/cone.h"

namespace repath {

void CorridorSearch::begin(const NavMesh& mesh, const MeshPlace& start, const MeshPlace& goal,
                           const NavFilter& filter) {
  REPATH_CHECK(mesh.is_live(goal.cell) && holds(mesh, goal.cell, goal.x, goal.z));
  begin_at(mesh, start, filter);
  has_goal_ = true;
  goal_ = goal;
  lower_bound_ = from_steps(length_of(goal.x - start.x, goal.z - start.z));
  cells_around(mesh, goal, &goal_cells_);
  std::erase_if(goal_cells_,
                [this](std::uint32_t c) { return !filter_->allows(mesh_->cell(c).flags); });
  if (!filter.allows(mesh.cell(start.cell).flags) || !filter.allows(mesh.cell(goal.cell).flags) ||
      mesh.component_of(start.cell) != mesh.component_of(goal.cell)) {
    queue_.is_done = true;
    return;
  }
  expand(start.cell, start.x, start.z, 0, kStart);
}

void CorridorSearch::begin_within(const NavMesh& mesh, const MeshPlace& start,
                                  const NavFilter& filter, double cost, bool is_backward) {
  begin_at(mesh, start, filter);
  has_goal_ = false;
  is_backward_ = is_backward;
  if (is_backward) list_exits();
  limit_ = cost * kLatticePerUnit;
  goal_cells_.clear();
  is_entered_.assign(mesh.cells_end(), false);
  if (!filter.allows(mesh.cell(start.cell).flags)) {
    queue_.is_done = true;
    return;
  }
  expand(start.cell, start.x, start.z, 0, kStart);
}

void CorridorSearch::begin_at(const NavMesh& mesh, const MeshPlace& start,
                              const NavFilter& filter) {
  REPATH_CHECK(mesh.is_live(start.cell) && holds(mesh, start.cell, start.x, start.z));
  mesh_ = &mesh;
  filter_ = &filter;
  start_ = start;
  states_.begin(mesh.edges_end() + 2 * mesh.links().size());
  queue_.clear();
  has_best_ = is_backward_ = false;
  path_.clear();
  entered_.clear();
  lower_bound_ = 0;
}

Progress CorridorSearch::advance(std::uint32_t* expansions) {
  const bool was_done = queue_.is_done;
  if (!queue_.work(
          expansions, [this] { return next(); }, [this] { expand_state(); }))
    return Progress::kOutOfBudget;
  if (!has_best_) return Progress::kNoPath;
  if (!was_done) trace(best_parent_, goal_.x, goal_.z);
  return Progress::kPathFound;
}

Turn CorridorSearch::next() {
  NodeHeap& heap = queue_.heap;
  while (!heap.empty() && !(has_best_ && heap.top().f >= best_)) {
    const State& at = states_[heap.top().node];
    if (at.is_open && at.order == heap.top().order) return Turn::kNode;
    heap.pop();
  }
  return Turn::kEnd;
}

void CorridorSearch::expand_state() {
  const std::uint32_t state = queue_.heap.top().node;
  queue_.heap.pop();
  State& at = states_[state];
  at.is_open = false;
  expand(cell_of_state(state), at.x, at.z, at.g, state);
}

void CorridorSearch::expand(std::uint32_t cell, double x, double z, double g,
                            std::uint32_t parent) {
  const double factor = filter_->factor(mesh_->cell(cell));
  if (!has_goal_) note_entry(cell, x, z, parent);
  if (is_goal_cell(cell)) {
    const double whole = g + factor * length_of(goal_.x - x, goal_.z - z);
    if (!has_best_ || whole < best_) {
      has_best_ = true;
      best_ = whole;
      best_parent_ = parent;
      best_cell_ = cell;
    }
  }
  const std::uint32_t first = mesh_->cell(cell).first;
  const std::uint32_t end = first + mesh_->cell(cell).count;
  for (std::uint32_t e = first; e < end; ++e) {
    const Edge& edge = mesh_->edge(e);
    if (edge.twin == kNoEdge || e == parent) continue;
    if (!filter_->allows(mesh_->cell(edge.neighbour).flags)) continue;
    double px = 0;
    double pz = 0;
    portal_point(e, x, z, &px, &pz);
    relax(edge.twin, px, pz, g + factor * length_of(px - x, pz - z), parent);
  }
  if (!mesh_->links().empty()) relax_links(cell, x, z, g, parent);
}

void CorridorSearch::relax_links(std::uint32_t cell, double x, double z, double g,
                                 std::uint32_t parent) {
  const double factor = filter_->factor(mesh_->cell(cell));
  for (const NavMesh::LinkEnd& end : link_ends_of(cell)) {
    const NavLink& link = mesh_->links()[end.link];
    const LinkRide ride(*mesh_, end.link, end.is_from);
    if (!link.enabled || !filter_->allows(link.flags) ||
        !filter_->allows(mesh_->cell(ride.far_cell).flags))
      continue;
    const double over = link.factor / 1000.0 * filter_->factor(link.area) * ride.length();
    relax(mesh_->edges_end() + 2 * end.link + (end.is_from ? 0 : 1), ride.far.x, ride.far.z,
          g + factor * length_of(ride.near.x - x, ride.near.z - z) + over, parent);
  }
}

void CorridorSearch::relax(std::uint32_t state, double x, double z, double g,
                           std::uint32_t parent) {
  ++queue_.generated;
  State& at = states_[state];
  if (states_.knows(state) && at.g <= g) return;
  const double f = has_goal_ ? g + length_of(goal_.x - x, goal_.z - z) : g;
  if ((has_best_ && f >= best_) || (!has_goal_ && g > limit_)) return;
  queue_.push(f, state);
  at = {g, x, z, parent, states_.stamp(), queue_.order, true};
}

// Where |from - p| + |p - goal| is least on the portal; the goal is mirrored if it lies on the same
// side.
void CorridorSearch::portal_point(std::uint32_t edge, double x, double z, double* px,
                                  double* pz) const {
  const Edge& a = mesh_->edge(edge);
  const Edge& b = mesh_->edge(mesh_->next(edge));
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double length2 = ex * ex + ez * ez;
  const double from = ((x - a.x) * ex + (z - a.z) * ez) / length2;
  const auto pass_at = [&](double share) {
    *px = a.x + std::clamp(share, 0.0, 1.0) * ex;
    *pz = a.z + std::clamp(share, 0.0, 1.0) * ez;
  };
  if (!has_goal_) return pass_at(from);
  const double here = std::abs(ex * (z - a.z) - ez * (x - a.x));
  const double there = std::abs(ex * (goal_.z - a.z) - ez * (goal_.x - a.x));
  const double to = ((goal_.x - a.x) * ex + (goal_.z - a.z) * ez) / length2;
  pass_at(here + there > 0 ? from + (to - from) * (here / (here + there)) : from);
}

// Once a cell: states come in the order of their costs.
void CorridorSearch::note_entry(std::uint32_t cell, double x, double z, std::uint32_t state) {
  if (is_entered_[cell]) return;
  is_entered_[cell] = true;
  std::uint32_t before = cell;
  if (state != kStart) {
    const std::uint32_t parent = states_[state].parent;
    before = parent == kStart ? start_.cell : cell_of_state(parent);
  }
  entered_.push_back({cell, before, state, x, z});
}

double CorridorSearch::cost_to(const CellEntry& entry) {
  trace(entry.state, entry.x, entry.z);
  return path_.cost();
}

LinkRide CorridorSearch::ride_of(std::uint32_t state) const {
  const std::uint32_t of_links = state - mesh_->edges_end();
  return {*mesh_, of_links / 2, of_links % 2 == 0};
}

std::uint32_t CorridorSearch::cell_of_state(std::uint32_t state) const {
  return is_edge(state) ? mesh_->cell_of(state) : ride_of(state).far_cell;
}

bool CorridorSearch::is_goal_cell(std::uint32_t cell) const {
  return std::find(goal_cells_.begin(), goal_cells_.end(), cell) != goal_cells_.end();
}

void CorridorSearch::trace(std::uint32_t last, double to_x, double to_z) {
  chain_.clear();
  for (std::uint32_t s = last; s != kStart; s = states_[s].parent) chain_.push_back(s);
  path_.begin(*mesh_, *filter_, start_);
  for (; !chain_.empty(); chain_.pop_back()) {
    const std::uint32_t s = chain_.back();
    if (is_edge(s)) {
      path_.add_portal(s, states_[s].x, states_[s].z);
    } else {
      path_.add_link(ride_of(s));
    }
  }
  path_.end(to_x, to_z);
}

std::size_t CorridorSearch::bytes() const {
  return states_.bytes() + queue_.heap.bytes() + path_.bytes() +
         entered_.capacity() * sizeof(CellEntry) + is_entered_.capacity() / 8 +
         (chain_.capacity() + goal_cells_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace repath
