#include "navmesh/search/base_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repath {
namespace {

constexpr double kBeyondLeast = 0.5 * kLatticePerUnit;
constexpr std::uint64_t kBackPerNode = 2;   // nodes back for each node ahead, at most
constexpr std::uint64_t kBackTurn = 64;     // and so many at once, for the caches
constexpr std::uint32_t kBendsPerUnit = 8;  // listing so many takes as long as an expansion

}  // namespace

void BaseBounds::begin(const LandmarkView& landmarks, const LengthsUse& lengths) {
  landmarks_ = landmarks;
  goal_bound_ = {};
  known_ = lengths.known;
  certain_ = lengths.certain;
  looks_back_ = uses_way_back_ = false;
  expanded_back_ = back_until_ = 0;
  if (known_ == nullptr) return;
  known_of_.begin(core_->mesh->vertices_end());
  for (const KnownLengths::Of& one : known_->of)
    known_of_[one.vertex] = {one.steps, known_of_.stamp()};
}

void BaseBounds::count(std::uint32_t* expansions) {
  const std::uint64_t expanded = core_->queue.expanded;
  if (expanded == landmarks_.nodes_before + std::uint64_t{1} && !landmarks_.is_empty()) {
    goal_bound_ = GoalBound(landmarks_, core_->start, path_->goal());
    *expansions -= std::min(*expansions, kLandmarkUnits);
  }
  if (expanded == landmarks_.nodes_before_way_back + std::uint64_t{1} && known_ == nullptr)
    begin_way_back();
}

void BaseBounds::begin_way_back() {
  if (landmarks_.uncut == nullptr) return;
  const MeshPlace& start = core_->start;
  const MeshPlace& goal = path_->goal();
  const auto on_uncut = [this](const MeshPlace& place) {
    return pull_into(*landmarks_.uncut, landmarks_.uncut_cell(place.cell), place.x, place.z);
  };
  const double straight = length_of(goal.x - start.x, goal.z - start.z);
  way_back_.begin(*landmarks_.uncut, on_uncut(goal), on_uncut(start),
                  std::max(kBeyondLeast, landmarks_.beyond * straight));
  looks_back_ = true;
}

// Both searches run in turns, so that neither waits for one that takes much longer. Returns false
// if the slice was too short.
bool BaseBounds::look_back(std::uint32_t* expansions) {
  const std::uint64_t expanded = core_->queue.expanded;
  if (kBackPerNode * expanded >= back_until_ + kBackTurn) back_until_ = kBackPerNode * expanded;
  if (expanded_back_ == back_until_) return true;
  const auto turn = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(*expansions, back_until_ - expanded_back_));
  std::uint32_t left = turn;
  const Progress progress = way_back_.advance(&left);
  expanded_back_ = way_back_.expanded();
  *expansions -= turn - left;
  if (progress == Progress::kOutOfBudget) return expanded_back_ == back_until_;
  looks_back_ = false;
  if (progress == Progress::kNoPath) return true;  // nothing is known
  uses_way_back_ = true;
  *expansions -= std::min<std::uint32_t>(*expansions, way_back_.bends() / kBendsPerUnit);
  certain_ = way_back_.certain();
  bound_again();
  return true;
}

// All ways of certain length are too long by now, and known lengths tell nothing about longer ways.
// So the waiting cones get bounds without them.
void BaseBounds::forget_known() {
  if (!uses_way_back_) begin_way_back();
  known_ = nullptr;
  uses_way_back_ = false;
  bound_again();
}

void BaseBounds::bound_again() {
  core_->bound_again([this](const Cone& cone, const Edge& left, const Edge& right) {
    return lower(cone, left, right);
  });
}

double BaseBounds::lower(const Cone& cone, const Edge& left, const Edge& right) {
  const MeshPlace& goal = path_->goal();
  const double straight = length_through(cone, left, right, goal.x, goal.z);
  if (goal_bound_.is_empty() && !knows_lengths()) return straight;
  if (path_->is_enough(straight)) return straight;
  return std::max(straight,
                  uses_way_back_ ? by_way_back(cone, left, right) : by_ends(cone, left, right));
}

