// The methods of PathService that do not ask for the path to a given place: FindNearest, FindAway,
// GetFlowField, FindRandomPoint.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "base/random.h"
#include "grid/cells/snap.h"
#include "routes/boxes.h"
#include "routes/places.h"
#include "rpc/area_box.h"
#include "rpc/query_call.h"
#include "rpc/services.h"

namespace repath {
namespace {

constexpr double kNearestCellsMax = 4096;
constexpr double kNearestCellsDefault = 64;

// The nearest place that is free, without goals.
void fill_snapped(const AnySnapshot& world, MapPoint from, double max_distance, const MapUnits& map,
                  v1::FindNearestResponse* out) {
  out->set_status(v1::PATH_STATUS_UNREACHABLE);
  if (world.grid) {
    const auto node = nearest_free_cell(world.grid->layer, from, max_distance);
    if (!node) return;
    fill_cell(*node, map, out->mutable_cell());
    fill_center(*node, map, out->mutable_position());
    const MapPoint centre = centre_of(place_of(world.grid->layer, *node));
    out->set_distance(std::sqrt(squared_distance(centre, from)) * map.cell_size);
  } else {
    const auto place = world.routes->nearest(spot_of(from), max_distance);
    if (!place) return;
    // On meshes this is the nearest place on all floors; its distance in height alone may exceed
    // the limit.
    const double distance = distance_between(spot_of(from), place->at);
    if (distance > max_distance) return;
    fill_spot(place->at, out->mutable_position());
    out->set_distance(distance);
  }
  out->set_status(v1::PATH_STATUS_COMPLETE);
}

absl::Status fill_nearest(const NearestGoal& nearest, const PathCall& call, Revision revision,
                          const MapUnits& map, v1::FindNearestResponse* out) {
  out->set_status(to_message<v1::PathStatus>(nearest.state));
  if (nearest.state == QueryState::kComplete) {
    out->set_goal_index(static_cast<std::int32_t>(nearest.goal));
    fill_end(nearest.path, map, out);
    out->set_distance(map.world_cost(nearest.path.cost));
  }
  return fill_path(nearest.path, call, revision, map, out->mutable_path());
}

absl::StatusOr<AwayQuery> to_away(const v1::FindAwayRequest& request, const MapUnits& map,
                                  const Field& field) {
  AwayQuery query;
  REPATH_ASSIGN_OR_RETURN(query.from, to_map_point(request.from(), map, field / "from"));
  REPATH_RETURN_IF_ERROR(check_count(request.threats_size(), 1, kThreatsMax, field / "threats"));
  REPATH_ASSIGN_OR_RETURN(query.threats, to_map_points(request.threats(), map, field / "threats"));
  REPATH_RETURN_IF_ERROR(
      check_range(request.distance(), 0, kAwayCellsMax * map.cell_size, field / "distance"));
  query.distance = request.distance() / map.cell_size;
  query.allow_partial = request.allow_partial();
  query.snap_start = request.snap_start();
  return query;
}

absl::Status fill_away(const AwayAnswer& answer, const PathCall& call, Revision revision,
                       const MapUnits& map, v1::FindAwayResponse* out) {
  out->set_status(to_message<v1::PathStatus>(answer.path.state));
  out->set_revision(value(revision));
  out->set_expanded(answer.path.expanded);
  fill_end(answer.path, map, out);
  out->set_distance(answer.distance * map.cell_size);
  if (!answer.path.route.empty()) out->set_node(answer.path.route.back().node);
  return fill_path(answer.path, call, revision, map, out->mutable_path());
}

constexpr std::int64_t kFlowCellsMax = 400'000;

absl::StatusOr<FlowQuery> to_flow(const v1::GetFlowFieldRequest& request, const MapUnits& map) {
  const Field field;
  FlowQuery query;
  REPATH_RETURN_IF_ERROR(check_count(request.goals_size(), 1, kQueryGoalsMax, field / "goals"));
  REPATH_ASSIGN_OR_RETURN(query.goals, to_map_points(request.goals(), map, field / "goals"));
  REPATH_ASSIGN_OR_RETURN(query.goal_radius,
                          to_goal_radius(request.goal_radius(), map, field / "goal_radius"));
  if (!map.has_cells) return query;
  for (const auto& [is_given, name] : {std::pair{request.max_cost() != 0, "max_cost"},
                                       {request.first_piece() != 0, "first_piece"},
                                       {request.max_pieces() != 0, "max_pieces"}})
    if (is_given)
      return refuse(field / name, "KIND_UNSUITED",
                    "is for meshes and graphs; this world is a grid");
  REPATH_ASSIGN_OR_RETURN(query.area, to_area_box(request, map, kFlowCellsMax, field / "area"));
  return query;
}

void fill_flow_field(const FlowField& field, const PlaceBox& area, const MapUnits& map,
                     v1::GetFlowFieldResponse* out) {
  out->set_status(to_message<v1::PathStatus>(field.state));
  out->set_expanded(field.expanded);
  fill_area_box(area, out->mutable_area());
  if (field.state != QueryState::kComplete) return;
  out->set_directions(field.directions.data(), field.directions.size());
  out->mutable_costs()->Reserve(static_cast<int>(field.costs.size()));
  for (const Cost cost : field.costs)
    out->add_costs(cost == kUnreachable ? HUGE_VAL : map.world_cost(cost));
}

struct RandomCall {
  MapPoint near;
  double radius = std::numeric_limits<double>::infinity();  // cells on grids, otherwise world units
  std::uint64_t seed = 0;
};

absl::StatusOr<RandomCall> to_random(const v1::FindRandomPointRequest& request,
                                     const MapUnits& map) {
  const Field field;
  RandomCall call;
  call.seed = request.seed();
  if (!request.has_near()) {
    if (request.radius() != 0)
      return refuse(field / "radius", "OPTIONS_CONFLICT",
                    "needs `near`; set it, or leave the radius out");
    return call;
  }
  REPATH_ASSIGN_OR_RETURN(call.near, to_map_point(request.near(), map, field / "near"));
  REPATH_RETURN_IF_ERROR(check_range(request.radius(), 1e-9, 1e6, field / "radius"));
  call.radius = request.radius() / map.cell_size;
  return call;
}

void fill_random_place(const AnySnapshot& world, const RandomCall& call, const MapUnits& map,
                       v1::FindRandomPointResponse* out) {
  out->set_revision(value(world.revision));
  out->set_status(v1::PATH_STATUS_UNREACHABLE);
  if (world.grid) {
    const auto node = random_free_cell(world.grid->layer, call.near, call.radius, call.seed);
    if (!node) return;
    fill_cell(*node, map, out->mutable_cell());
    fill_center(*node, map, out->mutable_position());
  } else {
    Random random(call.seed);
    const auto place = world.routes->random_place(spot_of(call.near), call.radius, &random);
    if (!place) return;
    fill_spot(place->at, out->mutable_position());
    out->set_node(world.routes->node_id(*place));
  }
  out->set_status(v1::PATH_STATUS_COMPLETE);
}

}  // namespace

UnaryCall* PathService::FindNearest(CallContext* context, const v1::FindNearestRequest* request,
                                    v1::FindNearestResponse* response) {
  const auto read = [=](const WorldFacts&, const MapUnits& map) -> absl::StatusOr<Question> {
    const Field field;
    REPATH_ASSIGN_OR_RETURN(PathCall call, to_call(*request, map, field, OptionsOf::kPlace));
    PathQuery& asked = call.query;
    REPATH_ASSIGN_OR_RETURN(asked.from, to_map_point(request->from(), map, field / "from"));
    REPATH_RETURN_IF_ERROR(
        check_count(request->goals_size(), 0, kNearestGoalsMax, field / "goals"));
    REPATH_ASSIGN_OR_RETURN(asked.goals, to_map_points(request->goals(), map, field / "goals"));
    REPATH_RETURN_IF_ERROR(check_needs(!asked.goals.empty(), request->options(), field / "options",
                                       "needs goals; without them nothing is searched"));
    if (!asked.goals.empty() && request->max_distance() != 0)
      return refuse(field / "max_distance", "OPTIONS_CONFLICT",
                    "is for calls without goals, which snap to the nearest place");
    asked.algorithm = QueryAlgorithm::kDijkstra;
    REPATH_RETURN_IF_ERROR(check_range(request->max_distance(), 0, kNearestCellsMax * map.cell_size,
                                       field / "max_distance"));
    const double max_distance = request->max_distance() == 0
                                    ? kNearestCellsDefault
                                    : request->max_distance() / map.cell_size;
    Question question{call.who, {}, call.max_expansions};
    question.work = [=](const AnySnapshot& world, const QueryLimits& limits) {
      const PathQuery& query = call.query;
      response->set_revision(value(world.revision));
      response->set_goal_index(-1);
      if (query.goals.empty()) {
        fill_snapped(world, query.from, max_distance, map, response);
        return absl::OkStatus();
      }
      const NearestGoal nearest = world.ask([&](const auto& view) {
        return find_nearest_goal(view, query.from, query.goals, limits);
      });
      return fill_nearest(nearest, call, world.revision, map, response);
    };
    return question;
  };
  return answer_question(registry_, context, request->world(), read);
}

UnaryCall* PathService::GetFlowField(CallContext* context, const v1::GetFlowFieldRequest* request,
                                     v1::GetFlowFieldResponse* response) {
  const auto read = [=](const WorldFacts&, const MapUnits& map) -> absl::StatusOr<Question> {
    REPATH_ASSIGN_OR_RETURN(Question question, to_question(*request));
    REPATH_ASSIGN_OR_RETURN(const FlowQuery query, to_flow(*request, map));
    if (request->max_expansions() != 0) question.max_expansions = request->max_expansions();
    FlowPart part;
    if (!map.has_cells) {
      REPATH_ASSIGN_OR_RETURN(part, to_flow_part(*request));
    }
    question.work = [=](const AnySnapshot& world, const QueryLimits& limits) {
      response->set_revision(value(world.revision));
      if (world.grid) {
        fill_flow_field(find_flow_field(*world.grid, query, limits), query.area, map, response);
      } else {
        fill_pieces_to(*world.routes, query, part, limits, response);
      }
      return absl::OkStatus();
    };
    return question;
  };
  return answer_question(registry_, context, request->world(), read);
}

UnaryCall* PathService::FindAway(CallContext* context, const v1::FindAwayRequest* request,
                                 v1::FindAwayResponse* response) {
  const auto read = [=](const WorldFacts&, const MapUnits& map) -> absl::StatusOr<Question> {
    const Field field;
    REPATH_ASSIGN_OR_RETURN(PathCall call, to_call(*request, map, field, OptionsOf::kPlace));
    call.query.algorithm = QueryAlgorithm::kDijkstra;
    REPATH_ASSIGN_OR_RETURN(const AwayQuery query, to_away(*request, map, field));
    Question question{call.who, {}, call.max_expansions};
    question.work = [=](const AnySnapshot& world, const QueryLimits& limits) {
      const AwayAnswer answer =
          world.ask([&](const auto& view) { return find_away(view, query, limits); });
      return fill_away(answer, call, world.revision, map, response);
    };
    return question;
  };
  return answer_question(registry_, context, request->world(), read);
}

UnaryCall* PathService::FindRandomPoint(CallContext* context,
                                        const v1::FindRandomPointRequest* request,
                                        v1::FindRandomPointResponse* response) {
  const auto read = [=](const WorldFacts&, const MapUnits& map) -> absl::StatusOr<Question> {
    REPATH_ASSIGN_OR_RETURN(Question question, to_question(*request));
    REPATH_ASSIGN_OR_RETURN(const RandomCall call, to_random(*request, map));
    question.work = [=](const AnySnapshot& world, const QueryLimits&) {
      fill_random_place(world, call, map, response);
      return absl::OkStatus();
    };
    return question;
  };
  return answer_question(registry_, context, request->world(), read);
}

}  // namespace repath
