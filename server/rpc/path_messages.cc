#include "rpc/path_messages.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
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

absl::StatusOr<QueryAlgorithm> to_algorithm(v1::Algorithm message, const Field& field) {
  switch (message) {
    case v1::ALGORITHM_UNSPECIFIED:
      return QueryAlgorithm::kAuto;
    case v1::ALGORITHM_BFS:
      return QueryAlgorithm::kBfs;
    case v1::ALGORITHM_DIJKSTRA:
      return QueryAlgorithm::kDijkstra;
    case v1::ALGORITHM_ASTAR:
      return QueryAlgorithm::kAStar;
    case v1::ALGORITHM_LPA:
      return QueryAlgorithm::kLpa;
    case v1::ALGORITHM_DSTAR_LITE:
      return QueryAlgorithm::kDStarLite;
    case v1::ALGORITHM_JPS:
      return QueryAlgorithm::kJps;
    case v1::ALGORITHM_FRINGE:
      return QueryAlgorithm::kFringe;
    case v1::ALGORITHM_IDA_STAR:
      return QueryAlgorithm::kIdaStar;
    case v1::ALGORITHM_SMA_STAR:
      return QueryAlgorithm::kSmaStar;
    case v1::ALGORITHM_DSTAR:
      return QueryAlgorithm::kDStar;
    case v1::ALGORITHM_HPA:
      return QueryAlgorithm::kHpa;
    case v1::ALGORITHM_FLOYD_WARSHALL:
      return QueryAlgorithm::kFloydWarshall;
    default:
      return unknown_enum(message, field);
  }
}

absl::StatusOr<Heuristic> to_heuristic(v1::Heuristic message, const Field& field) {
  switch (message) {
    case v1::HEURISTIC_UNSPECIFIED:
      return Heuristic::kAuto;
    case v1::HEURISTIC_ZERO:
      return Heuristic::kZero;
    case v1::HEURISTIC_MANHATTAN:
      return Heuristic::kManhattan;
    case v1::HEURISTIC_CHEBYSHEV:
      return Heuristic::kChebyshev;
    case v1::HEURISTIC_OCTILE:
      return Heuristic::kOctile;
    case v1::HEURISTIC_EUCLID:
      return Heuristic::kEuclid;
    default:
      return unknown_enum(message, field);
  }
}

absl::StatusOr<Smoothing> to_smoothing(v1::Smoothing message, const Field& field) {
  switch (message) {
    case v1::SMOOTHING_UNSPECIFIED:
    case v1::SMOOTHING_NONE:
      return Smoothing::kNone;
    case v1::SMOOTHING_STRAIGHT:
      return Smoothing::kStraight;
    case v1::SMOOTHING_CURVES:
      return Smoothing::kCurves;
    default:
      return unknown_enum(message, field);
  }
}

bool is_a_star(QueryAlgorithm algorithm) {
  return algorithm == QueryAlgorithm::kAuto || algorithm == QueryAlgorithm::kAStar;
}

absl::Status read_smoothing(const v1::QueryOptions& options, const MapSize& map, const Field& field,
                            PathQuery* query) {
  REPATH_ASSIGN_OR_RETURN(query->smoothing, to_smoothing(options.smoothing(), field / "smoothing"));
  if (query->smoothing != Smoothing::kNone && options.every_cell())
    return refuse(field / "every_cell", "OPTIONS_CONFLICT",
                  "must be false with smoothing: a smoothed path does not follow cells");
  if (options.curve_deviation() == 0) return absl::OkStatus();
  query->curve_deviation = options.curve_deviation() / map.cell_size;
  return check_range(options.curve_deviation(), kDeviationCellsMin * map.cell_size, map.cell_size,
                     field / "curve_deviation");
}

// Reads the options that shape the path; call it after algorithm and weight are read.
absl::Status read_shape(const v1::QueryOptions& options, const MapSize& map, const Field& field,
                        PathQuery* query) {
  REPATH_ASSIGN_OR_RETURN(query->heuristic, to_heuristic(options.heuristic(), field / "heuristic"));
  if (query->heuristic != Heuristic::kAuto && !takes_heuristic(query->algorithm))
    return refuse(field / "heuristic", "OPTIONS_CONFLICT",
                  "works with A*, Fringe, IDA*, SMA* and LPA* only");
  REPATH_RETURN_IF_ERROR(check_range(options.turn_penalty(), 0, kTurnPenaltyCells * map.cell_size,
                                     field / "turn_penalty"));
  query->turn_penalty = std::min(map.cost_of(options.turn_penalty()), kTurnPenaltyMax);
  if (query->turn_penalty != 0 && (!is_a_star(query->algorithm) || query->weight > 1))
    return refuse(field / "turn_penalty", "OPTIONS_CONFLICT",
                  "needs A* (or no algorithm) and a weight of 1");
  return read_smoothing(options, map, field, query);
}

