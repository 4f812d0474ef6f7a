// Four services of repath.v1 over the registry. No method waits. Answers and batches come from
// writer threads. Queries are answered from snapshots: on query threads, a short FindPath on the
// thread of its call.
#pragma once

#include "repath/v1/agent.grpc.pb.h"
#include "repath/v1/debug.grpc.pb.h"
#include "repath/v1/path.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"
#include "rpc/arena_messages.h"
#include "runtime/registry.h"

namespace repath {

using CallContext = grpc::CallbackServerContext;
using UnaryCall = grpc::ServerUnaryReactor;

// ImportWorld reads bytes: gRPC reports bytes that are no message as it does the end of the file.
using WorldMethods = v1::WorldService::WithCallbackMethod_CreateWorld<
    v1::WorldService::WithRawCallbackMethod_ImportWorld<
        v1::WorldService::WithCallbackMethod_ForkWorld<
            v1::WorldService::WithCallbackMethod_GetWorld<
                v1::WorldService::WithCallbackMethod_ListWorlds<
                    v1::WorldService::WithCallbackMethod_DeleteWorld<
                        v1::WorldService::WithCallbackMethod_ApplyChanges<
                            v1::WorldService::WithCallbackMethod_TestChanges<
                                v1::WorldService::WithCallbackMethod_GetTerrain<
                                    v1::WorldService::WithCallbackMethod_ListObstacles<
                                        v1::WorldService::WithCallbackMethod_GetGraph<
                                            v1::WorldService::WithCallbackMethod_ExportWorld<
                                                v1::WorldService::WithCallbackMethod_ReadChanges<
                                                    v1::WorldService::WithCallbackMethod_WatchWorld<
                                                        v1::WorldService::Service>>>>>>>>>>>>>>;

class WorldService final : public WorldMethods {
 public:
  // Borrows the registry, as the services below.
  explicit WorldService(Registry& registry) : registry_(registry) {}

  UnaryCall* CreateWorld(CallContext*, const v1::CreateWorldRequest*, v1::World*) override;
  grpc::ServerReadReactor<grpc::ByteBuffer>* ImportWorld(CallContext*, grpc::ByteBuffer*) override;
  UnaryCall* ForkWorld(CallContext*, const v1::ForkWorldRequest*, v1::World*) override;
  UnaryCall* GetWorld(CallContext*, const v1::GetWorldRequest*, v1::World*) override;
  UnaryCall* ListWorlds(CallContext*, const v1::ListWorldsRequest*,
                        v1::ListWorldsResponse*) override;
  UnaryCall* DeleteWorld(CallContext*, const v1::DeleteWorldRequest*,
                         v1::DeleteWorldResponse*) override;
  UnaryCall* ApplyChanges(CallContext*, const v1::ApplyChangesRequest*,
                          v1::ApplyChangesResponse*) override;
  UnaryCall* TestChanges(CallContext*, const v1::TestChangesRequest*,
                         v1::TestChangesResponse*) override;
  UnaryCall* GetTerrain(CallContext*, const v1::GetTerrainRequest*,
                        v1::GetTerrainResponse*) override;
  UnaryCall* ListObstacles(CallContext*, const v1::ListObstaclesRequest*,
                           v1::ListObstaclesResponse*) override;
  UnaryCall* GetGraph(CallContext*, const v1::GetGraphRequest*, v1::GetGraphResponse*) override;
  grpc::ServerWriteReactor<v1::ExportWorldResponse>* ExportWorld(
      CallContext*, const v1::ExportWorldRequest*) override;
  UnaryCall* ReadChanges(CallContext*, const v1::ReadChangesRequest*,
                         v1::ReadChangesResponse*) override;
  grpc::ServerWriteReactor<v1::WatchWorldResponse>* WatchWorld(
      CallContext*, const v1::WatchWorldRequest*) override;

 private:
  Registry& registry_;
};

class PathService final : public v1::PathService::CallbackService {
 public:
  explicit PathService(Registry& registry) : registry_(registry) {
    SetMessageAllocatorFor_FindPath(&find_path_messages_);
  }

