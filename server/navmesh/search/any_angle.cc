#include "navmesh/search/any_angle.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/check.h"
#include "base/prefetch.h"
#include "navmesh/search/way_back.h"

namespace repath {
namespace {

double length_between(double ax, double az, double bx, double bz) {
  return std::sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az));
}

// Cells lie anywhere in memory. Asks for most of the one that an edge belongs to.
void fetch_cell_around(const NavMesh::Edge* edge) {
  for (std::ptrdiff_t line = -1; line <= 2; ++line) prefetch(edge, line);
}

}  // namespace

AnyAngleSearch::AnyAngleSearch() = default;
AnyAngleSearch::~AnyAngleSearch() = default;
AnyAngleSearch::AnyAngleSearch(AnyAngleSearch&&) noexcept = default;
AnyAngleSearch& AnyAngleSearch::operator=(AnyAngleSearch&&) noexcept = default;

void AnyAngleSearch::begin(const NavMesh& mesh, const MeshPlace& start, const MeshPlace& goal,
                           const LandmarkView& landmarks, const LengthsUse& lengths) {
  REPATH_CHECK(mesh.is_live(goal.cell) && holds(mesh, goal.cell, goal.x, goal.z));
  has_goal_ = true;
  has_limit_ = false;
  goal_ = goal;
  landmarks_ = landmarks;
  cells_around(mesh, goal, &goal_cells_);
  begin_at(mesh, start, lengths);
}

void AnyAngleSearch::begin_everywhere(const NavMesh& mesh, const MeshPlace& start) {
  has_goal_ = has_limit_ = false;
  landmarks_ = {};
  goal_cells_.clear();
  begin_at(mesh, start);
}

void AnyAngleSearch::begin_at(const NavMesh& mesh, const MeshPlace& start,
                              const LengthsUse& lengths) {
  REPATH_CHECK(mesh.is_live(start.cell) && holds(mesh, start.cell, start.x, start.z));
  mesh_ = &mesh;
  if (roots_.size() < mesh.vertices_end() + std::size_t{1})
    roots_.resize(mesh.vertices_end() + std::size_t{1});
  if (on_way_.size() < mesh.cells_end()) on_way_.resize(mesh.cells_end());
  if (++stamp_ == 0) {  // once in 2^32 queries
    for (Root& root : roots_) root.stamp = 0;
    std::fill(on_way_.begin(), on_way_.end(), 0u);
    stamp_ = 1;
  }
  cones_.clear();
  free_.clear();
  made_.clear();
  open_.clear();
  has_current_ = is_done_ = has_best_ = false;
  current_f_ = 0;
  order_ = 0;
  expanded_ = expanded_back_ = back_until_ = generated_ = 0;
  log_ = nullptr;
  seen_roots_ = nullptr;
  looks_back_ = uses_way_back_ = false;
  start_ = start;
  bound_ = {};
  compares_ends_ = !has_goal_ || nodes_uncompared_ == 0;
  lengths_ = lengths;
  noted_.clear();
  if (lengths_.known != nullptr) look_up_known();
  open_start(start);
}

void AnyAngleSearch::open_start(const MeshPlace& start) {
  const std::uint32_t root = mesh_->vertices_end();
  set_length(root, 0, root);
  cells_around(*mesh_, start, &start_cells_);
  for (const std::uint32_t cell : start_cells_) {
    if (!is_in_goal_cell(cell)) continue;
    offer({start_.x, start_.z, 0, root});
    return;
  }
  for (const std::uint32_t cell : goal_cells_) mark_way_to(cell);
  for (const std::uint32_t cell : start_cells_) see_from_start(cell);
  settle_made();
}

// Up the trees of cells to the rest of the mesh, or to where the trees meet.
void AnyAngleSearch::mark_way_to(std::uint32_t cell) {
  while (on_way_[cell] != stamp_) {
    on_way_[cell] = stamp_;
    for (const Edge& e : mesh_->edges_of(cell)) {
      if (e.twin == kNoEdge || !mesh_->edge(e.twin).leads_into_dead_end) continue;
      cell = e.neighbour;
      break;
    }
  }
}

// Edges that hold the start lead to other start cells and make no node.
void AnyAngleSearch::see_from_start(std::uint32_t cell) {
  const Origin from{start_.x, start_.z, 0, mesh_->vertices_end()};
  const std::span<const Edge> edges = mesh_->edges_of(cell);
  const std::size_t n = edges.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Edge& u = edges[k];
    const Edge& w = edges[k + 1 == n ? 0 : k + 1];
    const double ux = u.x - from.x;
    const double uz = u.z - from.z;
    const double wx = w.x - from.x;
    const double wz = w.z - from.z;
    if (side_of(ux, uz, wx, wz) > 0) {
      see(from, u, w, {wx, wz, true}, {ux, uz, true}, false, false);
    } else if (ux * wx + uz * wz > 0) {  // both on one side of the start, in a line with it
      const bool u_is_nearer = std::abs(ux) + std::abs(uz) < std::abs(wx) + std::abs(wz);
      const Edge& near = u_is_nearer ? u : w;
      note(u, from);
      note(w, from);
      Origin root{};
      if (near.is_corner && reach(near, from, &root))
        see(root, u, w, {wx, wz, true}, {ux, uz, true}, !u_is_nearer, u_is_nearer);
    }
  }
}

