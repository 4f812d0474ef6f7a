// repath.v1.AgentService over the registry. Every method returns at once; answers and batches come
// from writer threads.
#pragma once

#include "repath/v1/agent.grpc.pb.h"
#include "runtime/registry.h"

namespace repath {

class AgentService final : public v1::AgentService::CallbackService {
 public:
  // Borrows the registry.
  explicit AgentService(Registry& registry) : registry_(registry) {}

  grpc::ServerBidiReactor<v1::SessionRequest, v1::SessionResponse>* Session(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* UpsertAgents(grpc::CallbackServerContext* context,
                                         const v1::UpsertAgentsRequest* request,
                                         v1::UpsertAgentsResponse* response) override;
  grpc::ServerUnaryReactor* ReportPositions(grpc::CallbackServerContext* context,
                                            const v1::ReportPositionsRequest* request,
                                            v1::ReportPositionsResponse* response) override;
  grpc::ServerUnaryReactor* RemoveAgents(grpc::CallbackServerContext* context,
                                         const v1::RemoveAgentsRequest* request,
                                         v1::RemoveAgentsResponse* response) override;
  grpc::ServerUnaryReactor* ListAgents(grpc::CallbackServerContext* context,
                                       const v1::ListAgentsRequest* request,
                                       v1::ListAgentsResponse* response) override;
  grpc::ServerWriteReactor<v1::EventBatch>* WatchPaths(
      grpc::CallbackServerContext* context, const v1::WatchPathsRequest* request) override;
  grpc::ServerUnaryReactor* Tick(grpc::CallbackServerContext* context,
                                 const v1::TickRequest* request,
                                 v1::TickResponse* response) override;

 private:
  Registry& registry_;
};

}  // namespace repath
