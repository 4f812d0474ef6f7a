// The methods of PathService that do not ask for exactly one path: FindAway, GetFlowField,
// FindRandomPoint.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "base/random.h"
#include "engine/random_place.h"
#include "engine/route_queries.h"
#include "routes/places.h"
#include "rpc/path_service.h"
#include "rpc/query_call.h"
#include "rpc/route_calls.h"
#include "rpc/route_messages.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

struct AwayCall {
  PathCall path;  // profile, team and limits of the query, and the form of the path
  AwayQuery query;
};

absl::StatusOr<AwayCall> to_away(const v1::FindAwayRequest& request, const MapSize& map) {
  const Field field;
  AwayCall call;
  auto who = to_query_for(request.walker(), request.options().min_revision(), field / "walker");
  if (!who.ok()) return who.status();
  call.path.who = *std::move(who);
  REPATH_RETURN_IF_ERROR(read_options(request.options(), map, field / "options", &call.path));
  // A single Dijkstra answers this, whatever algorithm was asked for.
  call.path.query.algorithm = QueryAlgorithm::kDijkstra;
  const auto from = to_map_point(request.from(), map, field / "from");
  if (!from.ok()) return from.status();
  call.query.from = *from;
  REPATH_RETURN_IF_ERROR(check_count(request.threats_size(), 1, kThreatsMax, field / "threats"));
  auto threats = to_map_points(request.threats(), map, field / "threats");
  if (!threats.ok()) return threats.status();
  call.query.threats = *std::move(threats);
  REPATH_RETURN_IF_ERROR(
      check_range(request.distance(), 0, kAwayCellsMax * map.cell_size, field / "distance"));
  call.query.distance = request.distance() / map.cell_size;
  call.query.allow_partial = request.allow_partial();
  call.query.snap_start = request.snap_start();
  return call;
}

absl::Status fill_away(const AwayAnswer& answer, const AwayCall& call, Revision revision,
                       const MapSize& map, v1::FindAwayResponse* out) {
  out->set_status(to_status(answer.path.state));
  out->set_revision(value(revision));
  out->set_expanded(answer.path.expanded);
  if (!answer.path.nodes.empty()) {
    const NodeId end = answer.path.nodes.back();
    fill_cell(end, map, out->mutable_cell());
    fill_center(end, map, out->mutable_position());
    out->set_distance(answer.distance * map.cell_size);
  }
  return fill_path(answer.path, call.path, revision, map, out->mutable_path());
}

constexpr std::int64_t kFlowCellsMax = 400'000;

// Returns the rectangle clipped to the map; without a rectangle the whole map.
absl::StatusOr<PlaceBox> to_area(const v1::GetFlowFieldRequest& request, const MapSize& map,
                                 const Field& field) {
  PlaceBox box{0, 0, map.width - 1, map.height - 1};
  if (request.has_area()) {
    const v1::CellRect& rect = request.area();
    if (rect.x0() >= rect.x1() || rect.y0() >= rect.y1())
      return refuse(field, "RECT_EMPTY", "must have x0 < x1 and y0 < y1");
    box = {std::max(box.x0, rect.x0()), std::max(box.y0, rect.y0()),
           std::min(box.x1, rect.x1() - 1), std::min(box.y1, rect.y1() - 1)};
    if (box.x0 > box.x1 || box.y0 > box.y1)
      return refuse(field, "OUTSIDE_MAP",
                    "must meet the map of " + std::to_string(map.width) + " x " +
                        std::to_string(map.height) + " cells");
  }
  const std::int64_t cells = std::int64_t{box.x1 - box.x0 + 1} * (box.y1 - box.y0 + 1);
  if (cells > kFlowCellsMax) {
    return refuse(field, "AREA_TOO_LARGE",
                  "has " + std::to_string(cells) + " cells; at most " +
                      std::to_string(kFlowCellsMax) + " fit an answer");
  }
  return box;
}

absl::StatusOr<FlowQuery> to_flow(const v1::GetFlowFieldRequest& request, const MapSize& map) {
  const Field field;
  FlowQuery query;
  REPATH_RETURN_IF_ERROR(check_count(request.goals_size(), 1, kQueryGoalsMax, field / "goals"));
  auto goals = to_map_points(request.goals(), map, field / "goals");
  if (!goals.ok()) return goals.status();
  query.goals = *std::move(goals);
  REPATH_RETURN_IF_ERROR(check_range(request.goal_radius(), 0, kGoalRadiusCellsMax * map.cell_size,
                                     field / "goal_radius"));
  query.goal_radius = request.goal_radius() / map.cell_size;
  if (!map.has_cells) return query;
  if (request.max_cost() != 0)
    return refuse(field / "max_cost", "KIND_UNSUITED",
                  "is for meshes and graphs; this world is a grid");
  if (request.first_piece() != 0)
    return refuse(field / "first_piece", "KIND_UNSUITED",
                  "is for meshes and graphs; this world is a grid");
  if (request.max_pieces() != 0)
    return refuse(field / "max_pieces", "KIND_UNSUITED",
                  "is for meshes and graphs; this world is a grid");
  const auto area = to_area(request, map, field / "area");
  if (!area.ok()) return area.status();
  query.area = *area;
  return query;
}

