#include "route_ground/held_walk.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "base/nearest_on_segment.h"
#include "route_ground/on_route.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {
namespace {

bool touches(const RouteChange& change, const RouteBox& box) {
  return meet(box, change.from) && meet(box, change.to);
}

// Returns the share of the leg ahead that lies behind the place.
double share_behind(std::span<const RoutePoint> points, const OnRoute& on) {
  const Spot& a = points[on.at].at;
  const Spot& b = points[on.at + 1].at;
  return nearest_on_segment(a.x, a.z, b.x, b.z, on.spot.x, on.spot.z).share;
}

// Walks the held route on its legs as they were sent, which decide where the way from the agent's
// place is barred (cost_along). Empty: the legs are the same as from the place, or the place is
// blocked.
std::optional<RouteWalk> walk_from_its_leg(const RouteState& s, const RouteGround& ground,
                                           Slot slot) {
  const HeldRoute& route = s.agents[slot].path;
  const Spot& origin = s.agents.row(slot).origin;
  if (!ground.is_continuous() || route.points[route.at].at == origin ||
      !stand_again(ground, origin))
    return std::nullopt;
  return walk_route(ground, std::span(route.points).subspan(route.at));
}

}  // namespace

std::optional<RoutePlace> stand_of(const RouteAgent& agent, const RouteGround& ground,
                                   std::uint64_t* looks) {
  const Spot seen = spot_of(agent.spec.position);
  if (!ground.is_continuous()) {
    if (!agent.is_led) return ground.locate(seen, looks);
    const std::optional<RoutePlace> node = ground.locate(agent.spot, looks);
    return node && node->at == agent.spot ? node : ground.locate(seen, looks);
  }
  return agent.is_placed ? stand_again(ground, agent.spot, looks)
                         : stand_at(ground, agent.spot, looks);
}

std::optional<RoutePlace> stand_in_of(const RouteAgent& agent, const RouteGround& ground,
                                      std::uint64_t* looks) {
  if (!agent.spec.snap_start) return std::nullopt;
  return ground.nearest(agent.spot, kRouteSnapReach, looks);
}

bool crosses(const RouteState& s, Slot slot, const std::vector<RouteChange>& changes,
             std::uint64_t* tests) {
  const RouteRow& row = s.agents.row(slot);
  const HeldRoute& route = s.agents[slot].path;
  for (const RouteChange& change : changes) {
    ++*tests;
    if (!touches(change, row.rest)) continue;
    Spot before = row.origin;
    for (std::size_t i = route.at; i < route.points.size(); ++i) {
      ++*tests;
      const Spot& at = i == route.at ? row.origin : route.points[i].at;
      if (leg_meets(before, at, change.from) && leg_meets(before, at, change.to)) return true;
      before = at;
    }
  }
  return false;
}

Cost cost_along(const RouteGround& ground, std::span<const RoutePoint> points, const OnRoute& from,
                const OnRoute& to) {
  Cost cost = 0;
  for (std::uint32_t i = from.at; i <= to.at && i + 1 < points.size(); ++i) {
    const LegPart part{i == from.at ? share_behind(points, from) : 0,
                       i == to.at ? share_behind(points, to) : 1};
    if (part.first >= part.last) continue;
    cost = saturating_add(cost, cost_of_part(ground, points[i], points[i + 1].at, part));
  }
  return cost;
}

HeldWalk walk_held(const RouteState& s, const RouteGround& ground, Slot slot,
                   std::vector<RoutePoint>* rest) {
  const RouteAgent& agent = s.agents[slot];
  const RouteRow& row = s.agents.row(slot);
  rest_of_route(agent.path.points, agent.path.at, row.origin, rest);
  RouteWalk walk = walk_route(ground, *rest);
  if (walk.cost != kUnreachable) return {walk.cost, std::nullopt};
  if (walk.broken <= 1 && !agent.broken_at) {
    const std::optional<RouteWalk> told = walk_from_its_leg(s, ground, slot);
    if (told && told->cost != kUnreachable) {
      const auto end = static_cast<std::uint32_t>(agent.path.points.size() - 1);
      return {cost_along(ground, agent.path.points, {agent.path.at, row.origin},
                         {end, agent.path.points[end].at}),
              std::nullopt};
    }
    if (told) walk.broken = std::max(walk.broken, told->broken);
  }
  const auto last = static_cast<std::uint32_t>(agent.path.points.size() - 1);
  const auto end = static_cast<std::uint32_t>(std::max<std::size_t>(walk.broken, 1));
  return {kUnreachable, std::min(agent.path.at + end, last)};
}

}  // namespace repath
