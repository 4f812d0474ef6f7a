#include "route_ground/route_kind.h"

#include "route_ground/on_route.h"
#include "route_ground/recall.h"
#include "route_ground/rerouter.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {

// Remembers the route, for it may be optimal again (recall.h).
void RouteKind::let_go_path(State& s, Slot slot) { remember_route(&s.agents[slot]); }

void RouteKind::take_up_path(State& s, Slot slot, std::size_t) {
  RouteAgent& agent = s.agents[slot];
  agent.walked = 0;
  RouteBox& rest = s.agents.row(slot).rest;
  rest = {};
  agent.path.boxes = boxes_of_legs(agent.path.points);
  for (const RouteBox& box : agent.path.boxes) add_to(&rest, box);
}

void RouteKind::set_place(State& s, Slot slot, std::uint32_t at, const Spot& spot) {
  HeldRoute& route = s.agents[slot].path;
  RouteRow& row = s.agents.row(slot);
  set_origin(s, slot, spot, spot);
  if (at == route.at) return;  // the box stays: it is a little large
  route.at = at;
  row.rest = box_of(spot);
  for (std::size_t i = at; i < route.points.size(); ++i) add_to(&row.rest, route.points[i].at);
}

void RouteKind::set_origin(State& s, Slot slot, const Spot& spot,
                           const std::optional<Spot>& origin) {
  RouteAgent& agent = s.agents[slot];
  RouteRow& row = s.agents.row(slot);
  const bool stays = agent.is_placed && spot == agent.spot;
  agent.is_placed = stays || (origin && is_same_place(*origin, spot));
  agent.spot = spot;
  row.has_origin = origin.has_value();
  row.origin = origin.value_or(spot);
  row.is_snapped = origin && !is_same_place(*origin, spot);
  if (row.has_origin && !row.is_snapped) {
    s.off_ground.erase(slot);
  } else {
    s.off_ground.insert(slot);
  }
}

void RouteKind::show_rest(const State& s, Slot slot, AgentPath* path) {
  const HeldRoute& route = s.agents[slot].path;
  rest_of_route(route.points, route.at, s.agents.row(slot).origin, &path->points);
}

void RouteKind::claim_today(const State& s, Slot slot, AgentPath* path) {
  const RouteRow& row = s.agents.row(slot);
  path->allowance = 0;
  path->weight = 1;
  if (row.held <= saturating_add(row.lower, s.slack_of(slot))) {
    path->optimality = Optimality::kOptimal;
  } else if (!s.agents[slot].path.is_bounded) {
    path->optimality = Optimality::kWithin;
    path->allowance = row.allowance;
  } else if (row.lower > 0) {
    path->optimality = Optimality::kBounded;
    path->weight = static_cast<double>(row.held) / static_cast<double>(row.lower);
  } else {
    path->optimality = Optimality::kValidOnly;
  }
}

std::uint64_t RouteKind::memory_bytes(const Agent& agent) {
  std::uint64_t bytes = agent.path.boxes.capacity() * sizeof(RouteBox);
  for (const RememberedRoute& route : agent.remembered)
    bytes += sizeof route + route.points.capacity() * sizeof(RoutePoint) +
             route.ahead.capacity() * sizeof(Cost);
  return bytes;
}

template class AgentBook<RouteKind>;

}  // namespace repath