// Returns the bound over the last bends of ways from the goal into the cell behind the edge, as if
// nothing lay between a bend and the edge.
double BaseBounds::by_way_back(const Cone& cone, const Edge& left, const Edge& right) {
  const std::uint32_t cell = core_->mesh->cell_of(cone.edge);
  std::uint32_t next = way_back_.first_bend(landmarks_.uncut_cell(cell));
  double least = certain_;
  while (next != WayBack::kNone) {
    const WayBack::Bend& bend = way_back_.bend(next);
    least = std::min(least, length_through(cone, left, right, bend.x, bend.z) + bend.g);
    next = bend.next;
  }
  return least - LandmarkView::kSlack;
}

// Returns the bound from lower bounds at both ends of the edge. From a point of the edge at least
// the bound of an end is left, less the part of the edge between the point and that end. The length
// from the root plus this only grows towards that end. So the sum is least where both ends give the
// same bound, or at the point nearest to there that the cone sees.
double BaseBounds::by_ends(const Cone& cone, const Edge& a, const Edge& b) {
  const ConeRoot& root = cone.root;
  const std::uint32_t cell = core_->mesh->cell_of(cone.edge);
  if (cone.root_is_left) return root.g + rest_over(a, cell, root.g);
  if (cone.root_is_right) return root.g + rest_over(b, cell, root.g);
  const double ex = b.x - a.x;
  const double ez = b.z - a.z;
  const double edge = length_of(ex, ez);
  const EdgePart part = part_of(cone, a, b);
  const auto way_to = [&](double share) {
    return root.g + length_of(a.x + share * ex - root.x, a.z + share * ez - root.z);
  };
  double rest_a = 0;
  double rest_b = 0;  // ways to the ends, and their roots, matter for known lengths alone
  if (known_ == nullptr) {
    rest_a = landmark_rest(a, cell);
    rest_b = landmark_rest(b, cell);
  } else {
    rest_a = rest_over(a, cell, way_to(part.left) + part.left * edge);
    rest_b = rest_over(b, cell, way_to(part.right) + (1 - part.right) * edge);
  }
  const double even = ((rest_a - rest_b) / edge + 1) / 2;
  const double share = std::clamp(even, part.left, std::max(part.left, part.right));
  return way_to(share) + std::max(rest_a - share * edge, rest_b - (1 - share) * edge);
}

// Returns the landmarks' lower bound of the rest of a way over the vertex. `cell` is one of its
// cells.
double BaseBounds::landmark_rest(const Edge& end, std::uint32_t cell) {
  if (goal_bound_.is_empty()) return 0;
  double& rest = core_->roots.rest(end.vertex);
  if (rest < 0) rest = goal_bound_.at(cell, end.x, end.z);
  return rest;
}

// Returns the same, by known lengths as well. A way of length `way` leads to the vertex.
double BaseBounds::rest_over(const Edge& end, std::uint32_t cell, double way) {
  if (known_ == nullptr || core_->mesh->vertex(end.vertex).born > known_->edits)
    return landmark_rest(end, cell);
  way = std::min(way, core_->roots.length(end.vertex));
  const double known = known_length(end.vertex) - LandmarkView::kSlack;
  const double certain = certain_ - way - LandmarkView::kSlack;
  if (known <= certain) return std::max(0.0, known);
  return std::max(certain, landmark_rest(end, cell));
}

// Returns the known length from the vertex to the goal; infinity if the vertex was on no way of
// certain length then.
double BaseBounds::known_length(std::uint32_t vertex) const {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const std::vector<float>& by_vertex = known_->by_vertex;
  if (!by_vertex.empty()) return vertex < by_vertex.size() ? by_vertex[vertex] : kFar;
  return known_of_.knows(vertex) ? known_of_[vertex].steps : kFar;
}

}  // namespace repath
