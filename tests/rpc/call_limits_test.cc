// Limits of connections, calls and queries, over sockets.
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "rpc/access_fixture.h"
#include "rpc/http_port.h"
#include "rpc/open_streams.h"
#include "rpc/passed_peer.h"
#include "rpc/raw_stream.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names

Limits small_limits() {
  Limits limits;
  limits.calls_per_client_max = 4;
  limits.connections_per_address_max = 3;
  limits.query_memory_mb = 1;
  limits.query_expansions_max = 1'000'000;
  return limits;
}

Limits short_queries() {
  Limits limits;
  limits.query_max_ms = 300;
  return limits;
}

class SmallLimits : public Server {
 protected:
  explicit SmallLimits(const Limits& limits = small_limits()) : Server(limits) {}

  void make_world(const std::string& name, int side) {
    v1::CreateWorldRequest request;
    request.set_name(name);
    request.set_width(side);
    request.set_height(side);
    Context context;
    v1::World world;
    const grpc::Status status = worlds_->CreateWorld(&context, request, &world);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  static v1::FindPathRequest corner_to_corner(const std::string& world, int side,
                                              v1::Algorithm algorithm) {
    v1::FindPathRequest request;
    request.set_world(world);
    set_cell(0, 0, request.mutable_from());
    set_cell(side - 1, side / 2, request.add_goals());
    request.mutable_options()->set_algorithm(algorithm);
    return request;
  }
  grpc::Status get_world(v1::WorldService::Stub& stub) {
    Context context;
    v1::GetWorldRequest request;
    request.set_world("w");
    v1::World world;
    return stub.GetWorld(&context, request, &world);
  }
};

TEST_F(SmallLimits, StreamsCountAmongTheCallsOfTheirClientUntilTheyEnd) {
  make_world("w", 8);
  v1::WatchPathsRequest request;
  request.set_world("w");
  std::vector<std::unique_ptr<Context>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::EventBatch>>> watches;
  for (std::uint64_t i = 0; i < limits_.calls_per_client_max; ++i) {
    contexts.push_back(std::make_unique<Context>());
    watches.push_back(agents_->WatchPaths(contexts.back().get(), request));
    v1::EventBatch batch;
    ASSERT_TRUE(watches.back()->Read(&batch));
  }
  expect_fault(get_world(*worlds_), grpc::RESOURCE_EXHAUSTED, "CALLS_MAX", "");
  contexts.back()->TryCancel();
  watches.back()->Finish();
  bool has_room = false;
  for (int i = 0; i < 200 && !has_room; ++i) {
    has_room = get_world(*worlds_).ok();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(has_room);
  EXPECT_NE(server_->metrics_text().find("repath_calls 3\n"), std::string::npos)
      << server_->metrics_text();
  for (const auto& context : contexts) context->TryCancel();
  for (std::size_t i = 0; i + 1 < watches.size(); ++i) watches[i]->Finish();
}

TEST_F(SmallLimits, ConnectionsOfAnAddressBeyondItsShareAreClosed) {
  make_world("w", 8);
  std::vector<std::shared_ptr<grpc::Channel>> channels;
  std::vector<std::unique_ptr<v1::WorldService::Stub>> stubs;
  for (std::uint64_t i = 0; i < limits_.connections_per_address_max; ++i) {
    grpc::ChannelArguments own;
    own.SetInt("own", static_cast<int>(i));  // channels with equal arguments share a connection
    channels.push_back(grpc::CreateCustomChannel(server_->addresses().front(),
                                                 grpc::InsecureChannelCredentials(), own));
    stubs.push_back(v1::WorldService::NewStub(channels.back()));
  }
  EXPECT_TRUE(get_world(*stubs[0]).ok());
  EXPECT_TRUE(get_world(*stubs[1]).ok());
  EXPECT_EQ(get_world(*stubs[2]).error_code(), grpc::UNAVAILABLE);
  EXPECT_NE(server_->metrics_text().find("repath_connections 3\n"), std::string::npos)
      << server_->metrics_text();
  EXPECT_TRUE(get_world(*worlds_).ok());
}

TEST_F(SmallLimits, ACompressedRequestIsUnimplemented) {
  make_world("w", 8);
  Context context;
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  v1::ApplyChangesResponse response;
  v1::ApplyChangesRequest request = shut_door("w");
  request.set_request_id(std::string(128, 'a'));
  EXPECT_EQ(worlds_->ApplyChanges(&context, request, &response).error_code(), grpc::UNIMPLEMENTED);
  EXPECT_TRUE(get_world(*worlds_).ok());
}

class SmallShares : public SmallLimits {
 protected:
  static Limits limits() {
    Limits limits;
    limits.held_mb_per_client_max = 1;
    return limits;
  }
  SmallShares() : SmallLimits(limits()) {}
};

TEST_F(SmallShares, ARequestLargerThanAShareIsAnswered) {
  make_world("w", 64);
  v1::UpsertAgentsRequest request;
  request.set_world("w");
  for (std::uint64_t id = 1; id <= 4096; ++id) {
    v1::Agent* agent = request.add_agents();
    agent->set_id(id);
    set_cell(0, 0, agent->mutable_position());
    for (int goal = 0; goal < 16; ++goal) set_cell(goal, 20, agent->add_goals());
  }
  Context context;
  v1::UpsertAgentsResponse response;
  const grpc::Status status = agents_->UpsertAgents(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
}

class ShortQueries : public SmallLimits {
 protected:
  ShortQueries() : SmallLimits(short_queries()) {}
};

TEST_F(ShortQueries, EndAtTheServersTime) {
  // A third of it takes a third of a second.
  constexpr int kSide = 600;
  make_world("w", kSide);
  v1::ApplyChangesRequest wall = shut_door("w");
  auto* cells = wall.mutable_batch()->mutable_upsert_obstacles(0)->mutable_cells();
  cells->set_x0(kSide / 2);
  cells->set_y0(0);
  cells->set_x1(kSide / 2 + 1);
  cells->set_y1(kSide - 1);
  apply(wall);
  Context context;
  v1::FindPathResponse response;
  const auto begun = std::chrono::steady_clock::now();
  expect_fault(
      paths_->FindPath(&context, corner_to_corner("w", kSide, v1::ALGORITHM_IDA_STAR), &response),
      grpc::RESOURCE_EXHAUSTED, "QUERY_TIME", "");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
}

Limits long_queries() {
  Limits limits;
  limits.query_max_ms = 1100;
  return limits;
}

class LongQueries : public SmallLimits {
 protected:
  LongQueries() : SmallLimits(long_queries()) {}
};

TEST_F(LongQueries, AreLoggedWithTheirTrace) {
  constexpr int kSide = 600;
  make_world("w", kSide);
  v1::ApplyChangesRequest wall = shut_door("w");
  auto* cells = wall.mutable_batch()->mutable_upsert_obstacles(0)->mutable_cells();
  cells->set_x0(kSide / 2);
  cells->set_y0(0);
  cells->set_x1(kSide / 2 + 1);
  cells->set_y1(kSide - 1);
  apply(wall);
  std::ostringstream log;
  const auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log);
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink));
  Context context;
  context.AddMetadata("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  v1::FindPathResponse response;
  const grpc::Status status =
      paths_->FindPath(&context, corner_to_corner("w", kSide, v1::ALGORITHM_IDA_STAR), &response);
  spdlog::set_default_logger(before);
  expect_fault(status, grpc::RESOURCE_EXHAUSTED, "QUERY_TIME", "");
  const std::string line = log.str();
  EXPECT_NE(line.find("slow query method=repath.v1.PathService.FindPath world=w us=1"),
            std::string::npos)
      << line;
  EXPECT_NE(line.find("client=\"ipv4:127.0.0.1\" trace=4bf92f3577b34da6a3ce929d0e0e4736\n"),
            std::string::npos)
      << line;
  EXPECT_EQ(line.find("work=0 "), std::string::npos) << line;
}

TEST_F(SmallLimits, TheSearchStateOfEveryAlgorithmHasALimit) {
  make_world("w", 1000);
  for (const v1::Algorithm algorithm :
       {v1::ALGORITHM_BFS, v1::ALGORITHM_DIJKSTRA, v1::ALGORITHM_LPA, v1::ALGORITHM_DSTAR_LITE,
        v1::ALGORITHM_DSTAR, v1::ALGORITHM_FRINGE}) {
    Context context;
    v1::FindPathRequest request = corner_to_corner("w", 1000, algorithm);
    if (algorithm == v1::ALGORITHM_LPA || algorithm == v1::ALGORITHM_FRINGE)
      request.mutable_options()->set_heuristic(v1::HEURISTIC_ZERO);
    v1::FindPathResponse response;
    const grpc::Status status = paths_->FindPath(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.path().status(), v1::PATH_STATUS_OUT_OF_MEMORY)
        << v1::Algorithm_Name(algorithm);
  }
}

Limits slow_clients() {
  Limits limits;
  limits.calls_per_second_max = 20;
  limits.expansions_per_second_max = 10'000;
  return limits;
}

class SlowClients : public SmallLimits {
 protected:
  SlowClients() : SmallLimits(slow_clients()) {}
};

TEST_F(SlowClients, AnAddressPaysForItsOwnCallsByHttp) {
  make_world("w", 8);
  HttpPort port(*server_);
  const auto ask = [&](const HttpPort::Headers& headers = {}) {
    HttpPort::Headers all{{"Content-Type", "application/json"}};
    all.insert(all.end(), headers.begin(), headers.end());
    return port.ask(http::verb::post, "/repath.v1.WorldService/GetWorld", R"({"world":"w"})", all)
        .result();
  };
  port.call_from("127.0.0.3");
  http::status status = http::status::ok;
  for (int i = 0; i < 400 && status == http::status::ok; ++i) status = ask();
  EXPECT_EQ(status, http::status::too_many_requests);
  const std::string claim = server_->http_peer().value_for("ipv4:127.0.0.9:1");
  // A call may fall due now and then. As another client all ten would be served: it has 20.
  int refused = 0;
  for (int i = 0; i < 10; ++i)
    refused += ask({{PassedPeer::kHeader, claim}}) == http::status::too_many_requests ? 1 : 0;
  EXPECT_GT(refused, 0) << "a client's own header is not passed on";
  port.call_from("127.0.0.2");
  EXPECT_EQ(ask(), http::status::ok);
  EXPECT_TRUE(get_world(*worlds_).ok()) << "the client by gRPC has another address";
}

TEST_F(SlowClients, ByGrpcAClientCannotClaimAnAddress) {
  make_world("w", 8);
  const PassedPeer other;
  grpc::Status status;
  for (int i = 0; i < 400 && status.ok(); ++i) {
    Context context;
    context.AddMetadata(PassedPeer::kHeader,
                        other.value_for("ipv4:10.0.0." + std::to_string(i % 250) + ":1"));
    v1::GetWorldRequest request;
    request.set_world("w");
    v1::World world;
    status = worlds_->GetWorld(&context, request, &world);
  }
  expect_fault(status, grpc::RESOURCE_EXHAUSTED, "CALL_RATE", "");
}

std::int64_t retry_ms(const grpc::Status& status) {
  google::rpc::Status details;
  details.ParseFromString(status.error_details());
  google::rpc::RetryInfo retry;
  for (const auto& any : details.details())
    if (any.UnpackTo(&retry))
      return retry.retry_delay().seconds() * 1000 + retry.retry_delay().nanos() / 1'000'000;
  return 0;
}

TEST_F(SlowClients, CallsAboveTheRateAreRefusedUntilTimeHasPaidForThem) {
  make_world("w", 8);
  int served = 0;
  grpc::Status refused;
  for (int i = 0; i < 400 && refused.ok(); ++i) {
    refused = get_world(*worlds_);
    served += refused.ok() ? 1 : 0;
  }
  EXPECT_GE(served, 18);
  expect_fault(refused, grpc::RESOURCE_EXHAUSTED, "CALL_RATE", "");
  const std::int64_t delay = retry_ms(refused);
  EXPECT_GT(delay, 0);
  EXPECT_LE(delay, 51);
  EXPECT_NE(server_->metrics_text().find("repath_calls_above_rate_total 1\n"), std::string::npos)
      << server_->metrics_text();
  std::this_thread::sleep_for(std::chrono::milliseconds(delay));
  EXPECT_TRUE(get_world(*worlds_).ok());
}

TEST_F(SlowClients, QueriesPayForTheirExpansionsBeforeTheNextBegins) {
  constexpr int kSide = 300;
  make_world("w", kSide);
  const auto find = [&] {
    Context context;
    v1::FindPathResponse response;
    const auto request = corner_to_corner("w", kSide, v1::ALGORITHM_DIJKSTRA);
    return paths_->FindPath(&context, request, &response);
  };
  const grpc::Status first = find();
  ASSERT_TRUE(first.ok()) << first.error_message();
  const grpc::Status second = find();
  expect_fault(second, grpc::RESOURCE_EXHAUSTED, "EXPANSION_RATE", "");
  EXPECT_GT(retry_ms(second), 3000) << "80,000 expansions at 10,000 in a second";
  EXPECT_LT(retry_ms(second), 10'000);
  Context context;
  v1::FindPathsRequest batch;
  batch.set_world("w");
  *batch.add_requests() = corner_to_corner("w", kSide, v1::ALGORITHM_DIJKSTRA);
  v1::FindPathsResponse paths;
  expect_fault(paths_->FindPaths(&context, batch, &paths), grpc::RESOURCE_EXHAUSTED,
               "EXPANSION_RATE", "");
  Context area;
  v1::FindReachableRequest reachable;
  reachable.set_world("w");
  set_cell(0, 0, reachable.mutable_from());
  reachable.set_max_cost(3);
  v1::FindReachableResponse pieces;
  expect_fault(paths_->FindReachable(&area, reachable, &pieces), grpc::RESOURCE_EXHAUSTED,
               "EXPANSION_RATE", "");
  EXPECT_TRUE(get_world(*worlds_).ok()) << "other calls are not queries";
  EXPECT_NE(server_->metrics_text().find("repath_queries_above_rate_total 3\n"), std::string::npos)
      << server_->metrics_text();
}

class ShortMemory : public Guarded {};

TEST_F(ShortMemory, RefusesEveryMethodThatItsRuleNames) {
  for (const MemoryStage stage : {MemoryStage::kNarrow, MemoryStage::kCritical}) {
    threads_.pressure().set_stage(stage);
    for (const auto* method : all_methods()) {
      SCOPED_TRACE(method->full_name());
      const grpc::Status status = call(*method, request_of(*method, "w"), bearer("all"));
      const Fault fault = fault_of(status);
      const bool refused = fault.reason == "MEMORY_SHORT";
      EXPECT_EQ(refused, is_refused(rule_of(method->full_name())->load, stage));
      if (refused) {
        EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
      }
    }
  }
  threads_.pressure().set_stage(MemoryStage::kPlenty);
}

class WaitingCalls : public Server {
 protected:
  WaitingCalls() : Server({.memory_total_mb = 256}) {}
  bool has_ended(int connections) const {
    const std::string line = "repath_connections_ended_total " + std::to_string(connections) + "\n";
    return server_->metrics_text().find(line) != std::string::npos;
  }
};

// gRPC 1.51 tells no handler of a unary call before its message has come.
TEST_F(WaitingCalls, EndTheirConnectionWhenMemoryIsShort) {
  using std::chrono::milliseconds;
  std::vector<std::unique_ptr<RawStream>> calls;
  for (int i = 0; i < 1100; ++i)
    calls.push_back(std::make_unique<RawStream>(channel_, "/repath.v1.PathService/FindPath"));
  threads_.pressure().set_stage(MemoryStage::kShrink);
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_TRUE(has_ended(0)) << server_->metrics_text();
  threads_.pressure().set_stage(MemoryStage::kNarrow);
  for (int i = 0; i < 200 && !has_ended(1); ++i) std::this_thread::sleep_for(milliseconds(50));
  threads_.pressure().set_stage(MemoryStage::kPlenty);
  EXPECT_TRUE(has_ended(1)) << server_->metrics_text();
  for (const auto& call : calls)
    EXPECT_EQ(call->finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

// A connection may be gone between gRPC's list of all and its facts on that one.
TEST_F(WaitingCalls, AreCountedWhileConnectionsComeAndGo) {
  using boost::asio::ip::tcp;
  const std::string& address = server_->addresses().front();
  const auto port = static_cast<unsigned short>(std::stoi(address.substr(address.rfind(':') + 1)));
  std::atomic<bool> is_over{false};
  std::thread counter([&] {
    while (!is_over) (void)open_streams();
  });
  boost::asio::io_context context;
  for (int i = 0; i < 2000; ++i)
    tcp::socket(context).connect({boost::asio::ip::address_v4::loopback(), port});
  is_over = true;
  counter.join();
}

// Each of them is with its handler, which waits for the first message.
TEST_F(WaitingCalls, AreNotThoseOfSessions) {
  std::vector<std::unique_ptr<RawStream>> calls;
  for (int i = 0; i < 1100; ++i)
    calls.push_back(std::make_unique<RawStream>(channel_, "/repath.v1.AgentService/Session"));
  threads_.pressure().set_stage(MemoryStage::kNarrow);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  threads_.pressure().set_stage(MemoryStage::kPlenty);
  EXPECT_TRUE(has_ended(0)) << server_->metrics_text();
}

}  // namespace
}  // namespace repath
