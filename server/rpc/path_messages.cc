#include "rpc/path_messages.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

constexpr double kTurnPenaltyCells = 1000;
constexpr double kDeviationCellsMin = 0.001;
// Weights are kept in sixteenths.
constexpr double kLeastWeight = 1.0625;
constexpr int kCheckWaypointsMax = 65'536;
// CheckPath: maximum number of steps between all waypoints together.
constexpr std::int64_t kCheckStepsMax = 1 << 24;

bool is_a_star(QueryAlgorithm algorithm) {
  return algorithm == QueryAlgorithm::kAuto || algorithm == QueryAlgorithm::kAStar;
}

bool is_smoothed(const v1::QueryOptions& options) {
  return options.smoothing() != v1::SMOOTHING_UNSPECIFIED &&
         options.smoothing() != v1::SMOOTHING_NONE;
}

absl::Status read_smoothing(const v1::QueryOptions& options, const MapUnits& map,
                            const Field& field, PathQuery* query) {
  REPATH_ASSIGN_OR_RETURN(query->smoothing, (to_plain<v1::SMOOTHING_NONE, Smoothing::kCurves>(
                                                options.smoothing(), field / "smoothing")));
  if (query->smoothing != Smoothing::kNone && options.every_cell())
    return refuse(field / "every_cell", "OPTIONS_CONFLICT",
                  "must be false with smoothing: a smoothed path does not follow cells");
  if (options.curve_deviation() == 0) return absl::OkStatus();
  if (query->smoothing != Smoothing::kCurves)
    return refuse(field / "curve_deviation", "OPTIONS_CONFLICT",
                  "works with SMOOTHING_CURVES only");
  query->curve_deviation = options.curve_deviation() / map.cell_size;
  return check_range(options.curve_deviation(), kDeviationCellsMin * map.cell_size, map.cell_size,
                     field / "curve_deviation");
}

// Reads the options that shape the path; call it after algorithm and weight are read.
absl::Status read_shape(const v1::QueryOptions& options, const MapUnits& map, const Field& field,
                        PathQuery* query) {
  REPATH_ASSIGN_OR_RETURN(query->heuristic,
                          (to_plain<v1::HEURISTIC_UNSPECIFIED, Heuristic::kEuclid>(
                              options.heuristic(), field / "heuristic")));
  if (query->heuristic != Heuristic::kAuto && !takes_heuristic(query->algorithm))
    return refuse(field / "heuristic", "OPTIONS_CONFLICT",
                  "works with A*, Fringe, IDA*, SMA* and LPA* only");
  REPATH_RETURN_IF_ERROR(check_range(options.turn_penalty(), 0, kTurnPenaltyCells * map.cell_size,
                                     field / "turn_penalty"));
  query->turn_penalty = map.has_cells
                            ? std::min(map.cost_of(options.turn_penalty()), kTurnPenaltyMax)
                            : static_cast<Cost>(options.turn_penalty() * kRouteCostUnit);
  if (query->turn_penalty != 0 && (!is_a_star(query->algorithm) || query->weight > 1))
    return refuse(field / "turn_penalty", "OPTIONS_CONFLICT",
                  "needs A* (or no algorithm) and a weight of 1");
  return read_smoothing(options, map, field, query);
}

// The snapshot's profile or map does not allow the option.
absl::Status unsuited(std::string_view reason, const Field& field, std::string_view message) {
  return make_error(absl::StatusCode::kFailedPrecondition, reason, field.text(), message);
}

// Rejects options that a mesh or a graph cannot use. A value that asks for the default behaviour is
// accepted.
absl::Status check_options_for_routes(const v1::QueryOptions& options, OptionsOf of,
                                      const MapUnits& map, const Field& field) {
  struct Option {
    bool is_given;
    std::string_view name;
    std::string_view what;
  };
  constexpr std::string_view kOneSearch = "this call searches in one way";
  const bool is_path = of == OptionsOf::kPath;
  const bool may_curve = is_path && !map.is_graph && options.smoothing() == v1::SMOOTHING_CURVES;
  const Option given[] = {
      {options.weight() != 0 && options.weight() != 1 && !is_path, "weight", kOneSearch},
      {options.every_cell(), "every_cell", "this world has no cells"},
      {options.memory_limit_bytes() != 0 && !(is_path && map.is_graph), "memory_limit_bytes",
       is_path ? "no search keeps to a limit" : kOneSearch},
      {options.heuristic() != v1::HEURISTIC_UNSPECIFIED && !is_path, "heuristic", kOneSearch},
      {options.turn_penalty() != 0 && !(is_path && map.is_graph), "turn_penalty",
       is_path ? "turns cost nothing" : kOneSearch},
      {is_smoothed(options) && !may_curve, "smoothing",
       map.is_graph ? "paths follow the edges"
                    : "paths are straight from bend to bend; SMOOTHING_CURVES suits FindPath"},
      {options.curve_deviation() != 0 && !may_curve, "curve_deviation", "paths have no curves"},
      {options.cluster_side() != 0, "cluster_side", "there are no clusters"},
      {options.cluster_levels() != 0, "cluster_levels", "there are no clusters"},
  };
  for (const Option& option : given)
    if (option.is_given)
      return refuse(field / option.name, "KIND_UNSUITED",
                    "does not suit this world: " + std::string(option.what));
  return absl::OkStatus();
}

