// repath.v1.PathService and DebugService over the registry. Queries are answered on query threads
// from snapshots. Every method returns at once.
#pragma once

#include "repath/v1/debug.grpc.pb.h"
#include "repath/v1/path.grpc.pb.h"
#include "rpc/arena_messages.h"
#include "runtime/registry.h"

namespace repath {

class PathService final : public v1::PathService::CallbackService {
 public:
  // Borrows the registry.
  explicit PathService(Registry& registry) : registry_(registry) {
    SetMessageAllocatorFor_FindPath(&find_path_messages_);
  }

  grpc::ServerUnaryReactor* FindPath(grpc::CallbackServerContext* context,
                                     const v1::FindPathRequest* request,
                                     v1::FindPathResponse* response) override;
  grpc::ServerUnaryReactor* FindPaths(grpc::CallbackServerContext* context,
                                      const v1::FindPathsRequest* request,
                                      v1::FindPathsResponse* response) override;
  grpc::ServerUnaryReactor* FindNearest(grpc::CallbackServerContext* context,
                                        const v1::FindNearestRequest* request,
                                        v1::FindNearestResponse* response) override;
  grpc::ServerUnaryReactor* FindReachable(grpc::CallbackServerContext* context,
                                          const v1::FindReachableRequest* request,
                                          v1::FindReachableResponse* response) override;
  grpc::ServerUnaryReactor* FindAway(grpc::CallbackServerContext* context,
                                     const v1::FindAwayRequest* request,
                                     v1::FindAwayResponse* response) override;
  grpc::ServerUnaryReactor* GetFlowField(grpc::CallbackServerContext* context,
                                         const v1::GetFlowFieldRequest* request,
                                         v1::GetFlowFieldResponse* response) override;
  grpc::ServerUnaryReactor* Raycast(grpc::CallbackServerContext* context,
                                    const v1::RaycastRequest* request,
                                    v1::RaycastResponse* response) override;
  grpc::ServerUnaryReactor* CheckPath(grpc::CallbackServerContext* context,
                                      const v1::CheckPathRequest* request,
                                      v1::CheckPathResponse* response) override;
  grpc::ServerUnaryReactor* FindRandomPoint(grpc::CallbackServerContext* context,
                                            const v1::FindRandomPointRequest* request,
                                            v1::FindRandomPointResponse* response) override;

 private:
  Registry& registry_;
  ArenaMessages<v1::FindPathRequest, v1::FindPathResponse> find_path_messages_;
};

class DebugService final : public v1::DebugService::CallbackService {
 public:
  // Borrows the registry.
  explicit DebugService(Registry& registry) : registry_(registry) {}

  grpc::ServerUnaryReactor* ExplainPath(grpc::CallbackServerContext* context,
                                        const v1::ExplainPathRequest* request,
                                        v1::ExplainPathResponse* response) override;
  grpc::ServerUnaryReactor* GetStats(grpc::CallbackServerContext* context,
                                     const v1::GetStatsRequest* request,
                                     v1::GetStatsResponse* response) override;
  grpc::ServerUnaryReactor* GetGround(grpc::CallbackServerContext* context,
                                      const v1::GetGroundRequest* request,
                                      v1::GetGroundResponse* response) override;
  grpc::ServerUnaryReactor* GrowObstacle(grpc::CallbackServerContext* context,
                                         const v1::GrowObstacleRequest* request,
                                         v1::GrowObstacleResponse* response) override;

 private:
  Registry& registry_;
};

}  // namespace repath
