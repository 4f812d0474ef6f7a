#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/drive_path.h"
#include "engine/queries.h"
#include "engine/query_run.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {
namespace {

// Places of the goals that have one, with the goals' indices in the query.
struct GoalPlaces {
  std::vector<RoutePlace> places;
  std::vector<std::size_t> goals;
};

GoalPlaces locate_goals(const QueryGround& ground, std::span<const MapPoint> goals, double radius) {
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

// Returns the goals themselves, whether or not an agent can stand there.
std::vector<RoutePlace> spots_of(std::span<const MapPoint> goals) {
  std::vector<RoutePlace> spots;
  for (const MapPoint& goal : goals) spots.push_back({spot_of(goal), 0});
  return spots;
}

// Returns the goal whose place is nearest to the end of a path.
std::size_t goal_at(const Spot& end, const GoalPlaces& goals) {
  const auto nearest = std::ranges::min_element(goals.places, {}, [&](const RoutePlace& place) {
    return space_distance_squared(end, place.at);
  });
  return goals.goals[static_cast<std::size_t>(nearest - goals.places.begin())];
}

// Returns the method for the algorithm. Empty: routes have no such method.
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
    case QueryAlgorithm::kBfs:
      return RouteMethod::kBfs;
    case QueryAlgorithm::kFringe:
      return RouteMethod::kFringe;
    case QueryAlgorithm::kIdaStar:
      return RouteMethod::kIdaStar;
    case QueryAlgorithm::kSmaStar:
      return RouteMethod::kSmaStar;
    case QueryAlgorithm::kLpa:
      return RouteMethod::kLpaStar;
    case QueryAlgorithm::kDStar:
      return RouteMethod::kDStar;
    case QueryAlgorithm::kDStarLite:
      return RouteMethod::kDStarLite;
    case QueryAlgorithm::kJps:
    case QueryAlgorithm::kHpa:
      break;
  }
  return std::nullopt;
}

RouteGuide guide_of(Heuristic heuristic) {
  switch (heuristic) {
    case Heuristic::kAuto:
      return RouteGuide::kAuto;
    case Heuristic::kZero:
      return RouteGuide::kZero;
    case Heuristic::kManhattan:
      return RouteGuide::kManhattan;
    case Heuristic::kChebyshev:
      return RouteGuide::kChebyshev;
    case Heuristic::kOctile:
      return RouteGuide::kOctile;
    case Heuristic::kEuclid:
      break;
  }
  return RouteGuide::kEuclid;
}

// Returns the search that the query asks for. kAuto is A* if an option requires it.
SearchWish wish_of(const PathQuery& query, const QueryLimits& limits) {
  SearchWish wish{*method_of(query.algorithm)};
  wish.guide = guide_of(query.heuristic);
  wish.weight = query.weight;
  wish.bytes_max = search_bytes_of(query.algorithm, limits);
  wish.turn_penalty = query.turn_penalty;
  const bool is_led = wish.guide != RouteGuide::kAuto || wish.weight > 1 || wish.turn_penalty != 0;
  if (wish.method == RouteMethod::kBest && is_led) wish.method = RouteMethod::kAStar;
  return wish;
}

// Tells the limit of memory apart from a slice that ran out.
class LimitedSearch {
 public:
  explicit LimitedSearch(RouteSearch* search) : search_(search) {}
  LimitedProgress advance(std::uint32_t* expansions) {
    const Progress progress = search_->advance(expansions);
    if (progress == Progress::kPathFound) return LimitedProgress::kPathFound;
    if (progress == Progress::kNoPath) return LimitedProgress::kNoPath;
    return search_->effort().is_out_of_memory ? LimitedProgress::kMemoryLimit
                                              : LimitedProgress::kOutOfBudget;
  }
  std::size_t bytes() const { return search_->effort().bytes; }
  std::uint64_t take_edge_units() { return search_->take_edge_units(); }

 private:
  RouteSearch* search_;
};

void append_trace(RouteTrace more, RouteTrace* trace) {
  const auto before = static_cast<std::uint32_t>(trace->touched.size());
  for (TouchedPlace& place : more.touched)
    if (place.parent != 0) place.parent += before;
  for (const std::uint32_t place : more.expansions) trace->expansions.push_back(before + place);
  for (TracedRun& run : more.runs) {
    run.first += trace->touched.size();
    trace->runs.push_back(run);
  }
  trace->touched.insert(trace->touched.end(), more.touched.begin(), more.touched.end());
  trace->is_truncated = trace->is_truncated || more.is_truncated;
}

// Returns the bound of a path. A cost that exceeds `least` by at most `slack` counts as optimal.
double bound_of(Cost cost, Cost least, Cost slack) {
  if (cost <= saturating_add(least, slack)) return 1;
  return least == 0 ? HUGE_VAL : static_cast<double>(cost) / static_cast<double>(least);
}

