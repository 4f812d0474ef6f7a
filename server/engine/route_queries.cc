#include "engine/route_queries.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/query_run.h"
#include "routes/places.h"

namespace repath {
namespace {

// Goals that have a place, and which of the query's they are.
struct GoalPlaces {
  std::vector<RoutePlace> places;
  std::vector<std::size_t> goals;
};

GoalPlaces locate_goals(const RouteGround& ground, std::span<const MapPoint> goals, double radius) {
  GoalPlaces found;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const Spot goal = spot_of(goals[i]);
    const std::vector<RoutePlace> place = places_of_goals(ground, std::span(&goal, 1), radius);
    if (place.empty()) continue;
    found.places.push_back(place.front());
    found.goals.push_back(i);
  }
  return found;
}

double squared(const Spot& a, const Spot& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
}

// The goals themselves, whether anybody can stand there or not.
std::vector<RoutePlace> spots_of(std::span<const MapPoint> goals) {
  std::vector<RoutePlace> spots;
  for (const MapPoint& goal : goals) spots.push_back({spot_of(goal), 0});
  return spots;
}

std::size_t goal_at(const Spot& end, const GoalPlaces& goals) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < goals.places.size(); ++i)
    if (squared(end, goals.places[i].at) < squared(end, goals.places[best].at)) best = i;
  return goals.goals[best];
}

// Empty: there is nothing like it on routes.
std::optional<RouteMethod> method_of(QueryAlgorithm algorithm) {
  switch (algorithm) {
    case QueryAlgorithm::kAuto:
      return RouteMethod::kBest;
    case QueryAlgorithm::kAStar:
      return RouteMethod::kAStar;
    case QueryAlgorithm::kDijkstra:
      return RouteMethod::kDijkstra;
    case QueryAlgorithm::kFloydWarshall:
      return RouteMethod::kFloydWarshall;
    default:
      return std::nullopt;
  }
}

void append_trace(RouteTrace more, RouteTrace* trace) {
  for (TracedRun& run : more.runs) {
    run.first += trace->touched.size();
    trace->runs.push_back(run);
  }
  trace->touched.insert(trace->touched.end(), more.touched.begin(), more.touched.end());
  trace->is_truncated = trace->is_truncated || more.is_truncated;
}

// Leaves the answer's state as the search ended.
void search_to(const RouteGround& ground, const RoutePlace& from, std::span<const RoutePlace> goals,
               const PathQuery& query, QueryRun* run, RouteAnswer* answer) {
  const std::size_t room =
      query.explain ? kTouchedPlacesMax - answer->trace.touched.size() : std::size_t{0};
  const std::unique_ptr<RouteSearch> search =
      ground.search_by(*method_of(query.algorithm), from, goals, room);
  answer->state = query_state(
      run->to_end([&](std::uint32_t* expansions) { return search->advance(expansions); }));
  answer->expanded += search->expanded();
  if (query.explain) append_trace(search->touched(), &answer->trace);
  if (answer->state != QueryState::kComplete) return;
  search->append_route(&answer->points);
  answer->cost = search->cost();
  const Cost least = search->lower_bound();
  if (least < answer->cost)
    answer->bound =
        least == 0 ? HUGE_VAL : static_cast<double>(answer->cost) / static_cast<double>(least);
}

// Where what was computed is known to rounding alone.
double bound_of(Cost cost, Cost least) {
  if (cost <= saturating_add(least, kRouteCostSlack)) return 1;
  return least == 0 ? HUGE_VAL : static_cast<double>(cost) / static_cast<double>(least);
}

struct Start {
  std::optional<RoutePlace> place;
  bool is_snapped = false;
};
Start find_start(const RouteGround& ground, const MapPoint& from, bool snaps) {
  Start start{stand_at(ground, spot_of(from))};
  if (start.place || !snaps) return start;
  start.place = ground.nearest(spot_of(from), kRouteSnapReach);
  start.is_snapped = true;
  return start;
}

}  // namespace

bool suits_routes(QueryAlgorithm algorithm, const RouteGround& ground) {
  const std::optional<RouteMethod> method = method_of(algorithm);
  return method && ground.offers(*method);
}