// Rejects options for grids only. A value that asks for the default behaviour is accepted.
absl::Status check_options_for_routes(const v1::QueryOptions& options, const Field& field) {
  struct Option {
    bool is_given;
    std::string_view name;
    std::string_view what;
  };
  const Option given[] = {
      {options.weight() != 0 && options.weight() != 1, "weight", "the search takes no weight"},
      {options.every_cell(), "every_cell", "this world has no cells"},
      {options.memory_limit_bytes() != 0, "memory_limit_bytes", "the search keeps to no limit"},
      {options.heuristic() != v1::HEURISTIC_UNSPECIFIED, "heuristic", "the search has its own"},
      {options.turn_penalty() != 0, "turn_penalty", "turns cost nothing"},
      {options.smoothing() != v1::SMOOTHING_UNSPECIFIED &&
           options.smoothing() != v1::SMOOTHING_NONE,
       "smoothing", "paths are straight from bend to bend"},
      {options.curve_deviation() != 0, "curve_deviation", "paths have no curves"},
  };
  for (const Option& option : given)
    if (option.is_given)
      return refuse(field / option.name, "KIND_UNSUITED",
                    "is for grids; in this world " + std::string(option.what));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<QueryFor> to_query_for(const v1::Walker& walker, std::uint64_t min_revision,
                                      const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(std::uint64_t{walker.team()}, 0, kTeams - 1, field / "team"));
  return QueryFor{walker.profile().empty() ? "default" : walker.profile(),
                  static_cast<TeamId>(walker.team()), Revision{min_revision}};
}

absl::Status check_suited(const PathQuery& query, const QueryGround& ground, const Field& options) {
  if (suits(query.algorithm, ground)) return absl::OkStatus();
  return make_error(
      absl::StatusCode::kFailedPrecondition, "ALGORITHM_UNSUITED", (options / "algorithm").text(),
      ground.is_continuous() ? "on meshes UNSPECIFIED and ASTAR are answered"
                             : "on graphs UNSPECIFIED, ASTAR and DIJKSTRA are answered, and "
                               "FLOYD_WARSHALL with at most 2000 open nodes");
}

absl::Status check_suited(const PathQuery& query, const Snapshot& world, const Field& options) {
  if (!suits(query.algorithm, world)) {
    return make_error(
        absl::StatusCode::kFailedPrecondition, "ALGORITHM_UNSUITED", (options / "algorithm").text(),
        "JPS wants 8 neighbours, no cost factors, and room for its tables in the world's memory "
        "limit; on large maps they are made over the first queries. HPA wants 4 or 8 neighbours, "
        "FLOYD_WARSHALL at most 2000 free cells");
  }
  const bool leads_only_weighted = is_a_star(query.algorithm) && query.weight >= kLeastWeight;
  if (!never_overestimates(query.heuristic, world.topology) && !leads_only_weighted) {
    return make_error(absl::StatusCode::kFailedPrecondition, "HEURISTIC_UNSUITED",
                      (options / "heuristic").text(),
                      "may overestimate in the profile's topology; it needs A* and a weight of at "
                      "least 1.0625");
  }
  if (query.turn_penalty != 0 && !suits_turns(world)) {
    return make_error(absl::StatusCode::kFailedPrecondition, "TURNS_UNSUITED",
                      (options / "turn_penalty").text(), "needs a map of at most 33554432 cells");
  }
  if (query.smoothing != Smoothing::kNone && world.topology == Topology::kHex) {
    return make_error(absl::StatusCode::kFailedPrecondition, "SMOOTHING_UNSUITED",
                      (options / "smoothing").text(),
                      "is for topologies 4 and 8, not for hexagons");
  }
  return absl::OkStatus();
}

