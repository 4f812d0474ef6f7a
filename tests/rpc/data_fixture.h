// A repathd with a data folder, which a test kills and starts again.
#pragma once

#include <signal.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rpc/fixture.h"
#include "rpc/program.h"
#include "support/temp_path.h"

namespace repath::test {

class Data : public testing::Test {
 protected:
  Data() { start(); }
  ~Data() override {
    program_.reset();
    std::filesystem::remove_all(folder_);
    std::filesystem::remove(socket_);
  }

  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"--listen",    "unix:" + socket_, "--admin",
                                 "127.0.0.1:0", "--data",          folder_};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // `under`: see Program.
  void start(std::vector<std::string> more = {}, std::vector<std::string> under = {}) {
    program_ = std::make_unique<Program>(std::move(under), arguments(std::move(more)));
    ASSERT_TRUE(program_->wait_for_log("ready admin=")) << program_->log();
    grpc::ChannelArguments own;  // not the channel to the process before
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    channel_ =
        grpc::CreateCustomChannel("unix:" + socket_, grpc::InsecureChannelCredentials(), own);
    worlds_ = v1::WorldService::NewStub(channel_);
    agents_ = v1::AgentService::NewStub(channel_);
    paths_ = v1::PathService::NewStub(channel_);
    debug_ = v1::DebugService::NewStub(channel_);
  }
  void kill_and_start() {
    program_->signal(SIGKILL);
    program_->exit_status();
    std::filesystem::remove(socket_);
    start();
  }

  grpc::Status create(const std::string& name, std::int32_t width = 10,
                      const std::string& request_id = "", v1::World* world = nullptr) {
    Context context;
    v1::CreateWorldRequest request;
    request.set_name(name);
    request.set_width(width);
    request.set_height(10);
    request.set_request_id(request_id);
    v1::World made;
    return worlds_->CreateWorld(&context, request, world == nullptr ? &made : world);
  }
  v1::World get(const std::string& name) {
    Context context;
    v1::GetWorldRequest request;
    request.set_world(name);
    v1::World world;
    const grpc::Status status = worlds_->GetWorld(&context, request, &world);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return world;
  }
  grpc::Status fork(const std::string& source, const std::string& name, std::uint64_t revision = 0,
                    v1::World* world = nullptr, const std::string& request_id = "") {
    Context context;
    v1::ForkWorldRequest request;
    request.set_source(source);
    request.set_name(name);
    request.set_revision(revision);
    request.set_request_id(request_id);
    v1::World made;
    return worlds_->ForkWorld(&context, request, world == nullptr ? &made : world);
  }
  v1::ApplyChangesResponse block(std::int32_t x, const std::string& request_id = "",
                                 v1::Durability durability = v1::DURABILITY_UNSPECIFIED,
                                 const std::string& world = "w") {
    Context context;
    v1::ApplyChangesRequest request;
    request.set_world(world);
    request.set_request_id(request_id);
    request.set_durability(durability);
    auto* obstacle = request.mutable_batch()->add_upsert_obstacles();
    obstacle->set_id(static_cast<std::uint64_t>(x) + 1);
    obstacle->set_blocked(true);
    auto* cells = obstacle->mutable_cells();
    cells->set_x0(x);
    cells->set_x1(x + 1);
    cells->set_y0(3);
    cells->set_y1(4);
    v1::ApplyChangesResponse response;
    const grpc::Status status = worlds_->ApplyChanges(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  static void fill_agent(std::uint64_t id, v1::Agent* agent) {
    agent->set_id(id);
    agent->set_goal_generation(7);
    agent->mutable_position()->mutable_position()->set_x(1.5);
    agent->mutable_position()->mutable_position()->set_z(1.5);
    auto* goal = agent->add_goals()->mutable_position();
    goal->set_x(8.5);
    goal->set_z(8.5);
  }
  v1::ListAgentsResponse list() {
    Context context;
    v1::ListAgentsRequest request;
    request.set_world("w");
    v1::ListAgentsResponse response;
    EXPECT_TRUE(agents_->ListAgents(&context, request, &response).ok());
    return response;
  }

  const std::string folder_ = temp_path("data");
  const std::string socket_ = temp_path("data.sock");
  std::unique_ptr<Program> program_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::WorldService::Stub> worlds_;
  std::unique_ptr<v1::AgentService::Stub> agents_;
  std::unique_ptr<v1::PathService::Stub> paths_;
  std::unique_ptr<v1::DebugService::Stub> debug_;
};

}  // namespace repath::test