Progress AnyAngleSearch::advance(std::uint32_t* expansions) {
  while (!is_done_) {
    if (looks_back_ && !look_back(expansions)) return Progress::kOutOfBudget;
    if (!has_current_ && !expand_next()) {
      is_done_ = true;
      break;
    }
    if (*expansions == 0) return Progress::kOutOfBudget;
    --*expansions;
    if (expanded_++ == landmarks_.nodes_before && !landmarks_.is_empty()) {
      bound_ = GoalBound(landmarks_, start_, goal_);
      *expansions -= std::min(*expansions, kBoundUnits);
    }
    if (expanded_ == nodes_uncompared_) compares_ends_ = true;
    if (expanded_ == landmarks_.nodes_before_way_back + 1 && lengths_.known == nullptr)
      begin_way_back();
    if (log_ != nullptr && log_->size() < log_max_) log_->push_back(seen_by(current_, current_f_));
    if (seen_roots_ != nullptr)
      seen_roots_->push_back({mesh_->cell_of(current_.edge), current_.root});
    if (passes_whole()) continue;
    has_current_ = false;
    expand(current_);
    settle_made();
  }
  return has_best_ ? Progress::kPathFound : Progress::kNoPath;
}

// Of a cone between two rays that bend nowhere, as most are: if one edge takes in all of it, it
// goes on through that one, or ends there. What expand() and settle_made() would do, sooner.
bool AnyAngleSearch::passes_whole() {
  Cone& cone = current_;
  if (cone.left_at_vertex || cone.right_at_vertex || cone.root_is_left || cone.root_is_right)
    return false;
  if (has_limit_) return false;
  const Edge* const entered = mesh_->edges() + cone.edge;
  const Edge* const first = entered - entered->place;
  const Edge* const end = first + entered->count;
  const auto after = [first, end](const Edge* e) { return e + 1 == end ? first : e + 1; };
  const Edge* right = after(entered);
  const Edge* left = after(right);
  double x = left->x - cone.root_x;
  double z = left->z - cone.root_z;
  for (;;) {
    const double side = side_of(cone.right_x, cone.right_z, x, z);
    if (side > 0) break;
    if (side == 0) return false;
    right = left;
    left = after(left);
    x = left->x - cone.root_x;
    z = left->z - cone.root_z;
  }
  if (side_of(cone.left_x, cone.left_z, x, z) <= 0) return false;
  if (is_in_goal_cell(right->neighbour)) return false;
  has_current_ = right->twin != kNoEdge && !ends_blindly(*right);
  if (!has_current_) return true;
  ++generated_;
  cone.edge = right->twin;
  fetch_cell_around(mesh_->edges() + right->twin);
  has_current_ = !is_beaten(cone, *left, *right);
  return true;
}

// Makes the best waiting node the current one; false if none can lead to a shorter path.
bool AnyAngleSearch::expand_next() {
  while (!open_.empty()) {
    if (knows_lengths() && open_.top().f + 2 * LandmarkView::kSlack >= lengths_.certain)
      forget_known();
    const ConeHeap::Entry top = open_.top();
    if ((has_best_ && top.f >= best_ + lengths_.beyond) || (has_limit_ && top.f > best_))
      return false;
    open_.pop();
    if (!open_.empty()) {
      prefetch(&cones_[open_.top().node]);
      prefetch(&cones_[open_.top().node], 1);
    }
    free_.push_back(top.node);
    const Cone& cone = cones_[top.node];
    if (cone.g > roots_[cone.root].g) continue;
    if (is_beaten(cone, mesh_->edge(cone.edge), mesh_->edge(mesh_->next(cone.edge)))) continue;
    current_ = cone;
    current_f_ = top.f;
    return has_current_ = true;
  }
  return false;
}

// A single successor is expanded next whatever its f; of several, each waits.
void AnyAngleSearch::settle_made() {
  generated_ += made_.size();
  std::erase_if(made_,
                [this](const Made& one) { return is_beaten(one.cone, *one.left, *one.right); });
  if (made_.size() == 1 && !has_limit_) {
    current_ = made_.front().cone;
    has_current_ = true;
    made_.clear();
    return;
  }
  for (const auto& [cone, left, right] : made_) {
    const double f = std::max(current_f_, lower_bound(cone, *left, *right));
    if ((has_best_ && f >= best_ + lengths_.beyond) || (has_limit_ && f > best_)) continue;
    std::uint32_t node = 0;
    if (free_.empty()) {
      node = static_cast<std::uint32_t>(cones_.size());
      cones_.push_back(cone);
    } else {
      node = free_.back();
      free_.pop_back();
      cones_[node] = cone;
    }
    open_.push({f, ++order_, node});
  }
  made_.clear();
}

