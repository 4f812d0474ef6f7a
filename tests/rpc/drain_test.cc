// Ends repathd while calls run that would not end by themselves.
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "rpc/fixture.h"
#include "rpc/http_port.h"
#include "rpc/program.h"
#include "support/temp_path.h"

namespace repath {
namespace {

using test::Context;
using test::Program;

// Makes a world in which every agent goes from corner to corner over ground where the heuristic is
// weak. Each needs a search of the whole map, which takes minutes altogether.
void make_busy_world(v1::WorldService::Stub& worlds, v1::AgentService::Stub& agents,
                     const std::string& name) {
  v1::CreateWorldRequest create;
  create.set_name(name);
  create.set_width(1000);
  create.set_height(1000);
  create.mutable_options()->set_lockstep(true);
  create.mutable_options()->set_strategy(v1::STRATEGY_ASTAR);
  auto* ground = create.add_terrain_classes();
  ground->set_name("mud");
  ground->set_symbol(".");
  ground->set_factor(1000);
  v1::World world;
  Context creating;
  const grpc::Status made = worlds.CreateWorld(&creating, create, &world);
  ASSERT_TRUE(made.ok()) << made.error_message();
  v1::UpsertAgentsRequest upsert;
  upsert.set_world(name);
  for (std::uint64_t id = 1; id <= 500; ++id) {
    auto* agent = upsert.add_agents();
    agent->set_id(id);
    agent->mutable_position()->mutable_cell()->set_x(static_cast<int>(id % 100));
    agent->mutable_position()->mutable_cell()->set_y(static_cast<int>(id / 100));
    agent->add_goals()->mutable_cell()->set_x(999);
    agent->mutable_goals(0)->mutable_cell()->set_y(static_cast<int>(999 - id));
  }
  v1::UpsertAgentsResponse upserted;
  Context upserting;
  const grpc::Status status = agents.UpsertAgents(&upserting, upsert, &upserted);
  ASSERT_TRUE(status.ok()) << status.error_message();
}

// Makes a call without a deadline, on a thread of its own.
std::thread endless_tick(v1::AgentService::Stub& agents, const std::string& world,
                         grpc::Status* status) {
  return std::thread([&agents, world, status] {
    grpc::ClientContext context;
    v1::TickRequest request;
    request.set_world(world);
    request.set_budget_work_units(1'000'000'000'000);
    v1::TickResponse response;
    *status = agents.Tick(&context, request, &response);
  });
}

// Sends a header, then a chunk every `pause`, until the call is over.
std::thread endless_import(v1::WorldService::Stub& worlds, const std::string& name,
                           std::chrono::milliseconds pause, std::atomic<bool>* ended) {
  return std::thread([&worlds, name, pause, ended] {
    grpc::ClientContext context;
    v1::World world;
    auto writer = worlds.ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name(name);
    bool goes_on = writer->Write(part);
    part.set_chunk("..........\n");
    while (goes_on && !*ended) {
      std::this_thread::sleep_for(pause);
      goes_on = writer->Write(part);
    }
    writer->Finish();
  });
}

class Drain : public testing::Test {
 protected:
  static constexpr std::chrono::milliseconds kTimeout{4000};

  void SetUp() override {
    ASSERT_TRUE(program_.wait_for_log("ready admin="));
    channel_ = grpc::CreateChannel(address_, grpc::InsecureChannelCredentials());
    worlds_ = v1::WorldService::NewStub(channel_);
    agents_ = v1::AgentService::NewStub(channel_);
    for (const char* name : {"a", "b"}) make_busy_world(*worlds_, *agents_, name);
  }

