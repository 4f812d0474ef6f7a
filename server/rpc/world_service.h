// repath.v1.WorldService over the registry. Every method returns at once; answers come from writer
// threads.
#pragma once

#include "repath/v1/world.grpc.pb.h"
#include "runtime/registry.h"

namespace repath {

class WorldService final : public v1::WorldService::CallbackService {
 public:
  // Borrows the registry.
  explicit WorldService(Registry& registry) : registry_(registry) {}

  grpc::ServerUnaryReactor* CreateWorld(grpc::CallbackServerContext* context,
                                        const v1::CreateWorldRequest* request,
                                        v1::World* response) override;
  grpc::ServerReadReactor<v1::ImportWorldRequest>* ImportWorld(grpc::CallbackServerContext* context,
                                                               v1::World* response) override;
  grpc::ServerUnaryReactor* GetWorld(grpc::CallbackServerContext* context,
                                     const v1::GetWorldRequest* request,
                                     v1::World* response) override;
  grpc::ServerUnaryReactor* ListWorlds(grpc::CallbackServerContext* context,
                                       const v1::ListWorldsRequest* request,
                                       v1::ListWorldsResponse* response) override;
  grpc::ServerUnaryReactor* DeleteWorld(grpc::CallbackServerContext* context,
                                        const v1::DeleteWorldRequest* request,
                                        v1::DeleteWorldResponse* response) override;
  grpc::ServerUnaryReactor* ApplyChanges(grpc::CallbackServerContext* context,
                                         const v1::ApplyChangesRequest* request,
                                         v1::ApplyChangesResponse* response) override;
  grpc::ServerUnaryReactor* TestChanges(grpc::CallbackServerContext* context,
                                        const v1::TestChangesRequest* request,
                                        v1::TestChangesResponse* response) override;
  grpc::ServerUnaryReactor* ReadChanges(grpc::CallbackServerContext* context,
                                        const v1::ReadChangesRequest* request,
                                        v1::ReadChangesResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchWorldResponse>* WatchWorld(
      grpc::CallbackServerContext* context, const v1::WatchWorldRequest* request) override;

 private:
  Registry& registry_;
};

}  // namespace repath