// Runs the search and leaves the answer's state as the search ended.
void search_to(const QueryGround& ground, const RoutePlace& from, std::span<const RoutePlace> goals,
               const PathQuery& query, SearchWish wish, QueryRun* run, PathAnswer* answer) {
  if (query.explain) wish.touched_max = kTouchedPlacesMax - answer->trace.touched.size();
  const std::unique_ptr<RouteSearch> search = ground.search_by(wish, from, goals);
  LimitedSearch limited(search.get());
  answer->state = run->state_after(run->to_end(limited));
  answer->expanded += search->expanded();
  const SearchEffort effort = search->effort();
  answer->generated += effort.generated;
  answer->peak_bytes = std::max(answer->peak_bytes, effort.bytes);
  if (query.explain) append_trace(search->touched(), &answer->trace);
  if (answer->state != QueryState::kComplete) return;
  search->append_route(&answer->route);
  answer->cost = search->cost();
  answer->turns = effort.turns;
  answer->turn_cost = effort.turns * wish.turn_penalty;
  const Cost slack = ground.is_continuous() ? kRouteCostSlack : 0;
  answer->bound = bound_of(answer->cost, search->lower_bound(), slack);
}

QueryStart<RoutePlace> find_start(const QueryGround& ground, const MapPoint& from, bool snaps) {
  if (const auto place = stand_at(ground, spot_of(from))) return {place};
  if (!snaps) return {std::nullopt, true};
  return {ground.nearest(spot_of(from), kRouteSnapReach), true};
}

// Returns whether a line over ground that ends at `height` ends on the floor that the target means.
bool ends_on_floor_of(const QueryGround& ground, const Spot& target, double height) {
  const double off = std::abs(height - target.y);
  if (off <= kSameHeight) return true;
  const std::optional<double> floor = ground.floor_at(target);
  return floor ? std::abs(height - *floor) <= kSameHeight : off <= kFloorReach;
}

PiecesAnswer flood_of(RouteFlood& flood, const QueryLimits& limits) {
  PiecesAnswer answer;
  QueryRun run(limits);
  const Progress progress = run.to_end(flood);
  answer.expanded = flood.expanded();
  if (progress == Progress::kOutOfBudget) {
    answer.state = QueryState::kOutOfBudget;
    return answer;
  }
  flood.append_pieces(&answer.pieces);
  answer.is_exact = flood.is_exact();
  return answer;
}

// Finds the nearest goal; the caller sets NearestGoal::state.
NearestGoal find_nearest(const QueryGround& ground, const PathQuery& query,
                         const QueryLimits& limits) {
  NearestGoal nearest;
  PathAnswer& answer = nearest.path;
  const QueryStart<RoutePlace> start = find_start(ground, query.from, query.snap_start);
  const std::optional<RoutePlace>& from = start.place;
  if (!from) {
    answer.state = QueryState::kStartBlocked;
    return nearest;
  }
  const GoalPlaces goals = locate_goals(ground, query.goals, query.goal_radius);
  const SearchWish wish = wish_of(query, limits);
  QueryRun run(limits);
  if (goals.places.empty()) {
    answer.state = QueryState::kGoalBlocked;
  } else {
    search_to(ground, *from, goals.places, query, wish, &run, &answer);
    if (answer.state == QueryState::kComplete)
      nearest.goal = static_cast<std::uint32_t>(goal_at(answer.route.back().at, goals));
  }
  const bool is_cut_off =
      answer.state == QueryState::kUnreachable || answer.state == QueryState::kGoalBlocked;
  if (is_cut_off && query.allow_partial) {
    // As RoutePlanner::begin_partial().
    const bool counts_nodes = !ground.is_continuous() && !goals.places.empty();
    const RoutePlace end =
        ground.nearest_reachable(*from, counts_nodes ? goals.places : spots_of(query.goals));
    search_to(ground, *from, std::span(&end, 1), query, wish, &run, &answer);
    if (answer.state == QueryState::kComplete) answer.state = QueryState::kPartial;
  }
  // As on grids, the presence of a path shows whether a blocked start's stand-in leads anywhere.
  if (query.smoothing == Smoothing::kCurves && !answer.route.empty())
    drive_answer(ground, query, limits.stop, &answer);
  if (start.is_blocked && answer.state != QueryState::kOutOfBudget &&
      answer.state != QueryState::kOutOfMemory && answer.state != QueryState::kTurnTooTight)
    answer.state = QueryState::kStartBlocked;
  return nearest;
}

}  // namespace

bool suits(QueryAlgorithm algorithm, const QueryGround& ground) {
  const std::optional<RouteMethod> method = method_of(algorithm);
  return method && ground.offers(*method);
}

PairTableNeed pair_table_need(const QueryGround& ground) { return ground.pair_table_need(); }
bool never_overestimates(Heuristic heuristic) { return never_overestimates(guide_of(heuristic)); }