  const std::string address_ = "unix:" + test::temp_path("busy.sock");
  Program program_{{"--listen", address_, "--admin", "127.0.0.1:0", "--world-threads", "2",
                    "--drain-timeout-ms", std::to_string(kTimeout.count())}};
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::WorldService::Stub> worlds_;
  std::unique_ptr<v1::AgentService::Stub> agents_;
};

TEST_F(Drain, EndsTicksImportsAndSessionsWithinItsTimeAndTheProgramWithZero) {
  std::vector<grpc::Status> ticked(2);
  std::atomic<bool> ended{false};
  std::vector<std::thread> calls;
  calls.push_back(endless_tick(*agents_, "a", &ticked[0]));
  calls.push_back(endless_tick(*agents_, "b", &ticked[1]));
  calls.push_back(endless_import(*worlds_, "c", std::chrono::milliseconds(50), &ended));
  grpc::ClientContext silent;
  v1::World world;
  auto nothing = worlds_->ImportWorld(&silent, &world);
  grpc::ClientContext watching;
  v1::WatchPathsRequest watch;
  watch.set_world("a");
  auto paths = agents_->WatchPaths(&watching, watch);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto begun = std::chrono::steady_clock::now();
  program_.signal(SIGTERM);
  EXPECT_EQ(program_.exit_status(), 0) << program_.log();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, kTimeout);
  EXPECT_NE(program_.last_line().find("stopped exit=0"), std::string::npos) << program_.log();
  ended = true;
  for (std::thread& call : calls) call.join();
  for (const grpc::Status& status : ticked)
    test::expect_fault(status, grpc::UNAVAILABLE, "DRAINING", "");
  nothing->Finish();
  v1::EventBatch batch;
  while (paths->Read(&batch)) continue;
  EXPECT_EQ(paths->Finish().error_code(), grpc::UNAVAILABLE);
}

TEST_F(Drain, IsNotWaitedForAfterASecondSignal) {
  grpc::ClientContext context;
  const auto session = agents_->Session(&context);  // sends nothing; ends when calls are cancelled
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  program_.signal(SIGTERM);
  ASSERT_TRUE(program_.wait_for_log("draining signal=SIGTERM"));
  program_.signal(SIGTERM);  // a repetition of the same signal
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  const auto begun = std::chrono::steady_clock::now();
  program_.signal(SIGINT);
  EXPECT_EQ(program_.exit_status(), 1);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
  EXPECT_NE(program_.last_line().find("stopped exit=1 reason=\"a second signal, SIGINT"),
            std::string::npos)
      << program_.log();
  session->Finish();
}

// Two such ticks used to hold both threads of the worlds, so that no other call was answered.
TEST_F(Drain, TicksLeaveOtherWorldsGoingAndEndWithTheirDeadline) {
  std::vector<grpc::Status> ticked(2);
  std::vector<std::thread> calls;
  for (const int i : {0, 1}) {
    calls.emplace_back([this, i, &ticked] {
      grpc::ClientContext context;
      context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(2));
      v1::TickRequest request;
      request.set_world(i == 0 ? "a" : "b");
      request.set_budget_work_units(1'000'000'000'000);
      v1::TickResponse response;
      ticked[static_cast<std::size_t>(i)] = agents_->Tick(&context, request, &response);
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  v1::CreateWorldRequest create;
  create.set_name("small");
  create.set_width(8);
  create.set_height(8);
  v1::World world;
  grpc::ClientContext creating;
  creating.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(1200));
  const grpc::Status made = worlds_->CreateWorld(&creating, create, &world);
  EXPECT_TRUE(made.ok()) << made.error_message();
  for (std::thread& call : calls) call.join();
  for (const grpc::Status& status : ticked)
    EXPECT_EQ(status.error_code(), grpc::DEADLINE_EXCEEDED) << status.error_message();
  // The world itself is free again, too.
  v1::GetWorldRequest get;
  get.set_world("a");
  grpc::ClientContext getting;
  getting.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(2));
  EXPECT_TRUE(worlds_->GetWorld(&getting, get, &world).ok());
}

// Returns the port after "admin=" in the log of a server that is ready.
std::string admin_port(const Program& program) {
  constexpr std::string_view kReady = "ready admin=127.0.0.1:";
  const std::string log = program.log();
  const std::size_t at = log.find(kReady) + kReady.size();
  return log.substr(at, log.find_first_not_of("0123456789", at) - at);
}

constexpr const char* kApplyChanges = "/repath.v1.WorldService/ApplyChanges";
constexpr const char* kImportWorld = "/repath.v1.WorldService/ImportWorld";
constexpr const char* kSession = "/repath.v1.AgentService/Session";

using HttpAnswer = test::http::response<test::http::string_body>;

// Makes a request over a new connection. Returns nothing if no answer comes.
std::optional<HttpAnswer> ask(const std::string& port, test::http::verb verb,
                              const std::string& path, const std::string& body = "") {
  namespace http = test::http;
  boost::asio::io_context context;
  test::tcp::socket socket(context);
  boost::system::error_code error;
  socket.connect(
      {boost::asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(std::stoi(port))},
      error);
  if (error) return std::nullopt;
  http::request<http::string_body> request(verb, path, 11, body);
  request.set(http::field::host, "localhost:" + port);
  request.set(http::field::content_type, "application/json");
  request.prepare_payload();
  http::write(socket, request, error);
  boost::beast::flat_buffer buffer;
  HttpAnswer answer;
  if (!error) http::read(socket, buffer, answer, error);
  return error ? std::nullopt : std::optional(answer);
}
std::optional<HttpAnswer> post(const std::string& port, const std::string& path,
                               const std::string& body) {
  return ask(port, test::http::verb::post, path, body);
}

// Returns false if the server has not so many calls under way within ten seconds.
bool wait_for_calls(const std::string& port, int count) {
  const std::string line = "\nrepath_calls " + std::to_string(count) + "\n";
  for (int i = 0; i < 500; ++i) {
    const auto figures = ask(port, test::http::verb::get, "/metrics");
    if (figures && figures->body().find(line) != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

// Asks for the list of worlds over a new connection each time, until the server is gone.
void ask_again_and_again(const std::string& port) {
  while (post(port, "/repath.v1.WorldService/ListWorlds", "{}")) continue;
}

void expect_draining(const nlohmann::json& error) {
  test::expect_fault(test::status_of(error), grpc::UNAVAILABLE, "DRAINING", "");
}
// Reads what a WebSocket still sends, and expects that it ends because the server drains.
void expect_draining(test::Socket& socket) {
  std::string last;
  while (const auto message = socket.read()) last = *message;
  ASSERT_NE(last.find("error"), last.npos) << last;
  expect_draining(nlohmann::json::parse(last).at("error"));
  EXPECT_EQ(socket.close_code(), 4000u + grpc::UNAVAILABLE);
}

// Changes the world "w" over and over; returns how many changes were acknowledged before one was
// not.
std::uint64_t change_again_and_again(const std::string& port, std::uint64_t first_id) {
  for (std::uint64_t done = 0;; ++done) {
    const auto answer = post(port, kApplyChanges,
                             R"({"world":"w","batch":{"upsertObstacles":[{"id":")" +
                                 std::to_string(first_id + done) +
                                 R"(","blocked":true,"cells":{"x1":1,"y1":1}}]}})");
    if (answer && answer->result() == test::http::status::ok) continue;
    if (answer) expect_draining(nlohmann::json::parse(answer->body()));
    return done;
  }
}

