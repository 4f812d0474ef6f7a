#include "route_ground/recall.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "route_ground/on_route.h"
#include "route_ground/route_trial.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {
namespace {

constexpr std::size_t kRememberedMax = 4;
// Numbers of filter tests that take as long as walking a leg, and as holding a delta against a
// route.
constexpr std::uint64_t kTestsPerLeg = 16;
constexpr std::uint64_t kTestsPerDelta = 4;
// Changes that are looked through for one route: about as many as nodes that a search expands,
// which take as long each.
constexpr std::uint64_t kDeltasMin = 16;
constexpr std::uint64_t kDeltasMax = 1024;

std::uint64_t deltas_worth(const RouteState& s) {
  std::uint64_t searches = 0;
  std::uint64_t expansions = 0;
  for (const StrategyStats& of : s.stats.strategies) {
    searches += of.searches;
    expansions += of.expansions;
  }
  return std::clamp(expansions / std::max<std::uint64_t>(searches, 1), kDeltasMin, kDeltasMax);
}

// Returns the cost of the rest of the route when it was found, from `at` on the leg that begins at
// points[leg]. Within a leg it is known only where all of the leg cost the same.
std::optional<Cost> cost_then(const RememberedRoute& route, std::uint32_t leg, const Spot& at) {
  if (leg + 1 == route.points.size() || is_same_place(route.points[leg].at, at))
    return route.ahead[leg];
  const Cost rest = route.ahead[leg + 1];
  const Spot& begin = route.points[leg].at;
  const Spot& end = route.points[leg + 1].at;
  const auto cost_of = [&](const Spot& from) {
    return static_cast<Cost>(std::sqrt(plane_distance_squared(from, end)) * kRouteCostUnit);
  };
  const Cost whole = route.ahead[leg] - rest;
  if (whole > saturating_add(cost_of(begin), kRouteCostSlack)) return std::nullopt;
  return saturating_add(rest, cost_of(at));
}

std::optional<RecalledRoute> try_again(const RouteState& s, Slot slot, const RememberedRoute& route,
                                       std::uint64_t* tests) {
  const RouteRow& row = s.agents.row(slot);
  const RouteGround& ground = s.ground_of(slot);
  const std::vector<RoutePoint>& points = route.points;
  *tests += points.size();
  const auto on = find_on_route(ground, points, 0, points.front().at, row.origin, false);
  if (!on || !is_same_place(on->spot, row.origin)) return std::nullopt;
  const std::optional<Cost> then = cost_then(route, on->at, row.origin);
  if (!then) return std::nullopt;
  std::vector<RoutePoint> rest;
  rest_of_route(points, on->at, row.origin, &rest);
  *tests += rest.size() * kTestsPerLeg;
  const Cost cost = walk_route(ground, rest).cost;
  if (cost == kUnreachable || cost > saturating_add(*then, s.slack_of(slot))) return std::nullopt;
  const RouteClaim claim{rest, row.origin, Standing::kPath, cost, *then, 0, s.goals_of(slot).spots};
  const ClaimTrial trial = try_route(s, slot, claim, route.found_at);
  *tests += trial.tests + rest.size() * kTestsPerLeg +
            s.log.count_after(row.view, route.found_at) * kTestsPerDelta;
  if (trial.closed || trial.spoiled_by) return std::nullopt;
  return RecalledRoute(std::move(rest), cost, trial.lower,
                       trial.stands_again ? s.world.revision() : route.found_at);
}

}  // namespace

std::optional<RecalledRoute> recall_route(const RouteState& s, Slot slot, std::uint64_t* tests) {
  const RouteRow& row = s.agents.row(slot);
  if (!row.has_origin || row.is_snapped) return std::nullopt;
  const std::vector<RememberedRoute>& remembered = s.agents[slot].remembered;
  const std::uint64_t deltas_max = deltas_worth(s);
  for (auto route = remembered.rbegin(); route != remembered.rend(); ++route) {
    if (s.goals_of(slot).changed_at > route->found_at || !s.log.covers(row.view, route->found_at) ||
        s.log.count_after(row.view, route->found_at) > deltas_max)
      continue;
    if (auto recalled = try_again(s, slot, *route, tests)) return recalled;
  }
  return std::nullopt;
}

void note_best(const RouteFinding& finding, HeldRoute* route) {
  const std::span<const RoutePoint> points = route->points;
  std::vector<Cost> legs;
  legs.reserve(points.size());
  const bool has_legs = finding.ground->append_legs(points, &legs);
  std::vector<Cost> ahead(points.size(), 0);
  for (std::size_t i = points.size() - 1; i > 0; --i) {
    const Cost leg =
        has_legs ? legs[i - 1] : walk_route(*finding.ground, points.subspan(i - 1, 2)).cost;
    if (leg == kUnreachable) return;  // by rounding
    ahead[i - 1] = saturating_add(ahead[i], leg);
  }
  route->found_at = finding.revision;
  route->ahead = std::move(ahead);
}

void remember_route(RouteAgent* agent) {
  HeldRoute& route = agent->path;
  if (route.ahead.empty()) return;
  if (agent->remembered.size() == kRememberedMax)
    agent->remembered.erase(agent->remembered.begin());
  agent->remembered.push_back({route.points, route.found_at, std::move(route.ahead)});
  route.ahead.clear();
}

}  // namespace repath