absl::Status read_options(const v1::QueryOptions& options, const MapSize& map, const Field& field,
                          PathCall* call) {
  if (!map.has_cells) REPATH_RETURN_IF_ERROR(check_options_for_routes(options, field));
  REPATH_ASSIGN_OR_RETURN(call->query.algorithm,
                          to_algorithm(options.algorithm(), field / "algorithm"));
  if (options.weight() != 0) {
    REPATH_RETURN_IF_ERROR(check_range(options.weight(), 1, 1000, field / "weight"));
    call->query.weight = options.weight();
  }
  REPATH_RETURN_IF_ERROR(read_shape(options, map, field, &call->query));
  if (options.max_expansions() != 0) call->max_expansions = options.max_expansions();
  call->every_cell = options.every_cell();
  REPATH_RETURN_IF_ERROR(check_range(std::uint64_t{options.max_waypoints()}, 0, kPathWaypointsMax,
                                     field / "max_waypoints"));
  call->max_waypoints = options.max_waypoints();
  if (options.memory_limit_bytes() != 0) {
    REPATH_RETURN_IF_ERROR(check_range(options.memory_limit_bytes(), kSearchBytesMin,
                                       kSearchBytesMax, field / "memory_limit_bytes"));
    call->search_bytes = options.memory_limit_bytes();
  }
  return absl::OkStatus();
}

absl::StatusOr<PathCall> to_path_call(const v1::FindPathRequest& request, const MapSize& map,
                                      const Field& field) {
  REPATH_ASSIGN_OR_RETURN(PathCall call, to_call(request, map, field));
  REPATH_ASSIGN_OR_RETURN(call.query.from, to_map_point(request.from(), map, field / "from"));
  REPATH_RETURN_IF_ERROR(check_count(request.goals_size(), 1, kQueryGoalsMax, field / "goals"));
  REPATH_ASSIGN_OR_RETURN(call.query.goals, to_map_points(request.goals(), map, field / "goals"));
  REPATH_RETURN_IF_ERROR(check_range(request.goal_radius(), 0, kGoalRadiusCellsMax * map.cell_size,
                                     field / "goal_radius"));
  call.query.goal_radius = request.goal_radius() / map.cell_size;
  call.query.allow_partial = request.allow_partial();
  call.query.snap_start = request.snap_start();
  return call;
}

v1::PathStatus to_status(QueryState state) {
  switch (state) {
    case QueryState::kComplete:
      return v1::PATH_STATUS_COMPLETE;
    case QueryState::kPartial:
      return v1::PATH_STATUS_PARTIAL;
    case QueryState::kUnreachable:
      return v1::PATH_STATUS_UNREACHABLE;
    case QueryState::kStartBlocked:
      return v1::PATH_STATUS_START_BLOCKED;
    case QueryState::kGoalBlocked:
      return v1::PATH_STATUS_GOAL_BLOCKED;
    case QueryState::kOutOfBudget:
      return v1::PATH_STATUS_OUT_OF_BUDGET;
    case QueryState::kOutOfMemory:
      return v1::PATH_STATUS_OUT_OF_MEMORY;
  }
  return v1::PATH_STATUS_UNSPECIFIED;
}

