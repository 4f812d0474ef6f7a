#include "verify/world_link.h"

#include <grpcpp/client_context.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "verify/comeback.h"

namespace repath::verify {
namespace {

constexpr std::size_t kChunkBytes = 1 << 20;

}  // namespace

void limit_time(grpc::ClientContext& context) {
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(kCallSeconds));
}

WorldLink::WorldLink(std::shared_ptr<grpc::Channel> channel, const std::string& name,
                     double patience_s)
    : patience_(patience_s),
      worlds_(v1::WorldService::NewStub(channel)),
      paths_(v1::PathService::NewStub(channel)),
      debug_(v1::DebugService::NewStub(channel)) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  name_ = name + "-" + std::to_string(getpid()) + "-" +
          std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

WorldLink::~WorldLink() {
  if (!made_) return;
  grpc::ClientContext context;
  limit_time(context);
  v1::DeleteWorldRequest request;
  request.set_world(name_);
  v1::DeleteWorldResponse answer;
  worlds_->DeleteWorld(&context, request, &answer);
}

grpc::Status WorldLink::import_map(const std::string& file, v1::CreateWorldRequest request,
                                   v1::World& world, double base_radius) {
  grpc::ClientContext context;
  limit_time(context);
  request.set_name(name_);
  const auto stream = worlds_->ImportWorld(&context, &world);
  v1::ImportWorldRequest part;
  *part.mutable_header()->mutable_world() = std::move(request);
  part.mutable_header()->set_base_radius(base_radius);
  bool open = stream->Write(part);
  for (std::size_t at = 0; open && at < file.size(); at += kChunkBytes) {
    part.set_chunk(file.substr(at, kChunkBytes));
    open = stream->Write(part);
  }
  stream->WritesDone();
  grpc::Status status = stream->Finish();
  made_ = status.ok();
  return status;
}

grpc::Status WorldLink::create(v1::CreateWorldRequest request, v1::World& world) {
  grpc::ClientContext context;
  limit_time(context);
  request.set_name(name_);
  grpc::Status status = worlds_->CreateWorld(&context, request, &world);
  made_ = status.ok();
  return status;
}

grpc::Status WorldLink::get(v1::World& world) {
  grpc::ClientContext context;
  limit_time(context);
  v1::GetWorldRequest request;
  request.set_world(name_);
  return worlds_->GetWorld(&context, request, &world);
}

grpc::Status WorldLink::apply(v1::ApplyChangesRequest request, v1::ApplyChangesResponse& answer) {
  grpc::ClientContext context;
  limit_time(context);
  request.set_world(name_);
  return worlds_->ApplyChanges(&context, request, &answer);
}

grpc::Status WorldLink::find_path(v1::FindPathRequest request, v1::FindPathResponse& answer) {
  grpc::ClientContext context;
  limit_time(context);
  request.set_world(name_);
  return paths_->FindPath(&context, request, &answer);
}

grpc::Status WorldLink::ground(v1::GetGroundRequest request, v1::GetGroundResponse& answer) {
  grpc::ClientContext context;
  limit_time(context);
  request.set_world(name_);
  return debug_->GetGround(&context, request, &answer);
}

grpc::Status WorldLink::repairs(std::uint64_t& count) {
  grpc::ClientContext context;
  limit_time(context);
  v1::GetStatsRequest request;
  request.set_world(name_);
  v1::GetStatsResponse answer;
  grpc::Status status = debug_->GetStats(&context, request, &answer);
  count = 0;
  for (const v1::StrategyStats& strategy : answer.strategies()) count += strategy.repairs();
  return status;
}

grpc::Status WorldLink::grow(const v1::GrowObstacleRequest& request,
                             v1::GrowObstacleResponse& answer) {
  const auto grow_once = [&](bool waits) {
    grpc::ClientContext context;
    limit_time(context);
    if (waits) {
      context.set_wait_for_ready(true);
      context.set_deadline(
          std::chrono::system_clock::now() +
          std::chrono::duration_cast<std::chrono::system_clock::duration>(patience_));
    }
    return debug_->GrowObstacle(&context, request, &answer);
  };
  grpc::Status status = grow_once(/*waits=*/false);
  const auto ends_at = std::chrono::steady_clock::now() + patience_;
  while (is_broken(status) && std::chrono::steady_clock::now() < ends_at)
    status = grow_once(/*waits=*/true);
  return status;
}

}  // namespace repath::verify
