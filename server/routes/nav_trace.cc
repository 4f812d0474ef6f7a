#include "routes/nav_trace.h"

#include <algorithm>
#include <span>

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

}  // namespace

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

bool append_corridor(const CarvedGround& ground, const CorridorSearch& search, std::size_t room,
                     RouteTrace* trace) {
  std::vector<CorridorSearch::Seen> reached;
  const bool is_whole = search.append_seen(room, &reached);
  for (const CorridorSearch::Seen& seen : reached)
    trace->touched.push_back(touched_by(ground, seen));
  return is_whole;
}

}  // namespace repath
