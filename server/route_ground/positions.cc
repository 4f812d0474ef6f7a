// Positions of agents in worlds of routes (verdicts/positions.h). No agent walks backwards: a
// report behind the place the agent had come to is astray, once it is out of reach.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "route_ground/held_walk.h"
#include "route_ground/route_kind.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {

namespace {

Cost length_of(std::span<const RoutePoint> way) {
  double sum = 0;
  for (std::size_t i = 1; i < way.size(); ++i)
    sum += std::sqrt(plane_distance_squared(way[i - 1].at, way[i].at));
  return static_cast<Cost>(sum * kRouteCostUnit);
}

// Returns what every path from where the agent is costs at least, by straight distances.
Cost least_straight(const RouteState& s, Slot slot) {
  const RouteBox here = box_of(s.agents.row(slot).origin);
  const auto to = [&](const Spot& spot) {
    return s.ground_of(slot).least_cost(here, box_of(spot));
  };
  const RouteAgent& agent = s.agents[slot];
  Cost least = to(agent.path.points.back().at);
  if (s.agents.row(slot).standing == Standing::kPartial) return least;
  for (const Spot& goal : s.goals_of(slot).spots) least = std::min(least, to(goal));
  return least;
}

// A walk takes the same from the cost and from its bound, so near the goal the bound says little.
// Straight distances say more there.
void raise_bound(const RouteState& s, Slot slot, RouteRow* row) {
  if (row->lower >= row->held) return;
  row->lower = std::max(row->lower, std::min(row->held, least_straight(s, slot)));
  const Cost open = std::max(row->held - row->lower, s.agents[slot].path.hysteresis);
  row->allowance = std::min(row->allowance, open);
}

}  // namespace

void RouteKind::put_at_position(State& s, Slot slot) {
  const Spot seen = spot_of(s.agents[slot].spec.position);
  s.agents[slot].is_led = false;
  const std::optional<RoutePlace> place = stand_at(s.ground_of(slot), seen);
  set_origin(s, slot, place ? place->at : seen, place ? std::optional(place->at) : std::nullopt);
}

std::optional<OnRoute> RouteKind::find_on_path(State& s, Slot slot) {
  RouteAgent& agent = s.agents[slot];
  const auto on =
      find_on_route(s.ground_of(slot), agent.path.points, agent.path.at, s.agents.row(slot).origin,
                    spot_of(agent.spec.position), agent.broken_at.has_value(), agent.path.boxes);
  agent.is_led = on.has_value();
  return on;
}

std::optional<SeenAt> RouteKind::find_place(State& s, Slot slot, bool* follows_past) {
  RouteAgent& agent = s.agents[slot];
  const RouteGround& ground = s.ground_of(slot);
  const Spot seen = spot_of(agent.spec.position);
  std::optional<RoutePlace> place;
  for (const PastPath<RoutePoint>& past : agent.past) {
    const auto on = find_on_route(ground, past.points, 0, past.points[0].at, seen, true);
    if (on) place = stand_at(ground, on->spot);
    // Where a node is shut another one stands for the agent, which then is not led by its path.
    if (place && !ground.is_continuous() && place->at != on->spot) place.reset();
    *follows_past = place.has_value();
    if (*follows_past) break;
  }
  agent.is_led = *follows_past;
  if (!place) place = stand_at(ground, seen);
  const SeenAt at{place ? place->at : seen, place.has_value()};
  return is_same_place(at.spot, agent.spot) ? std::nullopt : std::optional(at);
}

bool RouteKind::can_step_to(const State& s, Slot slot, const SeenAt& seen) {
  const RouteRow& row = s.agents.row(slot);
  const RouteGround& ground = s.ground_of(slot);
  if (!row.has_origin || !seen.is_on_ground || !ground.is_continuous()) return false;
  const std::vector<RoutePoint> step = {{row.origin, 0, 0, {}}, {seen.spot, 0, 0, {}}};
  return walk_route(ground, step).cost != kUnreachable;
}

// Moves the agent along its route. Takes the part behind it off its costs, as long as the route is
// whole.
bool RouteKind::walk(State& s, Slot slot, const OnRoute& to) {
  RouteAgent& agent = s.agents[slot];
  RouteRow& row = s.agents.row(slot);
  // An agent that comes to the place that stood in for its own is there from now on.
  if (is_same_place(to.spot, row.origin) && to.at == agent.path.at && !row.is_snapped) return false;
  const RouteGround& ground = s.ground_of(slot);
  std::vector<RoutePoint> way;
  rest_of_route(std::span(agent.path.points).first(to.at + 1), agent.path.at, row.origin, &way);
  if (to.spot != way.back().at) {
    way.back().link.reset();
    way.push_back({to.spot, way.back().node, way.back().area, {}});
  }
  s.hindsight.walk(slot, row.origin, to.spot, length_of(way) + 1);
  if (!agent.broken_at) {
    Cost walked = walk_route(ground, way).cost;
    // By rounding the way from its place may be barred.
    if (walked == kUnreachable)
      walked = cost_along(ground, agent.path.points, {agent.path.at, row.origin}, to);
    if (walked == kUnreachable) walked = length_of(way);  // only where parts are not counted
    row.held -= std::min(row.held, walked);
    row.lower -= std::min(row.lower, walked);
    agent.walked += walked;
  }
  set_place(s, slot, to.at, to.spot);
  if (!agent.broken_at) raise_bound(s, slot, &row);
  if (!agent.broken_at || stand_at(ground, to.spot)) return false;
  agent.is_placed = false;
  return true;
}

}  // namespace repath
