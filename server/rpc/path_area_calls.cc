// The methods of PathService that ask for no given goal: FindAway.
#include <utility>

#include "rpc/path_service.h"
#include "rpc/query_call.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

struct AwayCall {
  PathCall path;  // who asks, limits, and how the path is to look
  AwayQuery query;
};

absl::StatusOr<AwayCall> to_away(const v1::FindAwayRequest& request, const MapSize& map) {
  const Field field;
  AwayCall call;
  auto who = to_query_for(request.walker(), request.options().min_revision(), field / "walker");
  if (!who.ok()) return who.status();
  call.path.who = *std::move(who);
  REPATH_RETURN_IF_ERROR(read_options(request.options(), map, field / "options", &call.path));
  // One Dijkstra answers, whatever algorithm was asked for.
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

}  // namespace

grpc::ServerUnaryReactor* PathService::FindAway(grpc::CallbackServerContext* context,
                                                const v1::FindAwayRequest* request,
                                                v1::FindAwayResponse* response) {
  const auto host = registry_.find(request->world());
  if (!host.ok()) return refused(context, host.status());
  const MapSize map = map_size((*host)->facts());
  auto call = to_away(*request, map);
  if (!call.ok()) return refused(context, call.status());
  return run_query(context, **host, call->path.who, {}, call->path.max_expansions,
                   [call = *call, map, response](const Snapshot& world, const QueryLimits& limits) {
                     return fill_away(find_away(world, call.query, limits), call, world.revision,
                                      map, response);
                   });
}

}  // namespace repath
