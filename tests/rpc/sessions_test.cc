// Sessions with a secret, their owners by token, and the calls that list and close them.
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "repath/v1/admin.grpc.pb.h"
#include "rpc/access_fixture.h"
#include "rpc/data_fixture.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

constexpr const char* kTraceParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

v1::SessionRequest opening(const std::string& world, const std::string& session,
                           const std::string& secret) {
  v1::SessionRequest request;
  request.set_sequence(1);
  request.mutable_open()->set_world(world);
  request.mutable_open()->set_session_id(session);
  request.mutable_open()->set_session_secret(secret);
  request.mutable_open()->set_ack_window(16);  // these clients acknowledge nothing
  return request;
}

// A stream that sends one message and reads one answer.
class OpenStream {
 public:
  OpenStream(v1::AgentService::Stub& stub, const v1::SessionRequest& open,
             const std::string& authorization = "") {
    if (!authorization.empty()) context_.AddMetadata("authorization", authorization);
    context_.AddMetadata("traceparent", kTraceParent);
    stream_ = stub.Session(&context_);
    stream_->Write(open);
    stream_->Read(&first_);
  }
  ~OpenStream() {
    context_.TryCancel();
    finish();
  }

  const v1::SessionResponse::Opened& opened() const { return first_.opened(); }
  void send(const v1::SessionRequest& request) { stream_->Write(request); }
  // Reads until a batch says that the message took effect.
  void wait_for(std::uint64_t sequence) {
    v1::SessionResponse response;
    while (stream_->Read(&response))
      if (response.batch().applied_sequence() >= sequence) return;
    ADD_FAILURE() << "the stream ended before message " << sequence << " took effect";
  }
  grpc::Status finish() {
    if (is_over_) return status_;
    is_over_ = true;
    v1::SessionResponse response;
    while (stream_->Read(&response)) continue;
    return status_ = stream_->Finish();
  }

 private:
  Context context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> stream_;
  v1::SessionResponse first_;
  bool is_over_ = false;
  grpc::Status status_;
};

void put_agent(std::uint64_t id, v1::Agent* agent) {
  agent->set_id(id);
  agent->mutable_position()->mutable_cell()->set_x(1);
  agent->mutable_position()->mutable_cell()->set_y(1);
  agent->add_goals()->mutable_cell()->set_x(3);
}

v1::SessionRequest upsert_of(std::uint64_t sequence, std::uint64_t id) {
  v1::SessionRequest request;
  request.set_sequence(sequence);
  put_agent(id, request.mutable_upsert()->add_agents());
  return request;
}

grpc::Status close_session(v1::AdminService::Stub& stub, const std::string& world,
                           const std::string& session, v1::CloseSessionResponse* response) {
  Context context;
  v1::CloseSessionRequest request;
  request.set_world(world);
  request.set_session_id(session);
  return stub.CloseSession(&context, request, response);
}

