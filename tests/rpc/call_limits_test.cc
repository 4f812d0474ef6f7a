// Limits of connections, calls and queries, over sockets.
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rpc/access_fixture.h"

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

}  // namespace
}  // namespace repath
