// Which messages count as unread, and for how long, over sockets: those that a client has read
// count no more, and a stream on which nothing happens lives on.
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rpc/fixture.h"
#include "rpc/raw_stream.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names
using std::chrono::milliseconds;

constexpr int kManyAgents = 4000;

Limits short_timeout() {
  Limits limits;
  limits.send_timeout_s = 1;
  return limits;
}

class QuietStreams : public Server {
 protected:
  explicit QuietStreams(const Limits& limits = short_timeout()) : Server(limits) {}

  // Returns a channel with a connection of its own, and with the client's keepalive.
  std::shared_ptr<grpc::Channel> channel_with_keepalive(int ms) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, ms);
    arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    return grpc::CreateCustomChannel(server_->addresses().front(),
                                     grpc::InsecureChannelCredentials(), arguments);
  }
  // Returns a channel whose library takes hardly more than its caller reads.
  std::shared_ptr<grpc::Channel> channel_that_waits() {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 1024);
    return grpc::CreateCustomChannel(server_->addresses().front(),
                                     grpc::InsecureChannelCredentials(), arguments);
  }
  // Returns a metric without labels.
  std::uint64_t metric(const std::string& name) const {
    const std::string text = server_->metrics_text();
    const std::size_t at = text.find("\n" + name + " ");
    return at == std::string::npos ? ~std::uint64_t{0}
                                   : std::stoull(text.substr(at + name.size() + 2));
  }
  std::uint64_t held() const { return metric("repath_calls_held_bytes"); }
  // Waits until the calls hold so many bytes, because a client has a message before the server
  // knows.
  void expect_held(std::uint64_t bytes) const {
    for (int i = 0; i < 200 && held() != bytes; ++i) std::this_thread::sleep_for(milliseconds(10));
    EXPECT_EQ(held(), bytes);
  }
  // Returns what the calls hold when it has not changed for a while.
  std::uint64_t held_at_rest() const {
    std::uint64_t before = held();
    for (int i = 0; i < 20; ++i) {
      std::this_thread::sleep_for(milliseconds(200));
      const std::uint64_t now = held();
      if (now == before) break;
      before = now;
    }
    return before;
  }
  // Sets agents on one side of the door whose goals are on the other.
  void add_agents(int count) {
    v1::UpsertAgentsRequest request;
    request.set_world("hall");
    for (int id = 1; id <= count; ++id) {
      v1::Agent* agent = request.add_agents();
      agent->set_id(static_cast<std::uint64_t>(id));
      set_cell(0, 0, agent->mutable_position());
      set_cell(9, 4, agent->add_goals());
    }
    Context context;
    v1::UpsertAgentsResponse response;
    const grpc::Status status = agents_->UpsertAgents(&context, request, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
};

// One stream of each method, all by one connection.
struct Streams {
  explicit Streams(const std::shared_ptr<grpc::Channel>& channel)
      : worlds(v1::WorldService::NewStub(channel)),
        agents(v1::AgentService::NewStub(channel)),
        debug(v1::DebugService::NewStub(channel)),
        health(channel, "/grpc.health.v1.Health/Watch") {
    v1::SessionRequest open;
    open.set_sequence(1);
    open.mutable_open()->set_world("hall");
    session = agents->Session(&session_call);
    session->Write(open);
    v1::WatchWorldRequest watch;
    watch.set_world("hall");
    changes = worlds->WatchWorld(&changes_call, watch);
    v1::WatchPathsRequest paths;
    paths.set_world("hall");
    events = agents->WatchPaths(&events_call, paths);
    v1::WatchViewRequest look;
    look.set_world("hall");
    views = debug->WatchView(&views_call, look);
    health.write("");
  }
  // Reads the first message of each.
  void read_first() {
    v1::SessionResponse opened;
    EXPECT_TRUE(session->Read(&opened));
    EXPECT_TRUE(opened.has_opened());
    v1::WatchWorldResponse change;
    EXPECT_TRUE(changes->Read(&change));
    EXPECT_TRUE(events->Read(&batch));
    EXPECT_TRUE(views->Read(&view));
    EXPECT_TRUE(health.read());
  }
  // Reads what the revision has brought to each stream that shows changes.
  void read_change(std::uint64_t revision) {
    v1::WatchWorldResponse change;
    while (change.revision() < revision)
      ASSERT_TRUE(changes->Read(&change)) << changes->Finish().error_message();
    while (batch.revision() < revision)
      ASSERT_TRUE(events->Read(&batch)) << events->Finish().error_message();
    while (view.revision() < revision)
      ASSERT_TRUE(views->Read(&view)) << views->Finish().error_message();
  }
  ~Streams() {
    for (auto* const call : {&session_call, &changes_call, &events_call, &views_call})
      call->TryCancel();
    health.cancel();
  }

  std::unique_ptr<v1::WorldService::Stub> worlds;
  std::unique_ptr<v1::AgentService::Stub> agents;
  std::unique_ptr<v1::DebugService::Stub> debug;
  Context session_call, changes_call, events_call, views_call;
  RawStream health;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> session;
  std::unique_ptr<grpc::ClientReader<v1::WatchWorldResponse>> changes;
  std::unique_ptr<grpc::ClientReader<v1::EventBatch>> events;
  std::unique_ptr<grpc::ClientReader<v1::WatchViewResponse>> views;
  v1::EventBatch batch;
  v1::WatchViewResponse view;
};

TEST_F(QuietStreams, LiveLongerThanTheTimeToTakeAMessage) {
  import_square("hall", /*lockstep=*/false);
  add_agents(1);
  Streams streams(channel_with_keepalive(1000));
  streams.read_first();
  // Long enough for four pings of the client. The server forgives two that come too early.
  std::this_thread::sleep_for(milliseconds(5500));
  EXPECT_EQ(metric("repath_calls_cut_total"), 0u);
  EXPECT_EQ(metric("repath_calls"), 5u);
  streams.read_change(apply(shut_door("hall")).revision());
}

TEST_F(QuietStreams, OfHealthDoNotHoldUpTheEnd) {
  RawStream health(channel_, "/grpc.health.v1.Health/Watch");
  health.write("");
  EXPECT_TRUE(health.read());
  expect_held(0);
  const auto begun = std::chrono::steady_clock::now();
  server_->set_not_serving();
  server_->shut_down(/*timeout_ms=*/20'000);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
  EXPECT_EQ(health.finish().error_code(), grpc::UNAVAILABLE);
}

TEST_F(QuietStreams, HoldNothingOfTheMessagesThatWereRead) {
  import_square("hall", /*lockstep=*/false);
  expect_held(0);
  add_agents(kManyAgents);
  expect_held(0);
  {
    Streams streams(channel_);
    streams.read_first();
    v1::GetWorldRequest request;
    request.set_world("hall");
    std::uint64_t requests = 0;
    for (int i = 0; i < 20; ++i) {
      v1::ApplyChangesRequest change = shut_door("hall");
      change.mutable_batch()->mutable_upsert_obstacles(0)->set_team_mask(1u << i);
      streams.read_change(apply(change).revision());
      Context context;
      v1::World world;
      ASSERT_TRUE(worlds_->GetWorld(&context, request, &world).ok());
      if (i == 0) {
        requests = held_at_rest();
        EXPECT_LT(requests, 1000u) << "the requests of the streams, a few bytes each";
      }
    }
    expect_held(requests);
  }
  expect_held(0);
}

TEST_F(QuietStreams, EndIfTheirMessagesAreNotTaken) {
  import_square("hall", /*lockstep=*/false);
  add_agents(kManyAgents);
  v1::WatchPathsRequest request;
  request.set_world("hall");
  Context context;
  const auto stub = v1::AgentService::NewStub(channel_that_waits());
  const auto watch = stub->WatchPaths(&context, request);
  for (int i = 0; i < 400 && metric("repath_calls_cut_total") == 0; ++i)
    std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(metric("repath_calls_cut_total"), 1u);
  v1::EventBatch batch;
  while (watch->Read(&batch)) batch.Clear();
  const grpc::Status status = watch->Finish();
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED) << status.error_message();
  EXPECT_NE(status.error_message().find("--send-timeout-s"), std::string::npos);
  expect_held(0);
}

class SmallShareOfAnswers : public QuietStreams {
 protected:
  static Limits limits() {
    Limits limits;
    limits.held_mb_per_client_max = 1;
    return limits;
  }
  SmallShareOfAnswers() : QuietStreams(limits()) {}
};

// One tick settles all agents, and its verdicts go to streams that nobody reads: to so many that
// they exceed twice the share.
TEST_F(SmallShareOfAnswers, EndsStreamsThatWouldAddToThem) {
  import_square("hall", /*lockstep=*/true);
  const auto stub = v1::AgentService::NewStub(channel_that_waits());
  v1::WatchPathsRequest request;
  request.set_world("hall");
  constexpr int kStreams = 80;
  std::vector<std::unique_ptr<Context>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::EventBatch>>> watches;
  v1::EventBatch batch;
  for (int i = 0; i < kStreams; ++i) {
    contexts.push_back(std::make_unique<Context>());
    watches.push_back(stub->WatchPaths(contexts.back().get(), request));
    ASSERT_TRUE(watches.back()->Read(&batch));
  }
  const std::uint64_t requests = held_at_rest();
  add_agents(kManyAgents);
  expect_held(requests);  // else the tick may be refused before it begins
  Context context;
  v1::TickRequest tick;
  tick.set_world("hall");
  tick.set_budget_work_units(10'000'000);
  v1::TickResponse ticked;
  // Its answer comes after the verdicts. It is small, and the tick has taken effect.
  const grpc::Status answer = agents_->Tick(&context, tick, &ticked);
  EXPECT_TRUE(answer.ok()) << answer.error_message();
  for (int i = 0; i < 1000 && metric("repath_calls_cut_total") == 0; ++i)
    std::this_thread::sleep_for(milliseconds(10));
  int ended = 0;
  for (int i = 0; i < kStreams; ++i) {
    int events = 0;
    while (events < kManyAgents && watches[i]->Read(&batch)) events += batch.events_size();
    if (events >= kManyAgents) contexts[i]->TryCancel();
    const grpc::Status status = watches[i]->Finish();
    if (events >= kManyAgents) continue;
    ++ended;
    expect_fault(status, grpc::RESOURCE_EXHAUSTED, "HELD_MAX", "");
  }
  EXPECT_GT(ended, 0);
  EXPECT_LT(ended, kStreams) << "those that came first are served";
  EXPECT_EQ(metric("repath_calls_cut_total"), static_cast<std::uint64_t>(ended));
  expect_held(0);
}

}  // namespace
}  // namespace repath
