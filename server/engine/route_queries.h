// Stateless questions about the ground of a world of routes: what engine/queries.h is for grids.
// Pure functions of their arguments, safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agents/route.h"
#include "engine/queries.h"
#include "routes/route_ground.h"

namespace repath {

struct RouteAnswer {
  QueryState state = QueryState::kUnreachable;
  std::vector<RoutePoint> points;  // from the start to a goal; empty without a path
  Cost cost = 0;
  double bound = 1;      // the cost is at most so many times the least; 1: it is the least
  std::size_t goal = 0;  // which of the query's goals was reached, if complete
  std::uint64_t expanded = 0;
  RouteTrace trace;  // with PathQuery::explain; of all searches, one after the other
};

// Whether the algorithm can answer on this ground: kAuto and kAStar everywhere, on graphs
// kDijkstra, and kFloydWarshall on those with few enough open nodes
// (search/classic/floyd_warshall.h).
bool suits_routes(QueryAlgorithm algorithm, const RouteGround& ground);

// So much is remembered of a search with PathQuery::explain.
inline constexpr std::size_t kTouchedPlacesMax = 50'000;

// Of the query `from`, `goals`, `goal_radius`, `allow_partial`, `snap_start`, `algorithm` and
// `explain` count, as an agent's (routes/places.h). REQUIRES: suits_routes(query.algorithm,
// ground).
RouteAnswer find_route(const RouteGround& ground, const PathQuery& query,
                       const QueryLimits& limits);

struct PiecesAnswer {
  QueryState state = QueryState::kComplete;  // or kStartBlocked, kOutOfBudget
  std::vector<ReachedPiece> pieces;          // by ascending cost
  bool truncated = false;
  bool is_exact = false;  // RouteFlood::is_exact
};
// The pieces of the ground that can be reached within the cost, of too many the nearest.
PiecesAnswer find_pieces(const RouteGround& ground, MapPoint from, Cost max_cost,
                         std::size_t max_pieces, const QueryLimits& limits);

struct RouteFlow {
  QueryState state = QueryState::kComplete;  // or kGoalBlocked, kOutOfBudget
  std::vector<ReachedPiece> pieces;          // as RouteGround::flood_to gives them
  bool is_exact = false;                     // RouteFlood::is_exact
  std::uint64_t expanded = 0;
};
// Where to go from every piece of the ground from which a goal can be reached within the cost. Of
// the query the goals and their radius count, in world units.
RouteFlow find_route_flow(const RouteGround& ground, const FlowQuery& query, Cost max_cost,
                          const QueryLimits& limits);

struct RouteAwayAnswer {
  RouteAnswer route;    // its state as AwayAnswer's path
  double distance = 0;  // from the nearest threat to the route's end, RouteGround::distance_from
};
// The way to the place that is cheapest to reach among those at least so far from every threat; the
// query in world units. With allow_partial, if there is none, to the farthest that can be reached.
// The route's bound counts against all places that are far enough.
RouteAwayAnswer find_way_off(const RouteGround& ground, const AwayQuery& query,
                             const QueryLimits& limits);

}  // namespace repath