v1::ListSessionsResponse list_sessions(v1::AdminService::Stub& stub, const std::string& world,
                                       int page_size = 0, const std::string& token = "") {
  Context context;
  v1::ListSessionsRequest request;
  request.set_world(world);
  request.set_page_size(page_size);
  request.set_page_token(token);
  v1::ListSessionsResponse response;
  const grpc::Status status = stub.ListSessions(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response;
}

Limits short_sessions() {
  Limits limits;
  limits.session_ttl_max_s = 20;
  return limits;
}

class SessionRules : public Server {
 protected:
  SessionRules() : Server(short_sessions()) {}
  void SetUp() override {
    Server::SetUp();
    import_square("square", false);
    admin_ = v1::AdminService::NewStub(channel_);
  }
  void expect_refused(const v1::SessionRequest& open, const std::string& reason,
                      const std::string& field) {
    const auto code = reason == "SESSION_DENIED" ? grpc::PERMISSION_DENIED : grpc::INVALID_ARGUMENT;
    expect_fault(OpenStream(*agents_, open).finish(), code, reason, field);
  }

  std::unique_ptr<v1::AdminService::Stub> admin_;
};

TEST_F(SessionRules, ASecretIsNeededToResumeToTakeOverAndInUnaryCalls) {
  OpenStream mine(*agents_, opening("square", "s", "hush"));
  ASSERT_EQ(mine.opened().session_id(), "s");
  mine.send(upsert_of(2, 7));
  mine.wait_for(2);
  for (const char* wrong : {"", "hushh", "Hush"})
    expect_refused(opening("square", "s", wrong), "SESSION_DENIED", "open.session_secret");
  for (const char* wrong : {"", "x"}) {
    Context upserts;
    Context reports;
    Context removes;
    v1::UpsertAgentsRequest upsert;
    upsert.set_world("square");
    upsert.set_session_id("s");
    upsert.set_session_secret(wrong);
    put_agent(8, upsert.add_agents());
    v1::UpsertAgentsResponse upserted;
    expect_fault(agents_->UpsertAgents(&upserts, upsert, &upserted), grpc::PERMISSION_DENIED,
                 "SESSION_DENIED", "session_secret");
    v1::ReportPositionsRequest report;
    report.set_world("square");
    report.set_session_id("s");
    report.set_session_secret(wrong);
    report.add_positions()->set_id(7);
    report.mutable_positions(0)->mutable_position()->mutable_cell();
    v1::ReportPositionsResponse reported;
    expect_fault(agents_->ReportPositions(&reports, report, &reported), grpc::PERMISSION_DENIED,
                 "SESSION_DENIED", "session_secret");
    v1::RemoveAgentsRequest remove;
    remove.set_world("square");
    remove.set_session_id("s");
    remove.set_session_secret(wrong);
    remove.add_agent_ids(7);
    v1::RemoveAgentsResponse removed;
    expect_fault(agents_->RemoveAgents(&removes, remove, &removed), grpc::PERMISSION_DENIED,
                 "SESSION_DENIED", "session_secret");
  }
  OpenStream again(*agents_, opening("square", "s", "hush"));
  EXPECT_TRUE(again.opened().resumed());
  EXPECT_EQ(again.opened().agents(), 1u);
  expect_fault(mine.finish(), grpc::ABORTED, "SESSION_TAKEN_OVER", "");
  Context removes;
  v1::RemoveAgentsRequest remove;
  remove.set_world("square");
  remove.set_session_id("s");
  remove.set_session_secret("hush");
  remove.add_agent_ids(7);
  v1::RemoveAgentsResponse removed;
  ASSERT_TRUE(agents_->RemoveAgents(&removes, remove, &removed).ok());
  EXPECT_EQ(removed.removed(), 1u);
}

TEST_F(SessionRules, ASecretHasALimitAndSoHasTheTimeToLive) {
  EXPECT_EQ(
      OpenStream(*agents_, opening("square", "a", std::string(64, 'x'))).opened().session_id(),
      "a");
  expect_refused(opening("square", "b", std::string(65, 'x')), "TOO_LONG", "open.session_secret");
  v1::SessionRequest open = opening("square", "c", "");
  open.mutable_open()->set_session_ttl_ms(20'001);
  expect_refused(open, "OUT_OF_RANGE", "open.session_ttl_ms");
  open.mutable_open()->set_session_ttl_ms(20'000);
  EXPECT_EQ(OpenStream(*agents_, open).opened().session_id(), "c");
  EXPECT_EQ(OpenStream(*agents_, opening("square", "d", "")).opened().session_id(), "d");
  const auto sessions = list_sessions(*admin_, "square");
  ASSERT_EQ(sessions.sessions_size(), 3);
  EXPECT_EQ(sessions.sessions(2).session_ttl_ms(), 20'000u) << "the default is longer";
}

TEST_F(SessionRules, SessionsAreListedInPages) {
  EXPECT_EQ(list_sessions(*admin_, "square").sessions_size(), 0);
  OpenStream here(*agents_, opening("square", "b", "hush"));
  here.send(upsert_of(2, 7));
  here.wait_for(2);
  { OpenStream away(*agents_, opening("square", "a", "")); }
  v1::ListSessionsResponse first;
  for (int i = 0; i < 200; ++i) {  // until the server has seen the end of the stream
    first = list_sessions(*admin_, "square", 1);
    ASSERT_EQ(first.sessions_size(), 1);
    if (!first.sessions(0).connected()) break;
  }
  EXPECT_EQ(first.sessions(0).session_id(), "a");
  EXPECT_FALSE(first.sessions(0).connected());
  EXPECT_GT(first.sessions(0).expires_in_ms(), 0u);
  EXPECT_LE(first.sessions(0).expires_in_ms(), 20'000u);
  ASSERT_EQ(first.next_page_token(), "a");
  const auto second = list_sessions(*admin_, "square", 1, "a");
  ASSERT_EQ(second.sessions_size(), 1);
  EXPECT_EQ(second.next_page_token(), "");
  const v1::SessionState& session = second.sessions(0);
  EXPECT_EQ(session.session_id(), "b");
  EXPECT_TRUE(session.connected());
  EXPECT_TRUE(session.has_secret());
  EXPECT_EQ(session.agents(), 1u);
  EXPECT_EQ(session.client(), "ipv4:127.0.0.1");
  EXPECT_EQ(session.applied_sequence(), 2u);
  EXPECT_GT(session.opened_at_us(), 1'700'000'000'000'000u);
  EXPECT_LT(session.idle_ms(), 20'000u);
  EXPECT_EQ(session.expires_in_ms(), 0u);
  Context context;
  v1::ListSessionsRequest request;
  request.set_world("square");
  request.set_page_size(1001);
  v1::ListSessionsResponse response;
  expect_fault(admin_->ListSessions(&context, request, &response), grpc::INVALID_ARGUMENT,
               "OUT_OF_RANGE", "page_size");
}

TEST_F(SessionRules, AClosedSessionIsGoneWithItsAgents) {
  OpenStream mine(*agents_, opening("square", "s", "hush"));
  mine.send(upsert_of(2, 7));
  mine.wait_for(2);
  v1::CloseSessionResponse closed;
  ASSERT_TRUE(close_session(*admin_, "square", "s", &closed).ok());
  EXPECT_EQ(closed.removed_agents(), 1u);
  expect_fault(mine.finish(), grpc::ABORTED, "SESSION_CLOSED", "");
  EXPECT_EQ(list_sessions(*admin_, "square").sessions_size(), 0);
  expect_fault(close_session(*admin_, "square", "s", &closed), grpc::NOT_FOUND, "SESSION_UNKNOWN",
               "session_id");
  expect_fault(close_session(*admin_, "square", "", &closed), grpc::INVALID_ARGUMENT,
               "NAME_INVALID", "session_id");
  EXPECT_FALSE(OpenStream(*agents_, opening("square", "s", "")).opened().resumed());
}

class OwnedSessions : public Guarded {
 protected:
  void SetUp() override {
    serve(token_line("one", "read,agents,admin", "*") + token_line("two", "read,agents", "*"));
    Context context;
    context.AddMetadata("authorization", bearer("one"));
    v1::CreateWorldRequest request;
    request.set_name("town");
    request.set_width(8);
    request.set_height(8);
    v1::World world;
    ASSERT_TRUE(worlds_->CreateWorld(&context, request, &world).ok());
  }
};

TEST_F(OwnedSessions, OnlyTheTokenThatOpenedASessionActsForIt) {
  std::ostringstream log;
  const auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log);
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink));
  {
    OpenStream mine(*agents_, opening("town", "s", "hush-hush"), bearer("one"));
    ASSERT_TRUE(mine.opened().session_id() == "s");
    expect_fault(OpenStream(*agents_, opening("town", "s", "hush-hush"), bearer("two")).finish(),
                 grpc::PERMISSION_DENIED, "SESSION_DENIED", "open.session_id");
    Context context;
    context.AddMetadata("authorization", bearer("two"));
    v1::UpsertAgentsRequest upsert;
    upsert.set_world("town");
    upsert.set_session_id("s");
    upsert.set_session_secret("hush-hush");
    put_agent(8, upsert.add_agents());
    v1::UpsertAgentsResponse upserted;
    expect_fault(agents_->UpsertAgents(&context, upsert, &upserted), grpc::PERMISSION_DENIED,
                 "SESSION_DENIED", "session_id");
    const auto admin = v1::AdminService::NewStub(channel_);
    Context list;
    list.AddMetadata("authorization", bearer("one"));
    v1::ListSessionsRequest request;
    request.set_world("town");
    v1::ListSessionsResponse sessions;
    ASSERT_TRUE(admin->ListSessions(&list, request, &sessions).ok());
    EXPECT_EQ(sessions.sessions(0).client(), "token one");
    EXPECT_TRUE(
        OpenStream(*agents_, opening("town", "s", "hush-hush"), bearer("one")).opened().resumed());
  }
  spdlog::set_default_logger(before);
  EXPECT_NE(log.str().find("what=repath.v1.AgentService.Session world=town session=s revision=1 "
                           "trace=4bf92f3577b34da6a3ce929d0e0e4736\n"),
            std::string::npos)
      << log.str();
  EXPECT_EQ(log.str().find("hush"), std::string::npos) << log.str();
}

TEST_F(Data, ASessionKeepsItsSecretOverAKill) {
  ASSERT_TRUE(create("w").ok());
  {
    OpenStream mine(*agents_, opening("w", "s", "hush"));
    mine.send(upsert_of(2, 7));
    mine.wait_for(2);
    OpenStream other(*agents_, opening("w", "closed", ""));
    other.send(upsert_of(2, 8));
    other.wait_for(2);
    v1::CloseSessionResponse closed;
    const auto admin = v1::AdminService::NewStub(channel_);
    ASSERT_TRUE(close_session(*admin, "w", "closed", &closed).ok());
    kill_and_start();
  }
  const auto admin = v1::AdminService::NewStub(channel_);
  const auto sessions = list_sessions(*admin, "w");
  ASSERT_EQ(sessions.sessions_size(), 1);
  EXPECT_EQ(sessions.sessions(0).session_id(), "s");
  EXPECT_TRUE(sessions.sessions(0).has_secret());
  EXPECT_EQ(sessions.sessions(0).agents(), 1u);
  EXPECT_GT(sessions.sessions(0).opened_at_us(), 0u);
  EXPECT_EQ(list().agents_size(), 1) << "the closed session took its agent along";
  for (const char* wrong : {"", "hash"})
    expect_fault(OpenStream(*agents_, opening("w", "s", wrong)).finish(), grpc::PERMISSION_DENIED,
                 "SESSION_DENIED", "open.session_secret");
  EXPECT_TRUE(OpenStream(*agents_, opening("w", "s", "hush")).opened().resumed());
}

}  // namespace
}  // namespace repath