PiecesAnswer find_pieces(const RouteGround& ground, MapPoint from, Cost max_cost,
                         std::size_t max_pieces, const QueryLimits& limits) {
  PiecesAnswer answer;
  const std::optional<RoutePlace> start = stand_at(ground, spot_of(from));
  if (!start) {
    answer.state = QueryState::kStartBlocked;
    return answer;
  }
  const std::unique_ptr<RouteFlood> flood = ground.flood(*start, max_cost);
  QueryRun run(limits);
  const Progress progress =
      run.to_end([&](std::uint32_t* expansions) { return flood->advance(expansions); });
  if (progress == Progress::kOutOfBudget) {
    answer.state = QueryState::kOutOfBudget;
    return answer;
  }
  flood->append_pieces(&answer.pieces);
  answer.is_exact = flood->is_exact();
  answer.truncated = answer.pieces.size() > max_pieces;
  if (answer.truncated) answer.pieces.resize(max_pieces);
  return answer;
}

RouteFlow find_route_flow(const RouteGround& ground, const FlowQuery& query, Cost max_cost,
                          const QueryLimits& limits) {
  RouteFlow flow;
  const GoalPlaces goals = locate_goals(ground, query.goals, query.goal_radius);
  if (goals.places.empty()) {
    flow.state = QueryState::kGoalBlocked;
    return flow;
  }
  const std::unique_ptr<RouteFlood> flood = ground.flood_to(goals.places, max_cost);
  QueryRun run(limits);
  const Progress progress =
      run.to_end([&](std::uint32_t* expansions) { return flood->advance(expansions); });
  flow.expanded = flood->expanded();
  if (progress == Progress::kOutOfBudget) {
    flow.state = QueryState::kOutOfBudget;
    return flow;
  }
  flood->append_pieces(&flow.pieces);
  flow.is_exact = flood->is_exact();
  return flow;
}

RouteAwayAnswer find_way_off(const RouteGround& ground, const AwayQuery& query,
                             const QueryLimits& limits) {
  RouteAwayAnswer answer;
  RouteAnswer& route = answer.route;
  const Start start = find_start(ground, query.from, query.snap_start);
  if (!start.place) {
    route.state = QueryState::kStartBlocked;
    return answer;
  }
  std::vector<Spot> threats;
  for (const MapPoint& threat : query.threats) threats.push_back(spot_of(threat));
  const std::unique_ptr<RouteAway> away = ground.away(*start.place, threats, query.distance);
  QueryRun run(limits);
  route.state =
      query_state(run.to_end([&](std::uint32_t* expansions) { return away->advance(expansions); }));
  route.expanded = away->expanded();
  const bool is_partial = route.state == QueryState::kUnreachable && query.allow_partial;
  if (route.state != QueryState::kComplete && !is_partial) return answer;
  const RoutePlace end =
      is_partial ? ground.farthest_reachable(*start.place, threats) : away->place();
  search_to(ground, *start.place, std::span(&end, 1), {}, &run, &route);
  if (route.state != QueryState::kComplete) return answer;
  if (route.points.size() == 2 && route.points[0].at == route.points[1].at) route.points.pop_back();
  if (is_partial) {
    route.state = QueryState::kPartial;
  } else {
    route.bound = bound_of(route.cost, away->lower_bound());
  }
  if (start.is_snapped) route.state = QueryState::kStartBlocked;
  answer.distance = HUGE_VAL;
  for (const Spot& threat : threats)
    answer.distance =
        std::min(answer.distance, ground.distance_from(threat, route.points.back().at));
  return answer;
}

RouteAnswer find_route(const RouteGround& ground, const PathQuery& query,
                       const QueryLimits& limits) {
  RouteAnswer answer;
  const Start start = find_start(ground, query.from, query.snap_start);
  const std::optional<RoutePlace>& from = start.place;
  if (!from) {
    answer.state = QueryState::kStartBlocked;
    return answer;
  }
  const GoalPlaces goals = locate_goals(ground, query.goals, query.goal_radius);
  QueryRun run(limits);
  if (goals.places.empty()) {
    answer.state = QueryState::kGoalBlocked;
  } else {
    search_to(ground, *from, goals.places, query, &run, &answer);
    if (answer.state == QueryState::kComplete)
      answer.goal = goal_at(answer.points.back().at, goals);
  }
  const bool is_cut_off =
      answer.state == QueryState::kUnreachable || answer.state == QueryState::kGoalBlocked;
  if (is_cut_off && query.allow_partial) {
    const RoutePlace end = ground.nearest_reachable(*from, spots_of(query.goals));
    search_to(ground, *from, std::span(&end, 1), query, &run, &answer);
    if (answer.state == QueryState::kComplete) answer.state = QueryState::kPartial;
  }
  // As on grids: whether it leads anywhere shows in whether there is a path.
  if (start.is_snapped && answer.state != QueryState::kOutOfBudget)
    answer.state = QueryState::kStartBlocked;
  return answer;
}

}  // namespace repath
