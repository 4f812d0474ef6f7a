// One world on the server, as the checker makes and changes it. The world is deleted when the link
// goes. Every call waits for its answer, at most kCallSeconds. Thread rule: one thread.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "repath/v1/agent.grpc.pb.h"
#include "repath/v1/debug.grpc.pb.h"
#include "repath/v1/path.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"
#include "verify/world_model.h"

namespace repath::verify {

inline constexpr int kCallSeconds = 120;

// Sets the deadline that every call of the checker has.
void limit_time(grpc::ClientContext& context);

class WorldLink {
 public:
  // `name` is made unique by the process and the time. `patience_s`: how long grow() waits for a
  // server that is started again; 0: not at all.
  WorldLink(std::shared_ptr<grpc::Channel> channel, const std::string& name, double patience_s = 0);
  ~WorldLink();
  WorldLink(const WorldLink&) = delete;
  WorldLink& operator=(const WorldLink&) = delete;

  const std::string& name() const { return name_; }

  // Makes the world and fills in `world` and `request.name`. `base_radius`: of meshes other than
  // OBJ.
  grpc::Status import_map(const std::string& file, v1::CreateWorldRequest request, v1::World& world,
                          double base_radius = 0);
  grpc::Status create(v1::CreateWorldRequest request, v1::World& world);
  grpc::Status get(v1::World& world);

  // Fills in `request.world`.
  grpc::Status apply(v1::ApplyChangesRequest request, v1::ApplyChangesResponse& answer);
  grpc::Status find_path(v1::FindPathRequest request, v1::FindPathResponse& answer);
  grpc::Status ground(v1::GetGroundRequest request, v1::GetGroundResponse& answer);
  // Returns how many kept searches of this world the server has repaired.
  grpc::Status repairs(std::uint64_t& count);
  // The answer depends on the request alone, so a call that a restart breaks is made again.
  grpc::Status grow(const v1::GrowObstacleRequest& request, v1::GrowObstacleResponse& answer);

 private:
  std::string name_;
  std::chrono::duration<double> patience_;
  bool made_ = false;
  std::unique_ptr<v1::WorldService::Stub> worlds_;
  std::unique_ptr<v1::PathService::Stub> paths_;
  std::unique_ptr<v1::DebugService::Stub> debug_;
};

}  // namespace repath::verify
