#include "navmesh/search/corridor.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/check.h"

namespace repath {
namespace {

double flat_distance(double ax, double az, double bx, double bz) {
  return std::sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az));
}

}  // namespace

void CorridorSearch::begin(const NavMesh& mesh, const MeshPlace& start, const MeshPlace& goal,
                           const NavFilter& filter) {
  REPATH_CHECK(mesh.is_live(goal.cell) && holds(mesh, goal.cell, goal.x, goal.z));
  begin_at(mesh, start, filter);
  has_goal_ = true;
  goal_ = goal;
  lower_bound_ = from_steps(flat_distance(start.x, start.z, goal.x, goal.z));
  cells_around(mesh, goal, &goal_cells_);
  std::erase_if(goal_cells_,
                [this](std::uint32_t c) { return !filter_->allows(mesh_->cell(c).flags); });
  if (!filter.allows(mesh.cell(start.cell).flags) || !filter.allows(mesh.cell(goal.cell).flags) ||
      mesh.component_of(start.cell) != mesh.component_of(goal.cell)) {
    is_done_ = true;
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
    is_done_ = true;
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
  const std::size_t states = mesh.edges_end() + 2 * mesh.links().size();
  if (states_.size() < states) states_.resize(states);
  if (++stamp_ == 0) {
    for (State& state : states_) state.stamp = 0;
    stamp_ = 1;
  }
  open_.clear();
  order_ = 0;
  is_done_ = has_best_ = is_backward_ = false;
  expanded_ = generated_ = 0;
  path_.clear();
  cells_.clear();
  entered_.clear();
  cost_ = length_ = lower_bound_ = 0;
}

Progress CorridorSearch::advance(std::uint32_t* expansions) {
  while (!is_done_) {
    if (open_.empty() || (has_best_ && open_.top().f >= best_)) {
      is_done_ = true;
      if (has_best_) trace(best_parent_, goal_.x, goal_.z);
      break;
    }
    State& at = states_[open_.top().node];
    if (!at.is_open || at.order != open_.top().order) {
      open_.pop();
      continue;
    }
    if (*expansions == 0) return Progress::kOutOfBudget;
    --*expansions;
    ++expanded_;
    const std::uint32_t state = open_.top().node;
    open_.pop();
    at.is_open = false;
    expand(cell_of_state(state), at.x, at.z, at.g, state);
  }
  return has_best_ ? Progress::kPathFound : Progress::kNoPath;
}

void CorridorSearch::expand(std::uint32_t cell, double x, double z, double g,
                            std::uint32_t parent) {
  const double factor = filter_->factor(mesh_->cell(cell));
  if (!has_goal_) note_entry(cell, x, z, parent);
  if (is_goal_cell(cell)) {
    const double whole = g + factor * flat_distance(x, z, goal_.x, goal_.z);
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
    relax(edge.twin, px, pz, g + factor * flat_distance(x, z, px, pz), parent);
  }
  if (!mesh_->links().empty()) relax_links(cell, x, z, g, parent);
}

void CorridorSearch::relax_links(std::uint32_t cell, double x, double z, double g,
                                 std::uint32_t parent) {
  const double factor = filter_->factor(mesh_->cell(cell));
  for (const NavMesh::LinkEnd& end : link_ends_of(cell)) {
    const NavLink& link = mesh_->links()[end.link];
    const std::uint32_t far_cell = end.is_from ? link.to_cell : link.from_cell;
    if (!link.enabled || !filter_->allows(link.flags) ||
        !filter_->allows(mesh_->cell(far_cell).flags))
      continue;
    const LatticePoint near = end.is_from ? link.from : link.to;
    const LatticePoint far = end.is_from ? link.to : link.from;
    const double over = link.factor / 1000.0 * filter_->factor(link.area) *
                        flat_distance(near.x, near.z, far.x, far.z);
    relax(mesh_->edges_end() + 2 * end.link + (end.is_from ? 0 : 1), far.x, far.z,
          g + factor * flat_distance(x, z, near.x, near.z) + over, parent);
  }
}

void CorridorSearch::relax(std::uint32_t state, double x, double z, double g,
                           std::uint32_t parent) {
  ++generated_;
  State& at = states_[state];
  if (at.stamp == stamp_ && at.g <= g) return;
  const double f = has_goal_ ? g + flat_distance(x, z, goal_.x, goal_.z) : g;
  if ((has_best_ && f >= best_) || (!has_goal_ && g > limit_)) return;
  at = {g, x, z, parent, stamp_, ++order_, true};
  open_.push({f, at.order, state});
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
  path_.clear();
  cells_.clear();
  cost_ = length_ = 0;
  trace(entry.state, entry.x, entry.z);
  return cost_;
}

std::uint32_t CorridorSearch::cell_of_state(std::uint32_t state) const {
  if (state < mesh_->edges_end()) return mesh_->cell_of(state);
  const std::uint32_t link = (state - mesh_->edges_end()) / 2;
  const bool is_forward = (state - mesh_->edges_end()) % 2 == 0;
  return is_forward ? mesh_->links()[link].to_cell : mesh_->links()[link].from_cell;
}

bool CorridorSearch::is_goal_cell(std::uint32_t cell) const {
  return std::find(goal_cells_.begin(), goal_cells_.end(), cell) != goal_cells_.end();
}

// From the states to the path: stretches of ground pulled tight, with links between.
void CorridorSearch::trace(std::uint32_t last, double to_x, double to_z) {
  chain_.clear();
  for (std::uint32_t s = last; s != kStart; s = states_[s].parent) chain_.push_back(s);
  std::reverse(chain_.begin(), chain_.end());
  const auto restart = [this](double x, double z, std::uint32_t cell) {
    stretch_.from_x = x;
    stretch_.from_z = z;
    stretch_.portals.clear();
    stretch_.states.clear();
    stretch_.cells.assign(1, cell);
  };
  append_corner({start_.point()}, 0);
  restart(start_.x, start_.z, start_.cell);
  for (const std::uint32_t s : chain_) {
    if (s < mesh_->edges_end()) {
      const Edge& left = mesh_->edge(s);
      const Edge& right = mesh_->edge(mesh_->next(s));
      stretch_.portals.push_back({left.x, left.z, right.x, right.z, left.vertex, right.vertex});
      stretch_.states.push_back(s);
      stretch_.cells.push_back(mesh_->cell_of(s));
      continue;
    }
    const std::uint32_t place = (s - mesh_->edges_end()) / 2;
    const NavLink& link = mesh_->links()[place];
    const bool is_forward = (s - mesh_->edges_end()) % 2 == 0;
    const LatticePoint near = is_forward ? link.from : link.to;
    const LatticePoint far = is_forward ? link.to : link.from;
    stretch_.to_x = near.x;
    stretch_.to_z = near.z;
    pull(&stretch_);
    path_.back().link = place;
    const double over = from_steps(flat_distance(near.x, near.z, far.x, far.z));
    append_corner({to_point(far)}, over * (link.factor / 1000.0) * filter_->factor(link.area));
    restart(far.x, far.z, cell_of_state(s));
  }
  stretch_.to_x = to_x;
  stretch_.to_z = to_z;
  pull(&stretch_);
}

void CorridorSearch::pull(Stretch* stretch) {
  cells_.insert(cells_.end(), stretch->cells.begin(), stretch->cells.end());
  points_.clear();
  pull_string(stretch->from_x, stretch->from_z, stretch->to_x, stretch->to_z, stretch->portals,
              &points_);
  double cost = cost_of(*stretch, points_);
  if (!filter_->is_uniform()) {
    std::vector<FunnelPoint> plain;
    for (std::uint32_t i = 0; i < stretch->states.size(); ++i) {
      const State& at = states_[stretch->states[i]];
      plain.push_back({at.x, at.z, ~std::uint32_t{0}, i + 1});
    }
    plain.push_back({stretch->to_x, stretch->to_z, ~std::uint32_t{0},
                     static_cast<std::uint32_t>(stretch->states.size())});
    const double unpulled = cost_of(*stretch, plain);
    if (unpulled < cost) {
      cost = unpulled;
      points_ = plain;
    }
  }
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const FunnelPoint& p = points_[i];
    append_corner({{from_steps(p.x), from_steps(p.z)}, p.vertex}, i == 0 ? from_steps(cost) : 0);
  }
}

