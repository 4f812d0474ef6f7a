#include "rpc/route_calls.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "routes/places.h"
#include "rpc/route_messages.h"
#include "runtime/outbox.h"

namespace repath {
namespace {

constexpr int kCheckRouteMax = 65'536;

double distance(const Spot& a, const Spot& b) {
  const double squared =
      (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
  return std::sqrt(squared);
}

absl::Status fill_answer(const RouteAnswer& answer, const PathCall& call, Revision revision,
                         v1::Path* out) {
  if (call.max_waypoints == 0 && answer.points.size() > kPathWaypointsMax) {
    return make_error(absl::StatusCode::kResourceExhausted, "PATH_TOO_LONG", "",
                      "the path has " + std::to_string(answer.points.size()) +
                          " waypoints; at most " + std::to_string(kPathWaypointsMax) +
                          " fit an answer: ask for the first with max_waypoints");
  }
  out->set_status(to_status(answer.state));
  out->set_revision(value(revision));
  if (answer.points.empty()) return absl::OkStatus();
  out->set_cost(units_from_route_cost(answer.cost));
  fill_route(answer.points, call.max_waypoints == 0 ? kPathWaypointsMax : call.max_waypoints, out);
  out->set_optimality(answer.bound > 1 ? v1::OPTIMALITY_BOUNDED : v1::OPTIMALITY_OPTIMAL);
  if (answer.bound > 1) out->set_bound(answer.bound);
  return absl::OkStatus();
}

absl::StatusOr<RouteAnswer> ask(const AnySnapshot& world, const PathCall& call,
                                const QueryLimits& limits, const Field& options) {
  if (!suits_routes(call.query.algorithm, *world.routes)) {
    return make_error(absl::StatusCode::kFailedPrecondition, "ALGORITHM_UNSUITED",
                      (options / "algorithm").text(),
                      world.routes->is_continuous()
                          ? "on meshes UNSPECIFIED and ASTAR are answered"
                          : "on graphs UNSPECIFIED, ASTAR and DIJKSTRA are answered, and "
                            "FLOYD_WARSHALL with at most 2000 open nodes");
  }
  return find_route(*world.routes, call.query, limits);
}

absl::Status fill_snapped_place(const AnySnapshot& world, const Spot& from, double max_distance,
                                v1::FindNearestResponse* out) {
  std::optional<RoutePlace> place = world.routes->nearest(from, max_distance);
  // On meshes this is the nearest place on all floors; its distance in height alone may exceed the
  // limit.
  if (place && distance(from, place->at) > max_distance) place.reset();
  out->set_goal_index(-1);
  out->set_status(place ? v1::PATH_STATUS_COMPLETE : v1::PATH_STATUS_UNREACHABLE);
  if (!place) return absl::OkStatus();
  fill_spot(place->at, out->mutable_position());
  out->set_distance(distance(from, place->at));
  return absl::OkStatus();
}

const char* name_of(RouteKernel kernel) {
  switch (kernel) {
    case RouteKernel::kAnyAngle:
      return "any_angle";
    case RouteKernel::kCorridor:
      return "corridor";
    case RouteKernel::kAStar:
      return "astar";
    case RouteKernel::kDijkstra:
      return "dijkstra";
    case RouteKernel::kFloydWarshall:
      break;
  }
  return "floyd_warshall";
}

// Fills in as many of the places as fit the message.
void fill_touched(const RouteTrace& trace, bool is_mesh, std::size_t max_nodes,
                  v1::ExplainPathResponse* out) {
  constexpr std::size_t kMeshBytes = (3 + 3 + 9) * 8 + 1;
  constexpr std::size_t kGraphBytes = (3 + 3) * 8 + 10 + 1;
  const std::size_t room =
      (kAnswerBytesMax - out->ByteSizeLong()) / (is_mesh ? kMeshBytes : kGraphBytes);
  const std::size_t count = std::min({trace.touched.size(), max_nodes, room});
  for (const TouchedPlace& place : std::span(trace.touched).first(count)) {
    out->add_g(place.g);
    out->add_h(place.h);
    out->add_f(place.g + place.h);
    out->add_closed(!place.is_open);
    add_spot(place.at, out->mutable_positions());
    if (!is_mesh) {
      out->add_nodes(place.node);
      continue;
    }
    for (const Spot& spot : {place.from, place.left, place.right})
      add_spot(spot, out->mutable_spans());
  }
  out->set_truncated(trace.is_truncated || count < trace.touched.size());
}

void fill_runs(const RouteTrace& trace, v1::ExplainPathResponse* out) {
  for (const TracedRun& run : trace.runs) {
    v1::ExplainPathResponse::Search* search = out->add_searches();
    search->set_kernel(name_of(run.kernel));
    if (run.goal) fill_spot(*run.goal, search->mutable_goal());
    search->set_first(static_cast<std::uint32_t>(run.first));
    search->set_expanded(run.expanded);
  }
}

// Reads waypoints as a client sends them back.
absl::StatusOr<std::vector<RoutePoint>> to_route(const v1::CheckPathRequest& request) {
  const Field field;
  if (request.cells_size() != 0)
    return refuse(field / "cells", "KIND_UNSUITED", "this world has no cells: give positions");
  if (request.positions_size() % 3 != 0)
    return refuse(field / "positions", "LIST_SIZE", "must have x, y and z of each waypoint");
  const int count = request.positions_size() / 3;
  REPATH_RETURN_IF_ERROR(check_count(count, 1, kCheckRouteMax, field / "positions"));
  if (request.links_size() != 0 && request.links_size() != count)
    return refuse(field / "links", "LIST_SIZE", "must be empty or have one for each waypoint");
  std::vector<RoutePoint> route;
  route.reserve(place(count));
  for (int i = 0; i < count; ++i) {
    for (int k = 3 * i; k < 3 * i + 3; ++k)
      REPATH_RETURN_IF_ERROR(
          check_range(request.positions(k), -1e9, 1e9, (field / "positions")[place(k)]));
    RoutePoint point{
        {request.positions(3 * i), request.positions(3 * i + 1), request.positions(3 * i + 2)}};
    if (request.links_size() != 0 && request.links(i) != 0) point.link = request.links(i);
    route.push_back(point);
  }
  return route;
}

// Casts a ray along a straight line over the ground below the start, to a target on the same floor.
void fill_ray(const RouteGround& ground, const Spot& from, const Spot& to,
              v1::RaycastResponse* out) {
  const std::optional<RoutePlace> place = ground.locate(from);
  std::optional<RouteRay> ray;
  if (place) ray = ground.cast_ray(*place, to);
  bool is_free = ray && ray->is_free;
  if (is_free && std::abs(ray->end.y - to.y) > kFloorReach) {
    // Where floors meet at the start, the line may lead over another floor.
    const RoutePoint ends[] = {{place->at}, {to}};
    is_free = ground.walk(ends).cost != kUnreachable;
    if (is_free) ray->end.y = to.y;
  }
  const Spot end = ray ? ray->end : from;
  out->set_hit(!is_free);
  fill_spot(end, out->mutable_position());
  out->set_distance(std::hypot(end.x - from.x, end.z - from.z));
}

absl::Status fill_checked(const AnySnapshot& world, const PathCall& call,
                          std::vector<RoutePoint> route, bool check_optimal,
                          const QueryLimits& limits, v1::CheckPathResponse* out) {
  if (world.routes->is_continuous()) {
    // Begins where FindPath would begin.
    const std::optional<RoutePlace> start = stand_at(*world.routes, route.front().at);
    if (start) route.front().at = start->at;
  }
  const RouteWalk walk = world.routes->walk_positions(route);
  const bool is_valid = walk.cost != kUnreachable;
  out->set_revision(value(world.revision));
  out->set_valid(is_valid);
  out->set_first_invalid_waypoint(is_valid ? -1 : static_cast<std::int32_t>(walk.broken));
  if (is_valid) out->set_cost(units_from_route_cost(walk.cost));
  if (!check_optimal) return absl::OkStatus();
  PathCall best = call;
  const auto point_of = [](const Spot& at) { return MapPoint{at.x, at.z, at.y}; };
  best.query.from = point_of(route.front().at);
  best.query.goals = {point_of(route.back().at)};
  const auto answer = ask(world, best, limits, Field() / "options");
  if (!answer.ok()) return answer.status();
  if (answer->state != QueryState::kComplete) return absl::OkStatus();
  // Both costs are sums of rounded lengths.
  const Cost slack = world.routes->is_continuous() ? kRouteCostSlack : 0;
  out->set_optimal_cost(units_from_route_cost(answer->cost));
  out->set_optimal(is_valid && answer->bound == 1 && walk.cost <= answer->cost + slack);
  return absl::OkStatus();
}

}  // namespace

absl::Status answer_route(const AnySnapshot& world, const PathCall& call, const QueryLimits& limits,
                          const Field& options, v1::FindPathResponse* response) {
  const auto answer = ask(world, call, limits, options);
  if (!answer.ok()) return answer.status();
  response->set_expanded(answer->expanded);
  return fill_answer(*answer, call, world.revision, response->mutable_path());
}

absl::Status explain_route(const AnySnapshot& world, const PathCall& call,
                           const QueryLimits& limits, const Field& options, std::size_t max_nodes,
                           v1::ExplainPathResponse* response) {
  const auto answer = ask(world, call, limits, options);
  if (!answer.ok()) return answer.status();
  v1::FindPathResponse* result = response->mutable_result();
  result->set_expanded(answer->expanded);
  REPATH_RETURN_IF_ERROR(fill_answer(*answer, call, world.revision, result->mutable_path()));
  fill_runs(answer->trace, response);
  fill_touched(answer->trace, world.routes->is_continuous(), max_nodes, response);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* find_nearest_place(grpc::CallbackServerContext* context, WorldHost& host,
                                             const PathCall& call, double max_distance,
                                             v1::FindNearestResponse* response) {
  return run_any_query(
      context, host, call.who, {}, call.max_expansions,
      [call, max_distance, response](const AnySnapshot& world, const QueryLimits& limits) {
        response->set_revision(value(world.revision));
        if (call.query.goals.empty())
          return fill_snapped_place(world, spot_of(call.query.from), max_distance, response);
        PathQuery query = call.query;
        query.algorithm = QueryAlgorithm::kAuto;
        const RouteAnswer answer = find_route(*world.routes, query, limits);
        response->set_status(to_status(answer.state));
        response->set_goal_index(-1);
        if (answer.state == QueryState::kComplete) {
          response->set_goal_index(static_cast<std::int32_t>(answer.goal));
          fill_spot(answer.points.back().at, response->mutable_position());
          response->set_distance(units_from_route_cost(answer.cost));
        }
        return fill_answer(answer, call, world.revision, response->mutable_path());
      });
}

grpc::ServerUnaryReactor* find_way_off_on_routes(grpc::CallbackServerContext* context,
                                                 WorldHost& host, const PathCall& call,
                                                 const AwayQuery& query,
                                                 v1::FindAwayResponse* response) {
  return run_any_query(
      context, host, call.who, {}, call.max_expansions,
      [call, query, response](const AnySnapshot& world, const QueryLimits& limits) {
        const RouteAwayAnswer answer = find_way_off(*world.routes, query, limits);
        response->set_status(to_status(answer.route.state));
        response->set_revision(value(world.revision));
        response->set_expanded(answer.route.expanded);
        if (!answer.route.points.empty()) {
          fill_spot(answer.route.points.back().at, response->mutable_position());
          response->set_distance(answer.distance);
          response->set_node(answer.route.points.back().node);
        }
        return fill_answer(answer.route, call, world.revision, response->mutable_path());
      });
}

grpc::ServerUnaryReactor* cast_ray_on_routes(grpc::CallbackServerContext* context, WorldHost& host,
                                             const QueryFor& who, const Spot& from, const Spot& to,
                                             v1::RaycastResponse* response) {
  if (host.facts().kind == "graph")
    return refused(context,
                   make_error(absl::StatusCode::kFailedPrecondition, "KIND_UNSUITED", "world",
                              "is a graph, which has no ground between its nodes"));
  return run_any_query(context, host, who, {"walker.", ""}, ~std::uint64_t{0},
                       [from, to, response](const AnySnapshot& world, const QueryLimits&) {
                         response->set_revision(value(world.revision));
                         fill_ray(*world.routes, from, to, response);
                         return absl::OkStatus();
                       });
}

grpc::ServerUnaryReactor* check_route(grpc::CallbackServerContext* context, WorldHost& host,
                                      const PathCall& call, const v1::CheckPathRequest& request,
                                      v1::CheckPathResponse* response) {
  if (request.links_size() != 0 && host.facts().kind == "graph")
    return refused(context, refuse(Field() / "links", "KIND_UNSUITED",
                                   "is for meshes; a graph has edges instead"));
  auto route = to_route(request);
  if (!route.ok()) return refused(context, route.status());
  return run_any_query(context, host, call.who, {}, call.max_expansions,
                       [=, route = *std::move(route), check_optimal = request.check_optimal()](
                           const AnySnapshot& world, const QueryLimits& limits) {
                         return fill_checked(world, call, route, check_optimal, limits, response);
                       });
}

}  // namespace repath