struct GivenOption {
  bool is_given;
  std::string_view name;
  std::string_view message;
};

absl::Status refuse_given(std::span<const GivenOption> options, const Field& field) {
  for (const GivenOption& option : options)
    if (option.is_given) return refuse(field / option.name, "OPTIONS_CONFLICT", option.message);
  return absl::OkStatus();
}

// Rejects options that a call other than FindPath, FindPaths and ExplainPath cannot use on any
// world. A value that asks for the default behaviour is accepted.
absl::Status check_options_of_call(const v1::QueryOptions& options, OptionsOf of,
                                   const Field& field) {
  if (of == OptionsOf::kPath) return absl::OkStatus();
  constexpr std::string_view kOneSearch = "this call searches in one way; leave it out";
  constexpr std::string_view kNoPath = "this call returns no path; leave it out";
  const bool is_check = of == OptionsOf::kCheck;
  const bool is_inexact =
      options.algorithm() == v1::ALGORITHM_BFS || options.algorithm() == v1::ALGORITHM_HPA;
  const GivenOption given[] = {
      {!is_check && options.algorithm() != v1::ALGORITHM_UNSPECIFIED, "algorithm", kOneSearch},
      {is_check && is_inexact, "algorithm", "must find cheapest paths; BFS and HPA do not"},
      {options.weight() != 0 && options.weight() != 1, "weight", kOneSearch},
      {options.heuristic() != v1::HEURISTIC_UNSPECIFIED, "heuristic", kOneSearch},
      {options.turn_penalty() != 0, "turn_penalty", kOneSearch},
      {!is_check && options.memory_limit_bytes() != 0, "memory_limit_bytes", kOneSearch},
      {is_smoothed(options), "smoothing", kOneSearch},
      {options.curve_deviation() != 0, "curve_deviation", kOneSearch},
      {is_check && options.every_cell(), "every_cell", kNoPath},
      {is_check && options.max_waypoints() != 0, "max_waypoints", kNoPath},
  };
  REPATH_RETURN_IF_ERROR(refuse_given(given, field));
  return check_no_clusters(options, field, "HPA, in FindPath, FindPaths and ExplainPath");
}

// Rejects a weight that the algorithm does not read.
absl::Status check_weight(const PathQuery& query, const Field& field) {
  if (query.weight <= 1 || is_a_star(query.algorithm)) return absl::OkStatus();
  return refuse(field / "weight", "OPTIONS_CONFLICT", "works with A* (or no algorithm) only");
}

// Reads the options of some algorithms alone; call it after the algorithm is read.
absl::Status read_search_options(const v1::QueryOptions& options, const Field& field,
                                 PathCall* call) {
  PathQuery& query = call->query;
  if (options.memory_limit_bytes() != 0 && !keeps_to_memory(query.algorithm))
    return refuse(field / "memory_limit_bytes", "OPTIONS_CONFLICT",
                  "works with IDA*, SMA* and FLOYD_WARSHALL only");
  REPATH_RETURN_IF_ERROR(read_unless_zero(options.memory_limit_bytes(), kSearchBytesMin,
                                          kSearchBytesMax, field / "memory_limit_bytes",
                                          &call->search_bytes));
  if (query.algorithm != QueryAlgorithm::kHpa) return check_no_clusters(options, field, "HPA");
  REPATH_RETURN_IF_ERROR(read_unless_zero(options.cluster_side(), kClusterSideMin, kClusterSideMax,
                                          field / "cluster_side", &query.cluster_side));
  return read_unless_zero(options.cluster_levels(), 1, kClusterLevelsMax, field / "cluster_levels",
                          &query.cluster_levels);
}

