#include "navmesh/search/corridor.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "base/check.h"
#include "base/equal_run.h"
#include "navmesh/search/cone.h"

namespace repath {

double CorridorGuide::rest(double dx, double dz) const {
  if (order != Order::kAStar) return 0;
  const double most = std::max(std::abs(dx), std::abs(dz));
  const double least = std::min(std::abs(dx), std::abs(dz));
  switch (estimate) {
    case Estimate::kZero:
      return 0;
    case Estimate::kManhattan:
      return most + least;
    case Estimate::kChebyshev:
      return most;
    case Estimate::kOctile:
      return most + 0.41421356237309505 * least;
    case Estimate::kEuclid:
      break;
  }
  return length_of(dx, dz);
}

void CorridorSearch::begin(const NavMesh& mesh, const MeshPlace& start, const MeshPlace& goal,
                           const NavFilter& filter, const CorridorGuide& guide) {
  REPATH_CHECK(mesh.is_live(goal.cell) && holds(mesh, goal.cell, goal.x, goal.z));
  begin_at(mesh, start, filter);
  guide_ = guide;
  has_goal_ = true;
  goal_ = goal;
  lower_bound_ = from_steps(length_of(goal.x - start.x, goal.z - start.z));
  cells_around(mesh, goal, &goal_cells_);
  std::erase_if(goal_cells_,
                [this](std::uint32_t c) { return !filter_->allows(mesh_->cell(c).flags); });
  queue_.is_done = !filter.allows(mesh.cell(goal.cell).flags) ||
                   mesh.component_of(start.cell) != mesh.component_of(goal.cell);
  expand_start();
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
  expand_start();
}

void CorridorSearch::begin_at(const NavMesh& mesh, const MeshPlace& start,
                              const NavFilter& filter) {
  REPATH_CHECK(mesh.is_live(start.cell) && holds(mesh, start.cell, start.x, start.z));
  mesh_ = &mesh;
  filter_ = &filter;
  start_ = start;
  states_.begin(mesh.edges_end() + 2 * mesh.links().size());
  queue_.clear();
  guide_ = {};
  expanding_f_ = 0;
  has_best_ = is_backward_ = false;
  path_.clear();
  entered_.clear();
  lower_bound_ = 0;
}

// A link is taken backward from the end that it leads to. A link that goes both ways is taken from
// either end.
void CorridorSearch::list_exits() {
  exits_.clear();
  const std::vector<NavLink>& links = mesh_->links();
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    if (links[i].from_cell == kNoCell || links[i].to_cell == kNoCell) continue;
    exits_.push_back({links[i].to_cell, i, false});
    if (links[i].both_ways) exits_.push_back({links[i].from_cell, i, true});
  }
  std::ranges::sort(exits_, {}, [](const NavMesh::LinkEnd& end) {
    return std::tuple(end.cell, end.link, end.is_from);
  });
}