struct RandomCall {
  MapPoint near;
  double radius = std::numeric_limits<double>::infinity();  // cells on grids, otherwise world units
  std::uint64_t seed = 0;
};

absl::StatusOr<RandomCall> to_random(const v1::FindRandomPointRequest& request,
                                     const MapSize& map) {
  const Field field;
  RandomCall call;
  call.seed = request.seed();
  if (!request.has_near()) {
    if (request.radius() != 0)
      return refuse(field / "radius", "OPTIONS_CONFLICT",
                    "needs `near`; set it, or leave the radius out");
    return call;
  }
  const auto near = to_map_point(request.near(), map, field / "near");
  if (!near.ok()) return near.status();
  call.near = *near;
  REPATH_RETURN_IF_ERROR(check_range(request.radius(), 1e-9, 1e6, field / "radius"));
  call.radius = request.radius() / map.cell_size;
  return call;
}

void fill_random_place(const AnySnapshot& world, const RandomCall& call, const MapSize& map,
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

grpc::ServerUnaryReactor* PathService::GetFlowField(grpc::CallbackServerContext* context,
                                                    const v1::GetFlowFieldRequest* request,
                                                    v1::GetFlowFieldResponse* response) {
  const auto host = registry_.find(request->world());
  if (!host.ok()) return refused(context, host.status());
  const MapSize map = map_size((*host)->facts());
  const auto who = to_query_for(request->walker(), request->min_revision(), Field() / "walker");
  if (!who.ok()) return refused(context, who.status());
  auto query = to_flow(*request, map);
  if (!query.ok()) return refused(context, query.status());
  const std::uint64_t most =
      request->max_expansions() == 0 ? ~std::uint64_t{0} : request->max_expansions();
  if (!map.has_cells) {
    const auto part = to_flow_part(*request);
    if (!part.ok()) return refused(context, part.status());
    return find_flow_on_routes(context, **host, *who, *query, *part, most, response);
  }
  return run_query(
      context, **host, *who, {"walker.", ""}, most,
      [query = *std::move(query), map, response](const Snapshot& world, const QueryLimits& limits) {
        fill_flow_field(find_flow_field(world, query, limits), query.area, map, response);
        response->set_revision(value(world.revision));
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* PathService::FindAway(grpc::CallbackServerContext* context,
                                                const v1::FindAwayRequest* request,
                                                v1::FindAwayResponse* response) {
  const auto host = registry_.find(request->world());
  if (!host.ok()) return refused(context, host.status());
  const MapSize map = map_size((*host)->facts());
  auto call = to_away(*request, map);
  if (!call.ok()) return refused(context, call.status());
  if (!map.has_cells)
    return find_way_off_on_routes(context, **host, call->path, call->query, response);
  return run_query(context, **host, call->path.who, {}, call->path.max_expansions,
                   [call = *call, map, response](const Snapshot& world, const QueryLimits& limits) {
                     return fill_away(find_away(world, call.query, limits), call, world.revision,
                                      map, response);
                   });
}

grpc::ServerUnaryReactor* PathService::FindRandomPoint(grpc::CallbackServerContext* context,
                                                       const v1::FindRandomPointRequest* request,
                                                       v1::FindRandomPointResponse* response) {
  const auto host = registry_.find(request->world());
  if (!host.ok()) return refused(context, host.status());
  const MapSize map = map_size((*host)->facts());
  const auto who = to_query_for(request->walker(), request->min_revision(), Field() / "walker");
  if (!who.ok()) return refused(context, who.status());
  const auto call = to_random(*request, map);
  if (!call.ok()) return refused(context, call.status());
  return run_any_query(context, **host, *who, {"walker.", ""}, ~std::uint64_t{0},
                       [call = *call, map, response](const AnySnapshot& world, const QueryLimits&) {
                         fill_random_place(world, call, map, response);
                         return absl::OkStatus();
                       });
}

}  // namespace repath