// Refuses a table of all pairs that the call's limit does not allow.
absl::Status check_pairs(const PathCall& call, const PairTableNeed& need, std::string_view nodes,
                         const Field& options) {
  const std::size_t most =
      search_bytes_of(call.query.algorithm, QueryLimits{.search_bytes = call.search_bytes});
  if (need.bytes <= most) return absl::OkStatus();
  const bool is_never = need.bytes > kSearchBytesMax;
  return unsuited("TABLE_TOO_LARGE", options / "memory_limit_bytes",
                  "FLOYD_WARSHALL needs " + std::string(is_never ? "at least " : "") +
                      std::to_string(need.bytes) + " bytes for all pairs of " +
                      std::to_string(need.nodes) + " " + std::string(nodes) + "; the limit is " +
                      std::to_string(most) + ", and never above " +
                      std::to_string(kSearchBytesMax));
}

absl::Status check_clusters(const PathQuery& query, const Snapshot& world, const Field& options) {
  const std::uint64_t count = cluster_count(query, world);
  if (count <= kClustersMax) return absl::OkStatus();
  return unsuited("CLUSTERS_TOO_MANY", options / "cluster_side",
                  "makes " + std::to_string(count) + " clusters of this map; at most " +
                      std::to_string(kClustersMax) + " are allowed, so take a longer side");
}

}  // namespace

absl::Status check_needs(bool is_met, const v1::QueryOptions& options, const Field& field,
                         std::string_view message) {
  if (is_met) return absl::OkStatus();
  const GivenOption given[] = {
      {options.algorithm() != v1::ALGORITHM_UNSPECIFIED, "algorithm", message},
      {options.max_expansions() != 0, "max_expansions", message},
      {options.every_cell(), "every_cell", message},
      {options.max_waypoints() != 0, "max_waypoints", message},
      {options.memory_limit_bytes() != 0, "memory_limit_bytes", message},
  };
  return refuse_given(given, field);
}

absl::Status check_no_clusters(const v1::QueryOptions& options, const Field& field,
                               std::string_view who) {
  for (const auto& [value, name] : {std::pair(options.cluster_side(), "cluster_side"),
                                    std::pair(options.cluster_levels(), "cluster_levels")})
    if (value != 0)
      return refuse(field / name, "OPTIONS_CONFLICT", "works with " + std::string(who) + " only");
  return absl::OkStatus();
}

absl::StatusOr<QueryFor> to_query_for(const v1::Walker& walker, const Field& field) {
  REPATH_ASSIGN_OR_RETURN(const TeamId team, to_team(walker.team(), field / "team"));
  return QueryFor{walker.profile().empty() ? "default" : walker.profile(), team};
}

absl::Status check_suited(const PathCall& call, const QueryGround& ground, const Field& options) {
  const PathQuery& query = call.query;
  const bool leads_only_weighted = is_a_star(query.algorithm) && query.weight >= kLeastWeight;
  if (!ground.is_continuous() && !never_overestimates(query.heuristic) && !leads_only_weighted)
    return unsuited("HEURISTIC_UNSUITED", options / "heuristic",
                    "may overestimate on a graph; it needs A* and a weight of at least 1.0625");
  if (!suits(query.algorithm, ground))
    return unsuited("ALGORITHM_UNSUITED", options / "algorithm",
                    ground.is_continuous()
                        ? "on meshes UNSPECIFIED, ASTAR, DIJKSTRA and BFS are answered"
                        : "on graphs JPS and HPA are not answered");
  if (query.smoothing == Smoothing::kCurves && query.turning_radius == 0)
    return unsuited("SMOOTHING_UNSUITED", options / "smoothing",
                    "needs a profile with a turning_radius on meshes");
  if (query.algorithm != QueryAlgorithm::kFloydWarshall) return absl::OkStatus();
  return check_pairs(call, pair_table_need(ground), "open nodes", options);
}