// Steps times factors: each part is cut where it passes portals.
double CorridorSearch::cost_of(const Stretch& stretch,
                               const std::vector<FunnelPoint>& points) const {
  double cost = 0;
  double x = stretch.from_x;
  double z = stretch.from_z;
  std::uint32_t passed = 0;
  for (const FunnelPoint& to : points) {
    const double dx = to.x - x;
    const double dz = to.z - z;
    const double length = std::sqrt(dx * dx + dz * dz);
    double done = 0;
    for (; passed < to.passed; ++passed) {
      const Portal& p = stretch.portals[passed];
      const double ex = p.right_x - p.left_x;
      const double ez = p.right_z - p.left_z;
      const double across = dx * ez - dz * ex;
      const double share =
          across != 0 ? std::clamp(((p.left_x - x) * ez - (p.left_z - z) * ex) / across, done, 1.0)
                      : done;
      cost += (share - done) * length * filter_->factor(mesh_->cell(stretch.cells[passed]));
      done = share;
    }
    cost += (1 - done) * length * filter_->factor(mesh_->cell(stretch.cells[passed]));
    x = to.x;
    z = to.z;
  }
  return cost;
}

void CorridorSearch::append_corner(const CorridorCorner& corner, double cost_of_part) {
  cost_ += cost_of_part;
  if (!path_.empty()) {
    const Point last = path_.back().at;
    length_ += flat_distance(last.x, last.z, corner.at.x, corner.at.z);
  }
  path_.push_back(corner);
}

std::size_t CorridorSearch::bytes() const {
  return states_.capacity() * sizeof(State) + open_.bytes() +
         path_.capacity() * sizeof(CorridorCorner) + entered_.capacity() * sizeof(CellEntry) +
         is_entered_.capacity() / 8 + points_.capacity() * sizeof(FunnelPoint) +
         stretch_.portals.capacity() * sizeof(Portal) +
         (cells_.capacity() + chain_.capacity() + stretch_.cells.capacity() +
          stretch_.states.capacity() + goal_cells_.capacity()) *
             sizeof(std::uint32_t);
}

}  // namespace repath