TEST(DrainByHttp, ChangesThatAreMadeAreAcknowledged) {
  const std::string folder = test::temp_path("drained");
  const std::vector<std::string> arguments{"--listen", "unix:" + test::temp_path("drained.sock"),
                                           "--admin",  "127.0.0.1:0",
                                           "--data",   folder};
  std::uint64_t made = 0;
  {
    Program program(arguments);
    ASSERT_TRUE(program.wait_for_log("ready admin=")) << program.log();
    const std::string port = admin_port(program);
    ASSERT_EQ(post(port, "/repath.v1.WorldService/CreateWorld",
                   R"({"name":"w","width":100,"height":100})")
                  ->result(),
              test::http::status::ok);
    std::vector<std::future<std::uint64_t>> changers;
    for (std::uint64_t i = 0; i < 8; ++i)
      changers.push_back(std::async(std::launch::async,
                                    [&port, i] { return change_again_and_again(port, i << 32); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    program.signal(SIGTERM);
    EXPECT_EQ(program.exit_status(), 0) << program.log();
    for (auto& changer : changers) made += changer.get();
  }
  Program again(arguments);
  ASSERT_TRUE(again.wait_for_log("ready admin=")) << again.log();
  const auto world =
      post(admin_port(again), "/repath.v1.WorldService/GetWorld", R"({"world":"w"})");
  ASSERT_TRUE(world);
  EXPECT_EQ(nlohmann::json::parse(world->body()).at("revision"), std::to_string(1 + made));
  again.signal(SIGTERM);
  again.exit_status();
  std::filesystem::remove_all(folder);
}

TEST_F(Drain, AnswersQueriesByHttpAndTellsStreamsWhyTheyEnd) {
  const std::string port = admin_port(program_);
  test::Socket session("127.0.0.1", port, kSession, "json", "");
  session.send(R"({"sequence":"1","open":{"world":"a"}})", true);
  ASSERT_TRUE(session.read());
  const auto call = [&port](const char* path, const char* body) {
    return std::async(std::launch::async, [=] { return post(port, path, body); });
  };
  auto path = call("/repath.v1.PathService/FindPath",
                   R"({"world":"b","from":{"cell":{}},"goals":[{"cell":{"x":500,"y":500}}],)"
                   R"("options":{"algorithm":"ALGORITHM_DIJKSTRA","maxWaypoints":2}})");
  auto tick =
      call("/repath.v1.AgentService/Tick", R"({"world":"a","budgetWorkUnits":"1000000000000"})");
  wait_for_calls(port, 3);  // unless the path is found already
  program_.signal(SIGTERM);
  const auto found = path.get();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->result(), test::http::status::ok) << found->body();
  const auto ticked = tick.get();
  ASSERT_TRUE(ticked);
  expect_draining(nlohmann::json::parse(ticked->body()));
  expect_draining(session);
  EXPECT_EQ(program_.exit_status(), 0) << program_.log();
}

TEST_F(Drain, TakesNoNewCallsByHttpAndEndsThoseThatDoNotEnd) {
  const std::string port = admin_port(program_);
  test::Socket silent("127.0.0.1", port, kImportWorld, "json", "");
  silent.send(R"({"header":{"world":{"name":"c"}}})", true);
  ASSERT_TRUE(wait_for_calls(port, 1));
  program_.signal(SIGTERM);
  ASSERT_TRUE(program_.wait_for_log("draining signal=SIGTERM"));
  auto refused = post(port, "/repath.v1.WorldService/ListWorlds", "{}");
  while (refused && refused->result() == test::http::status::ok)
    refused = post(port, "/repath.v1.WorldService/ListWorlds", "{}");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->result(), test::http::status::service_unavailable);
  expect_draining(nlohmann::json::parse(refused->body()));
  expect_draining(silent);
  EXPECT_EQ(program_.exit_status(), 0) << program_.log();
}

// gRPC ends the process if a call is made inside it while its server shuts down.
TEST(DrainByHttp, CallsThatGoOnDoNotEndTheProgramByASignal) {
  constexpr int kStarts = 4;  // each start failed more often than not
  for (int i = 0; i < kStarts; ++i) {
    const std::string address = "unix:" + test::temp_path("posted.sock");
    Program program({"--listen", address, "--admin", "127.0.0.1:0"});
    ASSERT_TRUE(program.wait_for_log("ready admin=")) << program.log();
    const std::string port = admin_port(program);
    std::list<test::Socket> sockets;  // cannot be moved
    for (int k = 0; k < 3; ++k) {
      sockets.emplace_back("127.0.0.1", port, "/repath.v1.AgentService/Session", "json", "");
      EXPECT_TRUE(sockets.back().is_open());
    }
    std::vector<std::thread> callers;
    for (int k = 0; k < 3; ++k) callers.emplace_back(ask_again_and_again, port);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    program.signal(SIGTERM);
    EXPECT_EQ(program.exit_status(), 0) << program.log();
    for (std::thread& caller : callers) caller.join();
  }
}

}  // namespace
}  // namespace repath