absl::Status check_suited(const PathCall& call, const Snapshot& world, const Field& options) {
  const PathQuery& query = call.query;
  if (!suits(query.algorithm, world))
    return unsuited(
        "ALGORITHM_UNSUITED", options / "algorithm",
        "JPS wants 8 neighbours, no cost factors, and room for its tables in the world's memory "
        "limit; on large maps they are made over the first queries. HPA wants 4 or 8 neighbours");
  if (query.algorithm == QueryAlgorithm::kFloydWarshall)
    REPATH_RETURN_IF_ERROR(check_pairs(call, pair_table_need(world), "free cells", options));
  if (query.algorithm == QueryAlgorithm::kHpa)
    REPATH_RETURN_IF_ERROR(check_clusters(query, world, options));
  const bool leads_only_weighted = is_a_star(query.algorithm) && query.weight >= kLeastWeight;
  if (!never_overestimates(query.heuristic, world.topology) && !leads_only_weighted)
    return unsuited("HEURISTIC_UNSUITED", options / "heuristic",
                    "may overestimate in the profile's topology; it needs A* and a weight of at "
                    "least 1.0625");
  if (query.turn_penalty != 0 && !suits_turns(world))
    return unsuited("TURNS_UNSUITED", options / "turn_penalty",
                    "needs a map of at most 33554432 cells");
  if (query.smoothing != Smoothing::kNone && world.topology == Topology::kHex)
    return unsuited("SMOOTHING_UNSUITED", options / "smoothing",
                    "is for topologies 4 and 8, not for hexagons");
  return absl::OkStatus();
}

absl::Status read_options(const v1::QueryOptions& options, OptionsOf of, const MapUnits& map,
                          const Field& field, PathCall* call) {
  if (!map.has_cells) REPATH_RETURN_IF_ERROR(check_options_for_routes(options, of, map, field));
  REPATH_RETURN_IF_ERROR(check_options_of_call(options, of, field));
  REPATH_ASSIGN_OR_RETURN(call->query.algorithm,
                          (to_plain<v1::ALGORITHM_UNSPECIFIED, QueryAlgorithm::kFloydWarshall>(
                              options.algorithm(), field / "algorithm")));
  REPATH_RETURN_IF_ERROR(
      read_unless_zero(options.weight(), 1, 1000, field / "weight", &call->query.weight));
  REPATH_RETURN_IF_ERROR(read_shape(options, map, field, &call->query));
  if (of == OptionsOf::kPath) REPATH_RETURN_IF_ERROR(check_weight(call->query, field));
  if (options.max_expansions() != 0) call->max_expansions = options.max_expansions();
  call->every_cell = options.every_cell();
  REPATH_RETURN_IF_ERROR(read_unless_zero(options.max_waypoints(), 0, kPathWaypointsMax,
                                          field / "max_waypoints", &call->max_waypoints));
  return read_search_options(options, field, call);
}

absl::StatusOr<PathCall> to_path_call(const v1::FindPathRequest& request, const MapUnits& map,
                                      const Field& field) {
  REPATH_ASSIGN_OR_RETURN(PathCall call, to_call(request, map, field, OptionsOf::kPath));
  REPATH_ASSIGN_OR_RETURN(call.query.from, to_map_point(request.from(), map, field / "from"));
  REPATH_RETURN_IF_ERROR(check_count(request.goals_size(), 1, kQueryGoalsMax, field / "goals"));
  REPATH_ASSIGN_OR_RETURN(call.query.goals, to_map_points(request.goals(), map, field / "goals"));
  REPATH_ASSIGN_OR_RETURN(call.query.goal_radius,
                          to_goal_radius(request.goal_radius(), map, field / "goal_radius"));
  call.query.allow_partial = request.allow_partial();
  call.query.snap_start = request.snap_start();
  return call;
}

absl::Status fill_path(const PathAnswer& answer, const PathCall& call, Revision revision,
                       const MapUnits& map, v1::Path* out) {
  const std::vector<MapPoint> points =
      answer.points.empty() ? waypoints_of(answer.nodes, map, call.every_cell) : answer.points;
  const std::size_t waypoints = std::max(answer.route.size(), points.size());
  const std::size_t fitting =
      answer.route.empty() ? kPathWaypointsMax : fitting_points(answer.route);
  if (call.max_waypoints == 0 && waypoints > fitting) {
    return make_error(absl::StatusCode::kResourceExhausted, "PATH_TOO_LONG", "",
                      "the path has " + std::to_string(waypoints) + " waypoints; at most " +
                          std::to_string(fitting) +
                          " fit an answer: ask for the first with max_waypoints");
  }
  out->set_status(to_message<v1::PathStatus>(answer.state));
  out->set_revision(value(revision));
  if (waypoints == 0) return absl::OkStatus();
  out->set_cost(map.world_cost(answer.cost));
  const std::size_t most =
      call.max_waypoints == 0 ? fitting : std::min<std::size_t>(call.max_waypoints, fitting);
  if (answer.route.empty()) {
    fill_points(points, answer.nodes, map, most, out);
  } else {
    fill_route(answer.route, most, out);
  }
  if (call.query.algorithm == QueryAlgorithm::kBfs) {
    out->set_optimality(v1::OPTIMALITY_VALID_ONLY);
  } else if (answer.bound > 1) {
    out->set_optimality(v1::OPTIMALITY_BOUNDED);
    out->set_bound(answer.bound);
  } else {
    out->set_optimality(v1::OPTIMALITY_OPTIMAL);
  }
  return absl::OkStatus();
}