absl::Status fill_path(const PathAnswer& answer, const PathCall& call, Revision revision,
                       const MapSize& map, v1::Path* out) {
  const bool is_smooth = !answer.points.empty();
  const std::size_t waypoints = !answer.route.empty() ? answer.route.size()
                                : is_smooth           ? answer.points.size()
                                            : waypoint_places(answer.nodes, call.every_cell).size();
  if (call.max_waypoints == 0 && waypoints > kPathWaypointsMax) {
    return make_error(absl::StatusCode::kResourceExhausted, "PATH_TOO_LONG", "",
                      "the path has " + std::to_string(waypoints) + " waypoints; at most " +
                          std::to_string(kPathWaypointsMax) +
                          " fit an answer: ask for the first with max_waypoints");
  }
  out->set_status(to_status(answer.state));
  out->set_revision(value(revision));
  if (answer.nodes.empty() && answer.route.empty()) return absl::OkStatus();
  out->set_cost(map.world_cost(answer.cost));
  const std::size_t most = call.max_waypoints == 0 ? kPathWaypointsMax : call.max_waypoints;
  if (!answer.route.empty()) {
    fill_route(answer.route, most, out);
  } else if (is_smooth) {
    fill_points(answer.points, answer.nodes, map, most, out);
  } else {
    fill_waypoints(answer.nodes, map, call.every_cell, most, out);
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
                        const MapSize& map, v1::FindPathResponse* out) {
  out->set_expanded(answer.expanded);
  out->set_generated(answer.generated);
  out->set_peak_bytes(answer.peak_bytes);
  out->set_turns(answer.turns);
  out->set_turn_cost(map.world_cost(answer.turn_cost));
  return fill_path(answer, call, revision, map, out->mutable_path());
}

void fill_explained(const PathAnswer& answer, const MapSize& map, std::uint32_t max_nodes,
                    v1::ExplainPathResponse* out) {
  const auto units = [&map](Cost cost) {
    return cost == kUnreachable ? HUGE_VAL : map.world_cost(cost);
  };
  constexpr std::size_t kNodeBytes = 2 * 2 + 3 * 8 + 1;  // two varints below 2^14
  const std::size_t room = (kAnswerBytesMax - out->ByteSizeLong()) / kNodeBytes;
  const std::size_t count = std::min({answer.touched.size(), std::size_t{max_nodes}, room});
  for (std::size_t i = 0; i < count; ++i) {
    const TouchedNode& touched = answer.touched[i];
    out->add_cells(map.x_of(touched.node));
    out->add_cells(map.y_of(touched.node));
    out->add_g(units(touched.g));
    out->add_h(units(touched.h));
    out->add_f(units(touched.f()));
    out->add_closed(!touched.is_open);
  }
  out->set_truncated(count < answer.touched.size());
}

void fill_reachable(const ReachableAnswer& answer, const MapSize& map,
                    v1::FindReachableResponse* out) {
  out->set_status(to_status(answer.state));
  out->set_truncated(answer.truncated);
  for (std::size_t i = 0; i < answer.cells.size(); ++i) {
    const ReachableCell& cell = answer.cells[i];
    out->add_cells(map.x_of(cell.node));
    out->add_cells(map.y_of(cell.node));
    out->add_costs(map.world_cost(cell.cost));
    out->add_previous(cell.previous == i ? -1 : static_cast<std::int32_t>(cell.previous));
  }
}

void fill_flow_field(const FlowField& field, const PlaceBox& area, const MapSize& map,
                     v1::GetFlowFieldResponse* out) {
  out->set_status(to_status(field.state));
  out->set_expanded(field.expanded);
  v1::CellRect* rect = out->mutable_area();
  rect->set_x0(area.x0);
  rect->set_y0(area.y0);
  rect->set_x1(area.x1 + 1);
  rect->set_y1(area.y1 + 1);
  if (field.state != QueryState::kComplete) return;
  out->set_directions(field.directions.data(), field.directions.size());
  out->mutable_costs()->Reserve(static_cast<int>(field.costs.size()));
  for (const Cost cost : field.costs)
    out->add_costs(cost == kUnreachable ? HUGE_VAL : map.world_cost(cost));
}

void fill_ray(const RayAnswer& answer, const MapSize& map, v1::RaycastResponse* out) {
  out->set_hit(answer.hit);
  fill_point(answer.position, map, out->mutable_position());
  if (answer.last_free) fill_cell(*answer.last_free, map, out->mutable_last_free());
  if (answer.blocked) fill_cell(*answer.blocked, map, out->mutable_blocked());
  out->set_distance(answer.distance * map.cell_size);
}

absl::StatusOr<std::vector<NodeId>> to_waypoints(
    const google::protobuf::RepeatedField<std::int32_t>& cells, const MapSize& map,
    const Field& field) {
  if (cells.size() % 2 != 0)
    return refuse(field, "LIST_SIZE", "must have x and y of each waypoint");
  REPATH_RETURN_IF_ERROR(check_count(cells.size() / 2, 1, kCheckWaypointsMax, field));
  std::vector<NodeId> nodes;
  nodes.reserve(static_cast<std::size_t>(cells.size()) / 2);
  std::int64_t steps = 0;
  for (int i = 0; i < cells.size(); i += 2) {
    const std::int32_t x = cells[i];
    const std::int32_t y = cells[i + 1];
    const Field at = field[static_cast<std::size_t>(i)];
    if (x < 0 || y < 0 || x >= map.width || y >= map.height)
      return refuse(at, "OUT_OF_MAP",
                    "is not on the map of " + std::to_string(map.width) + " x " +
                        std::to_string(map.height) + " cells");
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

}  // namespace repath