// Returns the ends at which links can be entered in the direction of this search.
std::span<const NavMesh::LinkEnd> CorridorSearch::link_ends_of(std::uint32_t cell) const {
  if (!is_backward_) return mesh_->link_ends_of(cell);
  return equal_run(exits_, cell, &NavMesh::LinkEnd::cell);
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

void CorridorSearch::expand_start() {
  if (!filter_->allows(mesh_->cell(start_.cell).flags)) queue_.is_done = true;
  if (!queue_.is_done) expand(start_.cell, start_.x, start_.z, 0, kStart);
}

Turn CorridorSearch::next() {
  NodeHeap& heap = queue_.heap;
  if (has_best_ && guide_.order == CorridorGuide::Order::kBfs) return Turn::kEnd;
  while (!heap.empty() && !(has_best_ && heap.top().f >= best_)) {
    const State& at = states_[heap.top().node];
    if (at.is_open && at.order == heap.top().order) return Turn::kNode;
    heap.pop();
  }
  return Turn::kEnd;
}

void CorridorSearch::expand_state() {
  const std::uint32_t state = queue_.heap.top().node;
  expanding_f_ = queue_.heap.top().f;
  queue_.heap.pop();
  last_expanded_ = state;
  State& at = states_[state];
  at.is_open = false;
  expand(cell_of_state(state), at.x, at.z, at.g, state);
}

void CorridorSearch::expand(std::uint32_t cell, double x, double z, double g,
                            std::uint32_t parent) {
  const double factor = filter_->factor(mesh_->cell(cell));
  if (!has_goal_) note_entry(cell, x, z, parent);
  if (std::ranges::find(goal_cells_, cell) != goal_cells_.end()) {
    const double whole = g + factor * length_of(goal_.x - x, goal_.z - z);
    if (!has_best_ || whole < best_) {
      has_best_ = true;
      best_ = whole;
      best_parent_ = parent;
    }
  }
  const std::uint32_t first = mesh_->cell(cell).first;
  for (const Edge& edge : mesh_->edges_of(cell)) {
    if (edge.twin == kNoEdge || first + edge.place == parent) continue;
    if (!filter_->allows(mesh_->cell(edge.neighbour).flags)) continue;
    const Point at = portal_point(edge, x, z);
    relax(edge.twin, at.x, at.z, g + factor * length_of(at.x - x, at.z - z), parent);
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
    const double over = filter_->factor(link) * ride.length();
    relax(mesh_->edges_end() + 2 * end.link + (end.is_from ? 0 : 1), ride.far.x, ride.far.z,
          g + factor * length_of(ride.near.x - x, ride.near.z - z) + over, parent);
  }
}

void CorridorSearch::relax(std::uint32_t state, double x, double z, double g,
                           std::uint32_t parent) {
  ++queue_.generated;
  State& at = states_[state];
  const bool is_bfs = guide_.order == CorridorGuide::Order::kBfs;
  if (states_.knows(state) && (is_bfs || at.g <= g)) return;
  const double f = priority(x, z, g);
  if ((has_best_ && !is_bfs && f >= best_) || (!has_goal_ && g > limit_)) return;
  queue_.push(f, state);
  at = {g, x, z, parent, states_.stamp(), queue_.order, true};
}

double CorridorSearch::priority(double x, double z, double g) const {
  if (!has_goal_) return g;
  if (guide_.order == CorridorGuide::Order::kBfs) return expanding_f_ + 1;
  return g + guide_.weight * guide_.rest(goal_.x - x, goal_.z - z);
}

// Where |from - p| + |p - goal| is least on the portal; the goal is mirrored if it lies on the same
// side.
Point CorridorSearch::portal_point(const Edge& a, double x, double z) const {
  const Edge& b = NavMesh::after(a);
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double length2 = ex * ex + ez * ez;
  const double from = ((x - a.x) * ex + (z - a.z) * ez) / length2;
  const auto pass_at = [&](double share) { return point_at(a, b, std::clamp(share, 0.0, 1.0)); };
  if (!has_goal_) return pass_at(from);
  const double here = std::abs(ex * (z - a.z) - ez * (x - a.x));
  const double there = std::abs(ex * (goal_.z - a.z) - ez * (goal_.x - a.x));
  const double to = ((goal_.x - a.x) * ex + (goal_.z - a.z) * ez) / length2;
  return pass_at(here + there > 0 ? from + (to - from) * (here / (here + there)) : from);
}

// Notes the first entry into each cell. It is the cheapest one, because states come in the order of
// their costs.
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

// Parts of no length are passed over. If a link ends at the entry, the last part is the link
// itself.
CorridorSearch::LastLeg CorridorSearch::last_leg(const CellEntry& entry) const {
  if (entry.state != kStart && !is_edge(entry.state)) {
    const LinkRide ride = ride_of(entry.state);
    return {to_point(ride.near), ride.link};
  }
  const std::vector<CorridorCorner>& corners = path_.corners();
  const Point end = corners.back().at;
  for (std::size_t i = corners.size() - 1; i > 0 && corners[i - 1].link == kNoLink; --i)
    if (corners[i - 1].at != end) return {corners[i - 1].at, kNoLink};
  return {end, kNoLink};
}

LinkRide CorridorSearch::ride_of(std::uint32_t state) const {
  const std::uint32_t of_links = state - mesh_->edges_end();
  return {*mesh_, of_links / 2, of_links % 2 == 0};
}

std::uint32_t CorridorSearch::cell_of_state(std::uint32_t state) const {
  return is_edge(state) ? mesh_->cell_of(state) : ride_of(state).far_cell;
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

bool CorridorSearch::append_seen(std::size_t most, std::vector<Seen>* out) const {
  std::vector<std::uint32_t> reached;
  for (std::uint32_t s = 0; s < states_.size(); ++s)
    if (states_.knows(s)) reached.push_back(s);
  std::ranges::sort(reached, {}, [this](std::uint32_t s) { return states_[s].order; });
  for (std::size_t i = 0; i < std::min(most, reached.size()); ++i) {
    const State& state = states_[reached[i]];
    const bool is_first = state.parent == kStart;
    out->push_back({.state = reached[i],
                    .parent = state.parent,
                    .cell = cell_of_state(reached[i]),
                    .at = {state.x, state.z},
                    .from_cell = is_first ? start_.cell : cell_of_state(state.parent),
                    .from = is_first ? Point{start_.x, start_.z}
                                     : Point{states_[state.parent].x, states_[state.parent].z},
                    .edge = is_edge(reached[i]) ? reached[i] : kNoEdge,
                    .link = is_edge(reached[i]) ? kNoLink : ride_of(reached[i]).link,
                    .g = state.g,
                    .h = guide_.rest(goal_.x - state.x, goal_.z - state.z),
                    .is_open = state.is_open});
  }
  return reached.size() <= most;
}

std::size_t CorridorSearch::bytes() const {
  return states_.bytes() + queue_.heap.bytes() + path_.bytes() +
         entered_.capacity() * sizeof(CellEntry) + is_entered_.capacity() / 8 +
         (chain_.capacity() + goal_cells_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace repath
