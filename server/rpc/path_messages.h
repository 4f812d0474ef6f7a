// Queries and their answers, between API messages and engine/queries.h. Pure functions, any thread.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/queries.h"
#include "repath/v1/path.pb.h"
#include "routes/route_ground.h"
#include "rpc/field.h"
#include "rpc/place_messages.h"
#include "runtime/world_host.h"

namespace repath {

inline constexpr int kQueryGoalsMax = 64;
inline constexpr int kNearestGoalsMax = 1024;
inline constexpr int kThreatsMax = 64;
static_assert(kQueryGoalsMax <= int{kRouteGoalsMax} && kNearestGoalsMax <= int{kRouteGoalsMax});
// Maximum size of an answer, well below the size that clients accept.
inline constexpr std::size_t kAnswerBytesMax = 4'000'000;

// A search, and the form of its answer.
struct PathCall {
  QueryFor who;
  PathQuery query;
  std::uint64_t max_expansions = ~std::uint64_t{0};
  bool every_cell = false;
  std::uint32_t max_waypoints = 0;  // 0: all of them, or none
  std::size_t search_bytes = 0;     // as in QueryLimits
};

// `field` is that of the walker.
absl::StatusOr<QueryFor> to_query_for(const v1::Walker& walker, const Field& field);
// Reads also min_revision and at_revision, which `revisions` has.
template <class Message>
absl::StatusOr<QueryFor> to_query_for(const v1::Walker& walker, const Message& revisions,
                                      const Field& field) {
  REPATH_ASSIGN_OR_RETURN(QueryFor who, to_query_for(walker, field));
  who.min_revision = Revision{revisions.min_revision()};
  who.at_revision = Revision{revisions.at_revision()};
  return who;
}
absl::StatusOr<PathCall> to_path_call(const v1::FindPathRequest& request, const MapUnits& map,
                                      const Field& field);
// The requests whose options guide the search for a path, CheckPath, and those that search in one
// way.
enum class OptionsOf { kPath, kCheck, kPlace };
absl::Status read_options(const v1::QueryOptions& options, OptionsOf of, const MapUnits& map,
                          const Field& field, PathCall* call);
// Reads the walker and the options of a request.
template <class Request>
absl::StatusOr<PathCall> to_call(const Request& request, const MapUnits& map, const Field& field,
                                 OptionsOf of) {
  PathCall call;
  REPATH_ASSIGN_OR_RETURN(call.who,
                          to_query_for(request.walker(), request.options(), field / "walker"));
  REPATH_RETURN_IF_ERROR(read_options(request.options(), of, map, field / "options", &call));
  return call;
}
// Refuses options of a search, with OPTIONS_CONFLICT, if the call runs no search. `is_met`: the
// request has what a search needs.
absl::Status check_needs(bool is_met, const v1::QueryOptions& options, const Field& field,
                         std::string_view message);
// Refuses options of HPA's clusters in a call that does without HPA; it works with `who` only.
absl::Status check_no_clusters(const v1::QueryOptions& options, const Field& field,
                               std::string_view who);
// Return FAILED_PRECONDITION with reason ALGORITHM_UNSUITED, TABLE_TOO_LARGE, CLUSTERS_TOO_MANY,
// HEURISTIC_UNSUITED, TURNS_UNSUITED or SMOOTHING_UNSUITED if the snapshot's profile or map does
// not allow the query's algorithm, its memory or the options that shape the path. `options` is the
// field that holds them.
absl::Status check_suited(const PathCall& call, const Snapshot& world, const Field& options);
absl::Status check_suited(const PathCall& call, const QueryGround& ground, const Field& options);

// Returns RESOURCE_EXHAUSTED with reason PATH_TOO_LONG if all waypoints are asked for and there are
// more than kPathWaypointsMax.
absl::Status fill_path(const PathAnswer& answer, const PathCall& call, Revision revision,
                       const MapUnits& map, v1::Path* out);
// Sets the cell or the position of the place where the path ends, if there is a path.
template <class Response>
void fill_end(const PathAnswer& path, const MapUnits& map, Response* out) {
  if (!path.nodes.empty()) {
    fill_cell(path.nodes.back(), map, out->mutable_cell());
    fill_center(path.nodes.back(), map, out->mutable_position());
  } else if (!path.route.empty()) {
    fill_spot(path.route.back().at, out->mutable_position());
  }
}
absl::Status fill_found(const PathAnswer& answer, const PathCall& call, Revision revision,
                        const MapUnits& map, v1::FindPathResponse* out);
void fill_reachable(const ReachableAnswer& answer, const MapUnits& map,
                    v1::FindReachableResponse* out);
// Answers FindReachable. `max_cost` in world units.
void fill_pieces_within(const QueryGround& ground, MapPoint from, double max_cost,
                        std::size_t max_pieces, const QueryLimits& limits,
                        v1::FindReachableResponse* out);

// The fields of GetFlowField that only meshes and graphs use.
struct FlowPart {
  Cost max_cost = 0;
  std::size_t first_piece = 0;
  std::size_t max_pieces = 0;
};
absl::StatusOr<FlowPart> to_flow_part(const v1::GetFlowFieldRequest& request);
// Answers GetFlowField. The query is in world units.
void fill_pieces_to(const QueryGround& ground, const FlowQuery& query, const FlowPart& part,
                    const QueryLimits& limits, v1::GetFlowFieldResponse* out);

void fill_ray(const RayAnswer& answer, const MapUnits& map, v1::RaycastResponse* out);

// Reads the waypoints of CheckPath: on the map, each in one row, column or diagonal with the one
// before.
absl::StatusOr<std::vector<NodeId>> to_waypoints(
    const google::protobuf::RepeatedField<std::int32_t>& cells, const MapUnits& map,
    const Field& field);
// Reads them on a mesh or graph, as a client sends them back.
absl::StatusOr<std::vector<RoutePoint>> to_route(const v1::CheckPathRequest& request);

}  // namespace repath