// Makes the corner a root, unless a shorter way to it is known.
bool AnyAngleSearch::reach(const Edge& corner, const Origin& from, Origin* root) {
  const double g = from.g + length_between(from.x, from.z, corner.x, corner.z);
  const Root& known = roots_[corner.vertex];
  if (known.stamp == stamp_ && known.g <= g) {
    if (known.g < g) return false;
  } else {
    set_length(corner.vertex, g, from.root);
  }
  *root = {corner.x, corner.z, g, corner.vertex};
  return true;
}

// `right` is the slot of the edge that is seen, from its right end to `left`.
void AnyAngleSearch::see(const Origin& from, const Edge& right, const Edge& left, Ray left_ray,
                         Ray right_ray, bool root_is_left, bool root_is_right) {
  if (left_ray.at_vertex && !root_is_left) note(left, from);
  if (right_ray.at_vertex && !root_is_right) note(right, from);
  if (right.twin == kNoEdge) return;
  fetch_cell_around(mesh_->edges() + right.twin);
  if (ends_blindly(right)) return;
  const Cone cone{
      from.x,       from.z,    left_ray.x, left_ray.z,         right_ray.x,         right_ray.z,
      from.g,       from.root, right.twin, left_ray.at_vertex, right_ray.at_vertex, root_is_left,
      root_is_right};
  if (has_limit_ && far_ == nullptr) note_entry(cone, right, left);
  if (has_limit_ && far_ != nullptr) note_far(cone, right, left);
  const bool sees_goal = is_in_goal_cell(right.neighbour);
  if (sees_goal) see_goal(cone, right, left);
  if (!sees_goal || leaves_lengths()) made_.push_back({cone, &left, &right});
}

bool AnyAngleSearch::is_in_goal_cell(std::uint32_t cell) const {
  for (const std::uint32_t goal : goal_cells_)
    if (goal == cell) return true;
  return false;
}

void AnyAngleSearch::see_goal(const Cone& cone, const Edge& right, const Edge& left) {
  const Origin from{cone.root_x, cone.root_z, cone.g, cone.root};
  const double tx = goal_.x - from.x;
  const double tz = goal_.z - from.z;
  Origin root{};
  if (cone.root_is_left || cone.root_is_right) {
    offer(from);
  } else if (side_of(cone.left_x, cone.left_z, tx, tz) > 0) {
    if (cone.left_at_vertex && left.is_corner && reach(left, from, &root)) offer(root);
  } else if (side_of(cone.right_x, cone.right_z, tx, tz) < 0) {
    if (cone.right_at_vertex && right.is_corner && reach(right, from, &root)) offer(root);
  } else {
    offer(from);
  }
}

// A whole path: the goal is seen from this root.
void AnyAngleSearch::offer(const Origin& from) {
  const double length = from.g + length_between(from.x, from.z, goal_.x, goal_.z);
  if (has_best_ && length >= best_) return;
  has_best_ = true;
  best_ = length;
  best_root_ = from.root;
}

double AnyAngleSearch::path_length() const {
  REPATH_CHECK(is_done_ && has_best_);
  return from_steps(best_);
}

void AnyAngleSearch::append_path(std::vector<PathCorner>* out) const {
  REPATH_CHECK(is_done_ && has_best_);
  const auto first = static_cast<std::ptrdiff_t>(out->size());
  const std::uint32_t start = mesh_->vertices_end();
  out->push_back({{from_steps(goal_.x), from_steps(goal_.z)}});
  for (std::uint32_t v = best_root_; v != start; v = roots_[v].parent)
    out->push_back({to_point(mesh_->vertex(v).at), v});
  out->push_back({{from_steps(start_.x), from_steps(start_.z)}});
  std::reverse(out->begin() + first, out->end());
}

std::size_t AnyAngleSearch::bytes() const {
  return (way_back_ == nullptr ? 0 : way_back_->bytes()) + roots_.capacity() * sizeof(Root) +
         known_of_.capacity() * sizeof(Known) + entries_.capacity() * sizeof(CellEntry) +
         cones_.capacity() * sizeof(Cone) + made_.capacity() * sizeof(Made) + open_.bytes() +
         (free_.capacity() + on_way_.capacity() + noted_.capacity() + entered_.capacity() +
          goal_cells_.capacity() + start_cells_.capacity()) *
             sizeof(std::uint32_t);
}

}  // namespace repath
