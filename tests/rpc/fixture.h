// A server in this process on a socket of its own, and stubs to it.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "repath/v1/agent.grpc.pb.h"
#include "repath/v1/debug.grpc.pb.h"
#include "repath/v1/path.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"
#include "rpc/server.h"
#include "runtime/registry.h"

namespace repath::test {

// The context of a call, with a deadline, so that a server that does not answer fails a test
// instead of blocking it.
struct Context : grpc::ClientContext {
  Context() { set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20)); }
};

// The details of an error: its one ErrorInfo and its field.
struct Fault {
  int infos = 0;
  std::string reason;
  std::string domain;
  std::string field;
  std::map<std::string, std::string> metadata;
};

inline Fault fault_of(const grpc::Status& status) {
  Fault fault;
  google::rpc::Status details;
  details.ParseFromString(status.error_details());
  EXPECT_EQ(details.code(), static_cast<int>(status.error_code()));
  for (const auto& any : details.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest bad;
    if (any.UnpackTo(&info)) {
      ++fault.infos;
      fault.reason = info.reason();
      fault.domain = info.domain();
      for (const auto& [name, fact] : info.metadata()) fault.metadata[name] = fact;
    } else if (any.UnpackTo(&bad) && bad.field_violations_size() == 1) {
      fault.field = bad.field_violations(0).field();
    }
  }
  return fault;
}

inline void expect_fault(const grpc::Status& status, grpc::StatusCode code,
                         const std::string& reason, const std::string& field) {
  EXPECT_EQ(status.error_code(), code) << status.error_message();
  const Fault fault = fault_of(status);
  EXPECT_EQ(fault.infos, 1);
  EXPECT_EQ(fault.domain, "repath");
  EXPECT_EQ(fault.reason, reason) << status.error_message();
  EXPECT_EQ(fault.field, field) << status.error_message();
}

class Server : public testing::Test {
 protected:
  explicit Server(const Limits& limits = {}) : limits_(limits) {}
  void SetUp() override {
    auto server = RpcServer::start({"127.0.0.1:0"}, registry_);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    connect(server_->addresses().front());
  }
  void connect(const std::string& address) {
    channel_ = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
    worlds_ = v1::WorldService::NewStub(channel_);
    paths_ = v1::PathService::NewStub(channel_);
    agents_ = v1::AgentService::NewStub(channel_);
    debug_ = v1::DebugService::NewStub(channel_);
  }

  // Imports two rooms, with a wall between them and one door at (4, 2).
  v1::World import_square(const std::string& name, bool lockstep) {
    Context context;
    v1::World world;
    auto writer = worlds_->ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name(name);
    part.mutable_header()->mutable_world()->mutable_options()->set_lockstep(lockstep);
    writer->Write(part);
    part.set_chunk("..........\n..........\n####.#####\n");
    writer->Write(part);
    part.set_chunk("..........\n..........\n");
    writer->Write(part);
    writer->WritesDone();
    const grpc::Status status = writer->Finish();
    EXPECT_TRUE(status.ok()) << status.error_message();
    return world;
  }
  static v1::ApplyChangesRequest shut_door(const std::string& world) {
    v1::ApplyChangesRequest request;
    request.set_world(world);
    auto* obstacle = request.mutable_batch()->add_upsert_obstacles();
    obstacle->set_id(1);
    obstacle->set_blocked(true);
    auto* cells = obstacle->mutable_cells();
    cells->set_x0(4);
    cells->set_y0(2);
    cells->set_x1(5);
    cells->set_y1(3);
    return request;
  }
  v1::ApplyChangesResponse apply(const v1::ApplyChangesRequest& request) {
    Context context;
    v1::ApplyChangesResponse response;
    const grpc::Status status = worlds_->ApplyChanges(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  static void set_cell(int x, int y, v1::Location* location) {
    location->mutable_cell()->set_x(x);
    location->mutable_cell()->set_y(y);
  }

  const Limits limits_;
  Threads threads_{limits_};
  Registry registry_{limits_, threads_};
  std::unique_ptr<RpcServer> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::WorldService::Stub> worlds_;
  std::unique_ptr<v1::PathService::Stub> paths_;
  std::unique_ptr<v1::AgentService::Stub> agents_;
  std::unique_ptr<v1::DebugService::Stub> debug_;
};

}  // namespace repath::test
