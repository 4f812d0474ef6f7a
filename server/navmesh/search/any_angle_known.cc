// What AnyAngleSearch leaves to later searches, and what it has of earlier ones: KnownLengths.
//
// A search that leaves lengths notes every vertex that a root sees, goes on until no way is left
// that is longer than the shortest by less than was asked for, through the goal's cell and into
// dead ends, too: they may be ways round what comes later. So it has noted each vertex v with
// d(v) + d(v, goal) <= certain, with its true length d(v).
//
// For one the other way, from s on ground that lies within the old one, a vertex with the noted
// length k and a way of length w from s to it: either w + k <= certain, then k is the true one of
// then, and no way on the ground that is left is shorter; or d(v) > certain - w, for else the
// vertex would have been noted with a length of at most that. So min(k, certain - w) is never too
// much, and with k infinite for a vertex that was there and was not noted.
#include <algorithm>
#include <cmath>
#include <limits>

#include "navmesh/search/any_angle.h"

namespace repath {
namespace {

// What rounding to float may add to a length.
constexpr double kFloatRounding = 0x1p-23;
constexpr double kNoWay = std::numeric_limits<double>::infinity();

}  // namespace

bool AnyAngleSearch::append_lengths(KnownLengths* out) const {
  if (noted_.size() <= 1) return false;  // nothing but the start
  out->certain = best_ + lengths_.beyond;
  out->edits = mesh_->edits();
  for (const std::uint32_t v : noted_) {
    if (v == mesh_->vertices_end()) continue;  // the start
    const LatticePoint at = mesh_->vertex(v).at;
    const double straight =
        std::sqrt((at.x - goal_.x) * (at.x - goal_.x) + (at.z - goal_.z) * (at.z - goal_.z));
    if (roots_[v].g + straight > out->certain) continue;  // on no way that is certain
    out->of.push_back({v, static_cast<float>(roots_[v].g * (1 - kFloatRounding))});
  }
  out->of.shrink_to_fit();  // they are kept for long
  return true;
}

void AnyAngleSearch::append_all_lengths(KnownLengths* out) const {
  out->certain = kNoWay;
  out->edits = mesh_->edits();
  out->by_vertex.reserve(mesh_->vertices_end());
  for (std::uint32_t v = 0; v < mesh_->vertices_end(); ++v)
    out->by_vertex.push_back(static_cast<float>(distance(v) * (1 - kFloatRounding)));
}

// Infinite: it was not on any way then that is certain.
double AnyAngleSearch::known_length(std::uint32_t vertex) const {
  const std::vector<float>& by_vertex = lengths_.known->by_vertex;
  if (!by_vertex.empty()) return vertex < by_vertex.size() ? by_vertex[vertex] : kNoWay;
  const Known& known = known_of_[vertex];
  return known.stamp == stamp_ ? known.steps : kNoWay;
}

void AnyAngleSearch::look_up_known() {
  if (known_of_.size() < mesh_->vertices_end()) known_of_.resize(mesh_->vertices_end());
  for (const KnownLengths::Of& one : lengths_.known->of)
    known_of_[one.vertex] = {one.steps, stamp_};
}

// All ways that were known are too long by now. Beyond them nothing is certain: bounds of what
// waits are what others say.
void AnyAngleSearch::forget_known() {
  if (!uses_way_back_) begin_way_back();
  lengths_.known = nullptr;
  uses_way_back_ = false;
  bound_waiting_anew();
}

// By what is known now; never lower than before.
void AnyAngleSearch::bound_waiting_anew() {
  const std::vector<ConeHeap::Entry> waiting = open_.entries();
  open_.clear();
  for (ConeHeap::Entry entry : waiting) {
    const Cone& cone = cones_[entry.node];
    const Edge& left = mesh_->edge(cone.edge);
    const Edge& right = mesh_->edge(mesh_->next(cone.edge));
    entry.f = std::max(entry.f, lower_bound(cone, left, right));
    open_.push(entry);
  }
}

// At least so much is left of a way over the vertex, which a way of length `way` leads to. `cell`
// is one of its cells.
double AnyAngleSearch::rest_over(const Edge& end, std::uint32_t cell, double way) {
  if (lengths_.known == nullptr || mesh_->vertex(end.vertex).born > lengths_.known->edits)
    return landmark_rest(end, cell);
  const Root& root = roots_[end.vertex];
  if (root.stamp == stamp_) way = std::min(way, root.g);
  const double known = known_length(end.vertex) - LandmarkView::kSlack;
  const double certain = lengths_.certain - way - LandmarkView::kSlack;
  if (known <= certain) return std::max(0.0, known);
  return std::max(certain, landmark_rest(end, cell));
}

}  // namespace repath
