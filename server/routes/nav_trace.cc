// The nodes of searches over a mesh as places with heights.

#include <algorithm>
#include <span>

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

// Appends at most `room` places: the nodes that the search logged, then the waiting nodes. Returns
// false if there are more.
bool append_any_angle(const CarvedGround& ground, const RoutePlace& start,
                      const AnyAngleSearch& search, const std::vector<SeenCone>& expanded,
                      std::size_t room, RouteTrace* trace) {
  const std::size_t told = std::min(room, expanded.size());
  for (const SeenCone& seen : std::span(expanded).first(told))
    trace->touched.push_back(touched_by(ground, start, seen, false));
  std::vector<SeenCone> waiting;
  const bool is_whole = search.append_waiting(room - told, &waiting);
  for (const SeenCone& seen : waiting)
    trace->touched.push_back(touched_by(ground, start, seen, true));
  return is_whole && told == search.expanded();
}

// Does the same for the nodes that corridors reached.
bool append_corridor(const CarvedGround& ground, const CorridorSearch& search, std::size_t room,
                     RouteTrace* trace) {
  std::vector<CorridorSearch::Seen> reached;
  const bool is_whole = search.append_seen(room, &reached);
  for (const CorridorSearch::Seen& seen : reached)
    trace->touched.push_back(touched_by(ground, seen));
  return is_whole;
}

}  // namespace

RouteTrace NavSearch::touched() const {
  RouteTrace trace = trace_;
  if (touched_max_ != 0 && stage_ != Stage::kNone) trace_run(goals_[next_], &trace);
  return trace;
}

void NavSearch::trace_run(const Goal& goal, RouteTrace* trace) const {
  const bool is_any_angle = stage_ == Stage::kAnyAngle;
  trace->runs.push_back({is_any_angle ? RouteKernel::kAnyAngle : RouteKernel::kCorridor,
                         goal.place.at, trace->touched.size(), expanded_now()});
  const std::size_t room = touched_max_ - trace->touched.size();
  const bool is_whole =
      is_any_angle
          ? append_any_angle(ground_->carved(), from_, kernel_->any_angle, seen_, room, trace)
          : append_corridor(ground_->carved(), kernel_->corridor, room, trace);
  trace->is_truncated = trace->is_truncated || !is_whole;
}

}  // namespace repath