absl::Status fill_found(const PathAnswer& answer, const PathCall& call, Revision revision,
                        const MapUnits& map, v1::FindPathResponse* out) {
  out->set_expanded(answer.expanded);
  out->set_generated(answer.generated);
  out->set_peak_bytes(answer.peak_bytes);
  out->set_turns(answer.turns);
  out->set_turn_cost(map.world_cost(answer.turn_cost));
  return fill_path(answer, call, revision, map, out->mutable_path());
}

void fill_reachable(const ReachableAnswer& answer, const MapUnits& map,
                    v1::FindReachableResponse* out) {
  out->set_status(to_message<v1::PathStatus>(answer.state));
  out->set_truncated(answer.truncated);
  for (std::size_t i = 0; i < answer.cells.size(); ++i) {
    const ReachableCell& cell = answer.cells[i];
    out->add_cells(map.x_of(cell.node));
    out->add_cells(map.y_of(cell.node));
    out->add_costs(map.world_cost(cell.cost));
    out->add_previous(cell.previous == i ? -1 : static_cast<std::int32_t>(cell.previous));
  }
}

void fill_ray(const RayAnswer& answer, const MapUnits& map, v1::RaycastResponse* out) {
  out->set_hit(answer.hit);
  fill_point(answer.position, map, out->mutable_position());
  if (answer.last_free) fill_cell(*answer.last_free, map, out->mutable_last_free());
  if (answer.blocked) fill_cell(*answer.blocked, map, out->mutable_blocked());
  out->set_distance(answer.distance * map.cell_size);
}

absl::StatusOr<std::vector<NodeId>> to_waypoints(
    const google::protobuf::RepeatedField<std::int32_t>& cells, const MapUnits& map,
    const Field& field) {
  if (cells.size() % 2 != 0)
    return refuse(field, "LIST_SIZE", "must have x and y of each waypoint");
  REPATH_RETURN_IF_ERROR(check_count(cells.size() / 2, 1, kCheckWaypointsMax, field));
  std::vector<NodeId> nodes;
  nodes.reserve(place(cells.size()) / 2);
  std::int64_t steps = 0;
  for (int i = 0; i < cells.size(); i += 2) {
    const std::int32_t x = cells[i];
    const std::int32_t y = cells[i + 1];
    const Field at = field[place(i)];
    REPATH_RETURN_IF_ERROR(check_on_map(x, y, map, at));
    if (i > 0) {
      const std::int32_t dx = std::abs(x - cells[i - 2]);
      const std::int32_t dy = std::abs(y - cells[i - 1]);
      if (dx != 0 && dy != 0 && dx != dy) {
        return refuse(at, "NOT_STRAIGHT",
                      "is not in one row, column or diagonal with the waypoint before");
      }
      steps += std::max(dx, dy);
    }
    if (steps > kCheckStepsMax) {
      return refuse(at, "PATH_TOO_LONG",
                    "more than " + std::to_string(kCheckStepsMax) + " steps up to here");
    }
    nodes.push_back(map.node_at({x + 0.5, y + 0.5}));
  }
  return nodes;
}

absl::StatusOr<std::vector<RoutePoint>> to_route(const v1::CheckPathRequest& request) {
  const Field field;
  if (request.cells_size() != 0)
    return refuse(field / "cells", "KIND_UNSUITED", "this world has no cells: give positions");
  if (request.positions_size() % 3 != 0)
    return refuse(field / "positions", "LIST_SIZE", "must have x, y and z of each waypoint");
  const int count = request.positions_size() / 3;
  REPATH_RETURN_IF_ERROR(check_count(count, 1, kCheckWaypointsMax, field / "positions"));
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

}  // namespace repath
