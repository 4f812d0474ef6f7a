// The audit: one line in the log for each change, which says who has changed what.
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "repath/v1/admin.grpc.pb.h"
#include "rpc/access_fixture.h"

namespace repath {
namespace {

using test::Context;

using Lines = std::vector<std::string>;

// Keeps the log's lines of the audit.
class AuditSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  Lines take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string line(message.payload.data(), message.payload.size());
    if (line.starts_with("audit ")) lines_.push_back(line);
  }
  void flush_() override {}

  Lines lines_;
};

class Audit : public test::Guarded {
 protected:
  void SetUp() override {
    Guarded::SetUp();
    before_ = spdlog::default_logger();
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("audit", sink_));
  }
  void TearDown() override {
    Guarded::TearDown();
    spdlog::set_default_logger(before_);
  }

  struct Allowed : Context {
    Allowed() { AddMetadata("authorization", test::bearer("all")); }
  };
  // Expects that the calls since the last look have left these lines; `what` holds the
  // part of each that follows the caller.
  void expect_lines(const Lines& what) {
    Lines wanted;
    for (const std::string& rest : what)
      wanted.push_back("audit who=\"token all\" what=repath.v1." + rest);
    EXPECT_EQ(sink_->take(), wanted);
  }

  void create(const std::string& name) {
    Allowed context;
    v1::CreateWorldRequest request;
    request.set_name(name);
    request.set_width(8);
    request.set_height(8);
    v1::World world;
    const grpc::Status status = worlds_->CreateWorld(&context, request, &world);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  void import(const std::string& request_id) {
    Allowed context;
    v1::World world;
    const auto writer = worlds_->ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name("hall");
    part.mutable_header()->mutable_world()->set_request_id(request_id);
    writer->Write(part);
    part.set_chunk("....\n....\n");
    writer->Write(part);
    writer->WritesDone();
    const grpc::Status status = writer->Finish();
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  void fork(const std::string& name, const std::string& request_id) {
    Allowed context;
    v1::ForkWorldRequest request;
    request.set_source("town");
    request.set_name(name);
    request.set_request_id(request_id);
    v1::World world;
    const grpc::Status status = worlds_->ForkWorld(&context, request, &world);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  void shut(const std::string& request_id) {
    Allowed context;
    v1::ApplyChangesRequest request = shut_door("town");
    request.set_request_id(request_id);
    v1::ApplyChangesResponse response;
    EXPECT_TRUE(worlds_->ApplyChanges(&context, request, &response).ok());
  }
  void add_agent(std::uint64_t id) {
    Allowed context;
    v1::UpsertAgentsRequest request;
    request.set_world("town");
    auto* agent = request.add_agents();
    agent->set_id(id);
    set_cell(1, 1, agent->mutable_position());
    set_cell(6, 1, agent->add_goals());
    v1::UpsertAgentsResponse response;
    const grpc::Status status = agents_->UpsertAgents(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  void remove_agent(std::uint64_t id) {
    Allowed context;
    v1::RemoveAgentsRequest request;
    request.set_world("town");
    request.add_agent_ids(id);
    v1::RemoveAgentsResponse response;
    EXPECT_TRUE(agents_->RemoveAgents(&context, request, &response).ok());
  }
  grpc::Status close_session(const std::string& id) {
    Allowed context;
    v1::CloseSessionRequest request;
    request.set_world("town");
    request.set_session_id(id);
    v1::CloseSessionResponse response;
    return v1::AdminService::NewStub(channel_)->CloseSession(&context, request, &response);
  }
  // Opens a session, and ends its stream when the server has answered.
  void open_session(const std::string& id, std::uint32_t ttl_ms) {
    Allowed context;
    const auto stream = agents_->Session(&context);
    v1::SessionRequest request;
    request.mutable_open()->set_world("town");
    request.mutable_open()->set_session_id(id);
    request.mutable_open()->set_session_ttl_ms(ttl_ms);
    stream->Write(request);
    v1::SessionResponse answer;
    EXPECT_TRUE(stream->Read(&answer));
    stream->WritesDone();
    while (stream->Read(&answer)) continue;
    EXPECT_TRUE(stream->Finish().ok());
  }

  const std::shared_ptr<AuditSink> sink_ = std::make_shared<AuditSink>();
  std::shared_ptr<spdlog::logger> before_;
};

TEST_F(Audit, WorldsMadeAndDeletedAreLinesWithTheirRevision) {
  create("town");
  create("town");
  expect_lines({"WorldService.CreateWorld world=town revision=1",
                "WorldService.CreateWorld world=town revision=1 repeated=true"});
  import("once");
  import("once");
  import("");
  expect_lines({"WorldService.ImportWorld world=hall revision=1",
                "WorldService.ImportWorld world=hall revision=1 repeated=true",
                "WorldService.ImportWorld world=hall revision=1 repeated=true"});
  shut("");
  fork("village", "once more");
  fork("village", "once more");
  expect_lines({"WorldService.ApplyChanges world=town revision=2",
                "WorldService.ForkWorld world=village revision=2",
                "WorldService.ForkWorld world=village revision=2 repeated=true"});
  for (const bool is_there : {true, false}) {
    Allowed context;
    v1::DeleteWorldRequest request;
    request.set_world("village");
    v1::DeleteWorldResponse response;
    EXPECT_EQ(worlds_->DeleteWorld(&context, request, &response).ok(), is_there);
  }
  expect_lines({"WorldService.DeleteWorld world=village revision=2"});
}

TEST_F(Audit, ChangesOfAWorldAreLinesWithItsRevisionUnlessNothingChanged) {
  create("town");
  expect_lines({"WorldService.CreateWorld world=town revision=1"});
  shut("once");
  shut("once");
  expect_lines({"WorldService.ApplyChanges world=town revision=2",
                "WorldService.ApplyChanges world=town revision=2 repeated=true"});
  add_agent(7);
  remove_agent(7);
  remove_agent(7);
  expect_lines({"AgentService.UpsertAgents world=town revision=2",
                "AgentService.RemoveAgents world=town revision=2"});
}

TEST_F(Audit, SessionsAreLinesWithTheirIdWhenTheyOpenAndEnd) {
  create("town");
  shut("");
  sink_->take();
  open_session("match", 60'000);
  open_session("match", 60'000);
  EXPECT_TRUE(close_session("match").ok());
  EXPECT_FALSE(close_session("match").ok());
  expect_lines({"AgentService.Session world=town session=match revision=2",
                "AgentService.Session world=town session=match revision=2 resumed=true",
                "AdminService.CloseSession world=town session=match revision=2"});
}

TEST_F(Audit, TheServerEndsASessionWhoseTimeIsOverWithALineOfItsOwn) {
  create("town");
  sink_->take();
  open_session("match", 1);
  Lines lines;
  for (int i = 0; i < 2000 && lines.size() < 2; ++i) {
    std::ranges::move(sink_->take(), std::back_inserter(lines));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1],
            "audit who=\"server\" what=session-expired world=town session=match revision=1");
}

}  // namespace
}  // namespace repath
