// The calls of PathService on meshes and graphs, after their requests are read.
#pragma once

#include "engine/route_queries.h"
#include "repath/v1/path.grpc.pb.h"
#include "rpc/path_messages.h"
#include "rpc/query_call.h"

namespace repath {

// Returns FAILED_PRECONDITION with reason ALGORITHM_UNSUITED if the algorithm does not suit;
// `options` is the field that holds the call's options.
absl::Status answer_route(const AnySnapshot& world, const PathCall& call, const QueryLimits& limits,
                          const Field& options, v1::FindPathResponse* response);

// Answers ExplainPath; errors as in answer_route().
absl::Status explain_route(const AnySnapshot& world, const PathCall& call,
                           const QueryLimits& limits, const Field& options, std::size_t max_nodes,
                           v1::ExplainPathResponse* response);

// Finds the goal that is cheapest to reach or, without goals, the nearest place within
// `max_distance`.
grpc::ServerUnaryReactor* find_nearest_place(grpc::CallbackServerContext* context, WorldHost& host,
                                             const PathCall& call, double max_distance,
                                             v1::FindNearestResponse* response);

// Answers FindReachable. `max_cost` in world units.
grpc::ServerUnaryReactor* find_pieces_within(grpc::CallbackServerContext* context, WorldHost& host,
                                             const QueryFor& who, MapPoint from, double max_cost,
                                             std::size_t max_pieces,
                                             v1::FindReachableResponse* response);

// Answers FindAway. The query is in world units.
grpc::ServerUnaryReactor* find_way_off_on_routes(grpc::CallbackServerContext* context,
                                                 WorldHost& host, const PathCall& call,
                                                 const AwayQuery& query,
                                                 v1::FindAwayResponse* response);

// The fields of GetFlowField that only meshes and graphs use.
struct FlowPart {
  Cost max_cost = 0;
  std::size_t first_piece = 0;
  std::size_t max_pieces = 0;
};
absl::StatusOr<FlowPart> to_flow_part(const v1::GetFlowFieldRequest& request);
// The query is in world units.
grpc::ServerUnaryReactor* find_flow_on_routes(grpc::CallbackServerContext* context, WorldHost& host,
                                              const QueryFor& who, const FlowQuery& query,
                                              const FlowPart& part, std::uint64_t max_expansions,
                                              v1::GetFlowFieldResponse* response);

grpc::ServerUnaryReactor* cast_ray_on_routes(grpc::CallbackServerContext* context, WorldHost& host,
                                             const QueryFor& who, const Spot& from, const Spot& to,
                                             v1::RaycastResponse* response);

grpc::ServerUnaryReactor* check_route(grpc::CallbackServerContext* context, WorldHost& host,
                                      const PathCall& call, const v1::CheckPathRequest& request,
                                      v1::CheckPathResponse* response);

}  // namespace repath
