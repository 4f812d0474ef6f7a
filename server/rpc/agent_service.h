// repath.v1.AgentService over the registry. Every method returns at once; answers and batches come
// from writer threads.
#pragma once

#include "repath/v1/agent.grpc.pb.h"
#include "runtime/registry.h"

namespace repath {

// Every method takes and gives messages, except the streams of verdicts, which write bytes.
using AgentMethods = v1::AgentService::WithRawCallbackMethod_Session<
    v1::AgentService::WithRawCallbackMethod_WatchPaths<
        v1::AgentService::WithCallbackMethod_UpsertAgents<
            v1::AgentService::WithCallbackMethod_ReportPositions<
                v1::AgentService::WithCallbackMethod_RemoveAgents<
                    v1::AgentService::WithCallbackMethod_ListAgents<
                        v1::AgentService::WithCallbackMethod_Tick<v1::AgentService::Service>>>>>>>;

class AgentService final : public AgentMethods {
 public:
  // Borrows the registry.
  explicit AgentService(Registry& registry) : registry_(registry) {}

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* Session(
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
  grpc::ServerWriteReactor<grpc::ByteBuffer>* WatchPaths(grpc::CallbackServerContext* context,
                                                         const grpc::ByteBuffer* bytes) override;
  grpc::ServerUnaryReactor* Tick(grpc::CallbackServerContext* context,
                                 const v1::TickRequest* request,
                                 v1::TickResponse* response) override;

 private:
  Registry& registry_;
};

}  // namespace repath
