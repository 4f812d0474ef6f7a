// The nodes of searches over a mesh as places with heights.

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "routes/nav_search.h"

namespace repath {
namespace {

Spot spot_in(const CarvedGround& ground, std::uint32_t cell, Point at) {
  return {from_steps(at.x), ground.height_at(cell, at.x, at.z), from_steps(at.z)};
}

Spot spot_of_vertex(const CarvedGround& ground, std::uint32_t vertex) {
  const NavMesh::Vertex& v = ground.mesh().vertex(vertex);
  const Point at = to_point(v.at);
  return {at.x, v.y, at.z};
}

TouchedPlace touched_by(const CarvedGround& ground, const RoutePlace& start, const SeenCone& seen,
                        bool is_open) {
  const bool is_from_start = seen.root == ground.mesh().vertices_end();
  return {.at = spot_in(ground, seen.cell, seen.at),
          .g = from_steps(seen.g),
          .h = from_steps(seen.f - seen.g),
          .is_open = is_open,
          .from = is_from_start ? start.at : spot_of_vertex(ground, seen.root),
          .left = spot_in(ground, seen.cell, seen.left),
          .right = spot_in(ground, seen.cell, seen.right)};
}

TouchedPlace touched_by(const CarvedGround& ground, const CorridorSearch::Seen& seen) {
  TouchedPlace place{.at = spot_in(ground, seen.cell, seen.at),
                     .g = from_steps(seen.g),
                     .h = from_steps(seen.h),
                     .is_open = seen.is_open,
                     .from = spot_in(ground, seen.from_cell, seen.from),
                     .left = {},
                     .right = {}};
  if (seen.edge != kNoEdge) {
    place.left = spot_of_vertex(ground, ground.mesh().edge(seen.edge).vertex);
    place.right = spot_of_vertex(ground, ground.mesh().edge(ground.mesh().next(seen.edge)).vertex);
    return place;
  }
  const NavLink& link = ground.mesh().links()[seen.link];
  const Point from = to_point(link.from);
  const Point to = to_point(link.to);
  place.left = {from.x, link.from_y, from.z};
  place.right = {to.x, link.to_y, to.z};
  return place;
}

// Finds from which expanded cones others were made.
class ConeParents {
 public:
  explicit ConeParents(const NavMesh& mesh) : mesh_(mesh) {}

  // Takes in an expanded cone.
  void add(const SeenCone& cone) {
    by_cell_.emplace(cone.cell, static_cast<std::uint32_t>(cones_.size()));
    cones_.push_back(cone);
  }
  // Returns 1 + the number of the cone that `made` was made from: the latest one that looks into
  // the cell on this side of its edge from the same root, or whose edge ends at its root. 0: it
  // begins in the start's cell.
  std::uint32_t of(const SeenCone& made) const {
    std::uint32_t parent = 0;
    const auto [first, last] = by_cell_.equal_range(mesh_.edge(made.edge).neighbour);
    for (auto found = first; found != last; ++found) {
      const SeenCone& before = cones_[found->second];
      if (before.root == made.root || ends_at(before.edge, made.root))
        parent = std::max(parent, found->second + 1);
    }
    return parent;
  }

 private:
  bool ends_at(std::uint32_t edge, std::uint32_t vertex) const {
    return mesh_.edge(edge).vertex == vertex || mesh_.edge(mesh_.next(edge)).vertex == vertex;
  }

  const NavMesh& mesh_;
  std::vector<SeenCone> cones_;
  std::unordered_multimap<std::uint32_t, std::uint32_t> by_cell_;  // only asked for the greatest
};

// Appends at most `room` places: the nodes that the search logged, then the waiting nodes. Returns
// false if there are more.
bool append_any_angle(const CarvedGround& ground, const RoutePlace& start,
                      const AnyAngleSearch& search, const std::vector<SeenCone>& expanded,
                      std::size_t room, RouteTrace* trace) {
  const auto base = static_cast<std::uint32_t>(trace->touched.size());
  ConeParents parents(ground.mesh());
  const auto append = [&](const SeenCone& seen, bool is_open) {
    trace->touched.push_back(touched_by(ground, start, seen, is_open));
    const std::uint32_t parent = parents.of(seen);
    trace->touched.back().parent = parent == 0 ? 0 : base + parent;
  };
  const std::size_t told = std::min(room, expanded.size());
  for (const SeenCone& seen : std::span(expanded).first(told)) {
    trace->expansions.push_back(static_cast<std::uint32_t>(trace->touched.size()));
    append(seen, false);
    parents.add(seen);
  }
  std::vector<SeenCone> waiting;
  const bool is_whole = search.append_waiting(room - told, &waiting);
  for (const SeenCone& seen : waiting) append(seen, true);
  return is_whole && told == search.cones_expanded();
}

// Does the same for the nodes that corridors reached. `expansions`: states as they were expanded.
bool append_corridor(const CarvedGround& ground, const CorridorSearch& search,
                     const std::vector<NodeId>& expansions, std::size_t room, RouteTrace* trace) {
  std::vector<CorridorSearch::Seen> reached;
  const bool is_whole = search.append_seen(room, &reached);
  std::map<std::uint32_t, std::uint32_t> places;  // of states
  for (const CorridorSearch::Seen& seen : reached) {
    places[seen.state] = static_cast<std::uint32_t>(trace->touched.size());
    trace->touched.push_back(touched_by(ground, seen));
  }
  for (const CorridorSearch::Seen& seen : reached)
    if (const auto parent = places.find(seen.parent); parent != places.end())
      trace->touched[places[seen.state]].parent = parent->second + 1;
  for (const NodeId state : expansions)
    if (const auto place = places.find(index(state)); place != places.end())
      trace->expansions.push_back(place->second);
  return is_whole && expansions.size() < kStepsToldMax;
}

}  // namespace

RouteTrace NavSearch::touched() const {
  RouteTrace trace = trace_;
  if (touched_max_ != 0 && stage_ != Stage::kNone) trace_run(goals_[next_], &trace);
  return trace;
}

namespace {

RouteKernel kernel_of(const CorridorGuide& guide) {
  if (guide.order == CorridorGuide::Order::kDijkstra) return RouteKernel::kCorridorDijkstra;
  if (guide.order == CorridorGuide::Order::kBfs) return RouteKernel::kCorridorBfs;
  return RouteKernel::kCorridor;
}

}  // namespace

void NavSearch::trace_run(const Goal& goal, RouteTrace* trace) const {
  const bool is_any_angle = stage_ == Stage::kAnyAngle;
  trace->runs.push_back({is_any_angle ? RouteKernel::kAnyAngle : kernel_of(guide_), goal.place.at,
                         trace->touched.size(),
                         is_any_angle ? kernel_->any_angle.cones_expanded() : expanded_now()});
  const std::size_t room = touched_max_ - trace->touched.size();
  const bool is_whole = is_any_angle ? append_any_angle(ground_->carved(), from_,
                                                        kernel_->any_angle, seen_, room, trace)
                                     : append_corridor(ground_->carved(), kernel_->corridor,
                                                       corridor_steps_->nodes(), room, trace);
  trace->is_truncated = trace->is_truncated || !is_whole;
}

}  // namespace repath
