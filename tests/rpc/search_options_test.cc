// Options that some algorithms alone take, over sockets.
#include <string>

#include "rpc/fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

class SearchOptions : public test::Server {
 protected:
  void SetUp() override {
    Server::SetUp();
    import_square("square", false);
  }
  static v1::FindPathRequest path_request() {
    v1::FindPathRequest request;
    request.set_world("square");
    set_cell(0, 0, request.mutable_from());
    set_cell(9, 4, request.add_goals());
    return request;
  }
  grpc::Status find(const v1::FindPathRequest& request, v1::FindPathResponse* response) {
    Context context;
    return paths_->FindPath(&context, request, response);
  }
};

TEST_F(SearchOptions, AMemoryLimitIsForAlgorithmsThatKeepIt) {
  v1::FindPathResponse response;
  for (int algorithm = v1::Algorithm_MIN; algorithm <= v1::Algorithm_MAX; ++algorithm) {
    v1::FindPathRequest request = path_request();
    request.mutable_options()->set_algorithm(static_cast<v1::Algorithm>(algorithm));
    request.mutable_options()->set_memory_limit_bytes(65'536);
    const grpc::Status status = find(request, &response);
    if (algorithm == v1::ALGORITHM_IDA_STAR || algorithm == v1::ALGORITHM_SMA_STAR ||
        algorithm == v1::ALGORITHM_FLOYD_WARSHALL) {
      EXPECT_TRUE(status.ok()) << status.error_message();
      EXPECT_LE(response.peak_bytes(), 65'536u);
    } else {
      expect_fault(status, grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT",
                   "options.memory_limit_bytes");
    }
  }
}

TEST_F(SearchOptions, ATableOfAllPairsThatDoesNotFitSaysWhatItNeeds) {
  Context context;
  v1::CreateWorldRequest plain;
  plain.set_name("plain");
  plain.set_width(20);
  plain.set_height(20);
  v1::World world;
  ASSERT_TRUE(worlds_->CreateWorld(&context, plain, &world).ok());
  v1::FindPathRequest request = path_request();
  request.set_world("plain");
  v1::QueryOptions* options = request.mutable_options();
  options->set_algorithm(v1::ALGORITHM_FLOYD_WARSHALL);
  options->set_memory_limit_bytes(802'816);
  v1::FindPathResponse response;
  const grpc::Status status = find(request, &response);
  expect_fault(status, grpc::FAILED_PRECONDITION, "TABLE_TOO_LARGE", "options.memory_limit_bytes");
  EXPECT_NE(status.error_message().find(
                "bytes for all pairs of 400 free cells; the limit is 802816, and never above"),
            std::string::npos)
      << status.error_message();
  options->set_memory_limit_bytes(900'000);
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_EQ(response.expanded(), 160'000u);
  EXPECT_GT(response.peak_bytes(), 802'816u);
  EXPECT_LE(response.peak_bytes(), 900'000u);
}

TEST_F(SearchOptions, ClustersAreForHpa) {
  v1::FindPathRequest request = path_request();
  v1::QueryOptions* options = request.mutable_options();
  v1::FindPathResponse usual;
  v1::FindPathResponse response;
  options->set_algorithm(v1::ALGORITHM_HPA);
  ASSERT_TRUE(find(request, &usual).ok());
  options->set_cluster_side(8);  // the usual cluster holds the whole map
  options->set_cluster_levels(2);
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_EQ(response.path().status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_NE(response.expanded(), usual.expanded());
  for (const std::uint32_t side : {7u, 65u}) {
    options->set_cluster_side(side);
    expect_fault(find(request, &response), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE",
                 "options.cluster_side");
  }
  options->set_cluster_side(64);
  options->set_cluster_levels(4);
  expect_fault(find(request, &response), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE",
               "options.cluster_levels");
  options->set_cluster_levels(3);
  options->set_algorithm(v1::ALGORITHM_ASTAR);
  expect_fault(find(request, &response), grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT",
               "options.cluster_side");
  options->set_cluster_side(0);
  expect_fault(find(request, &response), grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT",
               "options.cluster_levels");
}

}  // namespace
}  // namespace repath
