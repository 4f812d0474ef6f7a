#include "reroute/positions.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

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

}  // namespace

void RoutePositions::place(RouteSlot slot) {
  const Spot seen = spot_of(s_.agents[slot].spec.position);
  s_.agents[slot].is_led = false;
  const std::optional<RoutePlace> place = stand_at(s_.ground_of(slot), seen);
  v_.set_origin(slot, place ? place->at : seen, place ? std::optional(place->at) : std::nullopt);
  v_.begin_search_anew(slot);
}

void RoutePositions::acknowledge(RouteSlot slot, PathVersion version) {
  std::erase_if(s_.agents[slot].past,
                [&](const PastRoute& past) { return past.version < version; });
}

void RoutePositions::report(RouteSlot slot, const MapPoint& point, PathVersion follows) {
  RouteAgent& agent = s_.agents[slot];
  const RouteGround& ground = s_.ground_of(slot);
  const Spot seen = spot_of(point);
  agent.spec.position = point;
  acknowledge(slot, std::min(follows, agent.last_version));
  if (agent.route.holds()) {
    const auto on = find_on_route(ground, agent.route.points, agent.route.at,
                                  s_.agents.row(slot).origin, seen, agent.broken_at.has_value());
    agent.is_led = on.has_value();
    if (on) return walk(slot, *on);
  }
  bool follows_past = false;
  std::optional<RoutePlace> place;
  for (const PastRoute& past : agent.past) {
    const auto on = find_on_route(ground, past.points, 0, past.points[0].at, seen, true);
    if (on) place = stand_at(ground, on->spot);
    follows_past = place.has_value();
    if (follows_past) break;
  }
  agent.is_led = follows_past;
  if (!place) place = stand_at(ground, seen);
  const Spot spot = place ? place->at : seen;
  const std::optional<Spot> origin = place ? std::optional(place->at) : std::nullopt;
  if (is_same_place(spot, agent.spot)) return;
  if (agent.route.holds()) return leave(slot, spot, origin, follows_past);
  move_without_route(slot, spot, origin);
}

// What is behind the agent is taken off its costs, as long as the route is whole.
void RoutePositions::walk(RouteSlot slot, const OnRoute& to) {
  RouteAgent& agent = s_.agents[slot];
  RouteRow& row = s_.agents.row(slot);
  // Who comes to the place that stood in for its own is there from now on.
  if (is_same_place(to.spot, row.origin) && to.at == agent.route.at && !row.is_snapped) return;
  const RouteGround& ground = s_.ground_of(slot);
  std::vector<RoutePoint> way;
  rest_of_route(agent.route.points, agent.route.at, row.origin, &way);
  way.resize(to.at - agent.route.at + 1);
  if (to.spot != way.back().at) {
    way.back().link.reset();
    way.push_back({to.spot, way.back().node, way.back().area, {}});
  }
  s_.hindsight.walk(slot, row.origin, to.spot, length_of(way) + 1);
  if (!agent.broken_at) {
    Cost walked = walk_route(ground, way).cost;
    if (walked == kUnreachable) walked = length_of(way);  // by rounding, see find_on_route
    row.held -= std::min(row.held, walked);
    row.lower -= std::min(row.lower, walked);
    agent.walked += walked;
  }
  v_.set_place(slot, to.at, to.spot);
  if (!agent.broken_at || stand_at(ground, to.spot)) return;
  agent.is_placed = false;  // on along a broken route into the obstacle
  v_.begin_search_anew(slot);
}

void RoutePositions::leave(RouteSlot slot, const Spot& spot, const std::optional<Spot>& origin,
                           bool follows_past) {
  const bool was_snapped = s_.agents.row(slot).is_snapped;
  v_.wait(slot, Revision{});
  if (follows_past) {
    v_.expect(slot, EventType::kReplanned, EventReason::kNone);
  } else {
    v_.expect(slot, EventType::kNewPath, EventReason::kOffPath);
  }
  v_.drop_route(slot);
  v_.set_origin(slot, spot, origin);
  if (was_snapped || !origin) v_.begin_search_anew(slot);
}

// Who could not reach a goal cannot reach it from where it can go itself.
void RoutePositions::move_without_route(RouteSlot slot, const Spot& spot,
                                        const std::optional<Spot>& origin) {
  const RouteRow& row = s_.agents.row(slot);
  const RouteGround& ground = s_.ground_of(slot);
  const bool is_settled = row.settled;
  bool is_still_cut_off = false;
  if (is_settled && row.standing == RouteStanding::kCutOff && row.has_origin && origin) {
    const std::vector<RoutePoint> step = {{row.origin, 0, 0, {}}, {*origin, 0, 0, {}}};
    is_still_cut_off = ground.is_continuous() && walk_route(ground, step).cost != kUnreachable;
  }
  const bool is_still_blocked = is_settled && row.standing == RouteStanding::kStartBlocked &&
                                !origin && !s_.agents[slot].spec.snap_start;
  const bool was_on_ground = row.has_origin && !row.is_snapped;
  v_.set_origin(slot, spot, origin);
  if (is_still_blocked || is_still_cut_off) return v_.assure_from_now_on(slot);
  v_.wait(slot, Revision{});
  // Out of its obstacle: even if it goes back into one, what it was told before no longer counts.
  if (row.standing == RouteStanding::kStartBlocked && origin)
    v_.expect(slot, EventType::kNewPath, EventReason::kStartFreeAgain);
  if (!was_on_ground || !origin) v_.begin_search_anew(slot);
}

}  // namespace repath
