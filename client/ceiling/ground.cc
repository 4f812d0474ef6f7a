#include "ceiling/ground.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "repath/v1/agent.grpc.pb.h"
#include "repath/v1/debug.grpc.pb.h"
#include "repath/v1/path.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::ceiling {
namespace {

constexpr const char* kWorld = "ceiling";
constexpr int kSide = 256;
constexpr int kPillarEvery = 8;  // cells; each pillar is 2 x 2
constexpr int kAgentsPerCall = 4096;
constexpr int kWaitSteps = 600;  // of 100 ms, for the first paths

void limit_time(grpc::ClientContext& context) {
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
}

void put(int x, int y, v1::Location* place) {
  place->mutable_cell()->set_x(x);
  place->mutable_cell()->set_y(y);
}

grpc::Status make_world(const std::shared_ptr<grpc::Channel>& channel) {
  const auto worlds = v1::WorldService::NewStub(channel);
  v1::CreateWorldRequest create;
  create.set_name(kWorld);
  create.set_width(kSide);
  create.set_height(kSide);
  grpc::ClientContext creating;
  limit_time(creating);
  v1::World world;
  if (auto status = worlds->CreateWorld(&creating, create, &world); !status.ok()) return status;
  v1::ApplyChangesRequest changes;
  changes.set_world(kWorld);
  for (int y = kPillarEvery / 2; y < kSide; y += kPillarEvery) {
    for (int x = kPillarEvery / 2; x < kSide; x += kPillarEvery) {
      auto* pillar = changes.mutable_batch()->add_upsert_obstacles();
      pillar->set_id(static_cast<std::uint64_t>(y * kSide + x));
      pillar->set_blocked(true);
      auto* cells = pillar->mutable_cells();
      cells->set_x0(x);
      cells->set_y0(y);
      cells->set_x1(x + 2);
      cells->set_y1(y + 2);
    }
  }
  grpc::ClientContext applying;
  limit_time(applying);
  v1::ApplyChangesResponse applied;
  return worlds->ApplyChanges(&applying, changes, &applied);
}

// Adds agents in rows between the pillars. Each goal lies around one pillar to the right and two
// below.
grpc::Status add_agents(v1::AgentService::Stub& agents, int first, int count) {
  constexpr int kPerRow = kSide - 2 * kPillarEvery;
  v1::UpsertAgentsRequest request;
  request.set_world(kWorld);
  for (int i = first; i < first + count; ++i) {
    const int x = i % kPerRow;
    const int y = (i / kPerRow * kPillarEvery) % (kSide - 2 * kPillarEvery);
    auto* agent = request.add_agents();
    agent->set_id(static_cast<std::uint64_t>(i) + 1);
    put(x, y, agent->mutable_position());
    put(x + 10, y + 2 * kPillarEvery - 1, agent->add_goals());
  }
  grpc::ClientContext context;
  limit_time(context);
  v1::UpsertAgentsResponse answer;
  return agents.UpsertAgents(&context, request, &answer);
}

v1::FindPathRequest short_request() {
  v1::FindPathRequest request;
  request.set_world(kWorld);
  put(kPillarEvery, kPillarEvery, request.mutable_from());
  put(kPillarEvery + 10, kPillarEvery + 6, request.add_goals());
  return request;
}

// Fails unless the query finds a path: refusals must not be measured.
grpc::Status try_short_path(const std::shared_ptr<grpc::Channel>& channel) {
  const auto paths = v1::PathService::NewStub(channel);
  grpc::ClientContext context;
  limit_time(context);
  v1::FindPathResponse answer;
  if (auto status = paths->FindPath(&context, short_request(), &answer); !status.ok())
    return status;
  if (answer.path().status() == v1::PATH_STATUS_COMPLETE) return grpc::Status::OK;
  return {grpc::StatusCode::INTERNAL, "FindPath found no path on the plain of pillars"};
}

grpc::Status await_paths(const std::shared_ptr<grpc::Channel>& channel, int agents) {
  const auto debug = v1::DebugService::NewStub(channel);
  v1::GetStatsRequest request;
  request.set_world(kWorld);
  for (int i = 0; i < kWaitSteps; ++i) {
    grpc::ClientContext context;
    limit_time(context);
    v1::GetStatsResponse stats;
    if (auto status = debug->GetStats(&context, request, &stats); !status.ok()) return status;
    if (stats.waiting() == 0) {
      const auto found = stats.events().find("NEW_PATH");
      if (found != stats.events().end() && found->second == static_cast<std::uint64_t>(agents))
        return grpc::Status::OK;
      return {grpc::StatusCode::INTERNAL, "an agent has no path on the plain of pillars"};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return {grpc::StatusCode::DEADLINE_EXCEEDED, "the agents had no paths after a minute"};
}

}  // namespace

grpc::Status make_ground(const std::shared_ptr<grpc::Channel>& channel, int agents) {
  if (auto status = make_world(channel); !status.ok()) return status;
  const auto stub = v1::AgentService::NewStub(channel);
  for (int i = 0; i < agents; i += kAgentsPerCall) {
    const int count = std::min(kAgentsPerCall, agents - i);
    if (auto status = add_agents(*stub, i, count); !status.ok()) return status;
  }
  if (auto status = await_paths(channel, agents); !status.ok()) return status;
  return try_short_path(channel);
}

WireCall short_path() {
  return {"/repath.v1.PathService/FindPath", short_request().SerializeAsString()};
}

WireCall all_verdicts() {
  v1::WatchPathsRequest request;
  request.set_world(kWorld);
  return {"/repath.v1.AgentService/WatchPaths", request.SerializeAsString()};
}

grpc::Status change_nothing(const std::shared_ptr<grpc::Channel>& channel) {
  const auto worlds = v1::WorldService::NewStub(channel);
  v1::ApplyChangesRequest changes;
  changes.set_world(kWorld);
  auto* nothing = changes.mutable_batch()->add_upsert_obstacles();
  nothing->set_id(kSide * kSide);  // the id of no pillar
  nothing->set_blocked(true);
  nothing->set_disabled(true);
  auto* cells = nothing->mutable_cells();
  cells->set_x1(1);
  cells->set_y1(1);
  grpc::ClientContext context;
  limit_time(context);
  v1::ApplyChangesResponse applied;
  return worlds->ApplyChanges(&context, changes, &applied);
}

}  // namespace repath::ceiling