  UnaryCall* FindPath(CallContext*, const v1::FindPathRequest*, v1::FindPathResponse*) override;
  UnaryCall* FindPaths(CallContext*, const v1::FindPathsRequest*, v1::FindPathsResponse*) override;
  UnaryCall* FindNearest(CallContext*, const v1::FindNearestRequest*,
                         v1::FindNearestResponse*) override;
  UnaryCall* FindReachable(CallContext*, const v1::FindReachableRequest*,
                           v1::FindReachableResponse*) override;
  UnaryCall* FindAway(CallContext*, const v1::FindAwayRequest*, v1::FindAwayResponse*) override;
  UnaryCall* GetFlowField(CallContext*, const v1::GetFlowFieldRequest*,
                          v1::GetFlowFieldResponse*) override;
  UnaryCall* FindPlacements(CallContext*, const v1::FindPlacementsRequest*,
                            v1::FindPlacementsResponse*) override;
  UnaryCall* Raycast(CallContext*, const v1::RaycastRequest*, v1::RaycastResponse*) override;
  UnaryCall* CheckPath(CallContext*, const v1::CheckPathRequest*, v1::CheckPathResponse*) override;
  UnaryCall* FindRandomPoint(CallContext*, const v1::FindRandomPointRequest*,
                             v1::FindRandomPointResponse*) override;

 private:
  Registry& registry_;
  ArenaMessages<v1::FindPathRequest, v1::FindPathResponse> find_path_messages_;
};

// Every method takes and gives messages, except the streams of verdicts, which write bytes.
using AgentMethods = v1::AgentService::WithRawCallbackMethod_Session<
    v1::AgentService::WithRawCallbackMethod_WatchPaths<
        v1::AgentService::WithCallbackMethod_UpsertAgents<
            v1::AgentService::WithCallbackMethod_ReportPositions<
                v1::AgentService::WithCallbackMethod_RemoveAgents<
                    v1::AgentService::WithCallbackMethod_ListVerdicts<
                        v1::AgentService::WithCallbackMethod_ListAgents<
                            v1::AgentService::WithCallbackMethod_Tick<
                                v1::AgentService::Service>>>>>>>>;

class AgentService final : public AgentMethods {
 public:
  explicit AgentService(Registry& registry) : registry_(registry) {}

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* Session(CallContext*) override;
  UnaryCall* UpsertAgents(CallContext*, const v1::UpsertAgentsRequest*,
                          v1::UpsertAgentsResponse*) override;
  UnaryCall* ReportPositions(CallContext*, const v1::ReportPositionsRequest*,
                             v1::ReportPositionsResponse*) override;
  UnaryCall* RemoveAgents(CallContext*, const v1::RemoveAgentsRequest*,
                          v1::RemoveAgentsResponse*) override;
  UnaryCall* ListAgents(CallContext*, const v1::ListAgentsRequest*,
                        v1::ListAgentsResponse*) override;
  UnaryCall* ListVerdicts(CallContext*, const v1::ListVerdictsRequest*,
                          v1::ListVerdictsResponse*) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* WatchPaths(CallContext*,
                                                         const grpc::ByteBuffer*) override;
  UnaryCall* Tick(CallContext*, const v1::TickRequest*, v1::TickResponse*) override;

 private:
  Registry& registry_;
};

class DebugService final : public v1::DebugService::CallbackService {
 public:
  explicit DebugService(Registry& registry) : registry_(registry) {}

  UnaryCall* ExplainPath(CallContext*, const v1::ExplainPathRequest*,
                         v1::ExplainPathResponse*) override;
  UnaryCall* GetStats(CallContext*, const v1::GetStatsRequest*, v1::GetStatsResponse*) override;
  grpc::ServerWriteReactor<v1::WatchViewResponse>* WatchView(CallContext*,
                                                             const v1::WatchViewRequest*) override;
  UnaryCall* GetGround(CallContext*, const v1::GetGroundRequest*, v1::GetGroundResponse*) override;
  UnaryCall* GrowObstacle(CallContext*, const v1::GrowObstacleRequest*,
                          v1::GrowObstacleResponse*) override;

 private:
  Registry& registry_;
};

}  // namespace repath