PiecesAnswer find_pieces(const QueryGround& ground, MapPoint from, Cost max_cost,
                         std::size_t max_pieces, const QueryLimits& limits) {
  const std::optional<RoutePlace> start = stand_at(ground, spot_of(from));
  if (!start) return {.state = QueryState::kStartBlocked};
  PiecesAnswer answer = flood_of(*ground.flood(*start, max_cost), limits);
  answer.truncated = answer.pieces.size() > max_pieces;
  if (answer.truncated) answer.pieces.resize(max_pieces);
  return answer;
}

PiecesAnswer find_pieces_to(const QueryGround& ground, const FlowQuery& query, Cost max_cost,
                            const QueryLimits& limits) {
  const GoalPlaces goals = locate_goals(ground, query.goals, query.goal_radius);
  if (goals.places.empty()) return {.state = QueryState::kGoalBlocked};
  return flood_of(*ground.flood_to(goals.places, max_cost), limits);
}

AwayAnswer find_away(const QueryGround& ground, const AwayQuery& query, const QueryLimits& limits) {
  AwayAnswer answer;
  PathAnswer& path = answer.path;
  const QueryStart<RoutePlace> start = find_start(ground, query.from, query.snap_start);
  if (!start.place) {
    path.state = QueryState::kStartBlocked;
    return answer;
  }
  std::vector<Spot> threats;
  for (const MapPoint& threat : query.threats) threats.push_back(spot_of(threat));
  const std::unique_ptr<RouteAway> away = ground.away(*start.place, threats, query.distance);
  QueryRun run(limits);
  path.state = query_state(run.to_end(*away));
  path.expanded = away->expanded();
  const bool is_partial = path.state == QueryState::kUnreachable && query.allow_partial;
  if (path.state != QueryState::kComplete && !is_partial) return answer;
  const RoutePlace end =
      is_partial ? ground.farthest_reachable(*start.place, threats) : away->place();
  search_to(ground, *start.place, std::span(&end, 1), {}, {}, &run, &path);
  if (path.state != QueryState::kComplete) return answer;
  if (path.route.size() == 2 && path.route[0].at == path.route[1].at) path.route.pop_back();
  if (is_partial) {
    path.state = QueryState::kPartial;
  } else {
    path.bound = bound_of(path.cost, away->lower_bound(), kRouteCostSlack);
  }
  if (start.is_blocked) path.state = QueryState::kStartBlocked;
  answer.distance = HUGE_VAL;
  for (const Spot& threat : threats)
    answer.distance = std::min(answer.distance, ground.distance_from(threat, path.route.back().at));
  return answer;
}

PathAnswer find_path(const QueryGround& ground, const PathQuery& query, const QueryLimits& limits) {
  if (query.algorithm == QueryAlgorithm::kFloydWarshall &&
      ground.pair_table_need().bytes > search_bytes_of(query.algorithm, limits)) {
    PathAnswer answer;
    answer.state = QueryState::kOutOfMemory;
    return answer;
  }
  return find_nearest(ground, query, limits).path;
}

NearestGoal find_nearest_goal(const QueryGround& ground, MapPoint from,
                              std::span<const MapPoint> goals, const QueryLimits& limits) {
  PathQuery query;
  query.from = from;
  query.goals.assign(goals.begin(), goals.end());
  NearestGoal nearest = find_nearest(ground, query, limits);
  nearest.state = nearest.path.state;
  return nearest;
}

RayAnswer raycast(const QueryGround& ground, MapPoint from, MapPoint to) {
  const Spot target = spot_of(to);
  const std::optional<RoutePlace> place = ground.locate(spot_of(from));
  std::optional<RouteRay> ray;
  if (place) ray = ground.cast_ray(*place, target);
  bool is_free = ray && ray->is_free;
  if (is_free && !ends_on_floor_of(ground, target, ray->end.y)) {
    // If floors meet at the start, the line may lead over another floor.
    const RoutePoint ends[] = {{place->at}, {target}};
    is_free = ground.walk(ends).cost != kUnreachable;
    if (is_free) ray->end.y = ground.floor_at(target).value_or(target.y);
  }
  RayAnswer answer;
  answer.hit = !is_free;
  answer.position = ray ? point_of(ray->end) : from;
  answer.distance = std::sqrt(squared_distance(from, answer.position));
  return answer;
}

CheckAnswer check_path(const QueryGround& ground, std::vector<RoutePoint>* route) {
  CheckAnswer answer;
  if (ground.is_continuous()) {
    answer.slack = kRouteCostSlack;
    const std::optional<RoutePlace> start = stand_at(ground, route->front().at);
    if (start) route->front().at = start->at;
  }
  const RouteWalk walk = ground.walk_positions(*route);
  answer.valid = walk.cost != kUnreachable;
  if (answer.valid) {
    answer.cost = walk.cost;
  } else {
    answer.first_invalid = static_cast<std::uint32_t>(walk.broken);
  }
  return answer;
}

}  // namespace repath
