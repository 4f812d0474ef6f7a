// What the calls say of worlds of routes.
#include <cmath>
#include <string>

#include "rpc/fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

// A hall of 20 x 10 with a wall from (9, 1) to (10, 7), and a gallery above it; a stair that leads
// up only.
constexpr const char* kHouse = R"({"floors": [
  {"y": 0, "outer": [[0, 0], [20, 0], [20, 10], [0, 10]],
   "holes": [[[9, 1], [10, 1], [10, 7], [9, 7]]]},
  {"y": 4, "outer": [[0, 0], [20, 0], [20, 10], [0, 10]]}],
 "links": [{"id": 5, "from_floor": 0, "from": [19, 9], "to_floor": 1, "to": [19, 5], "both": false}]})";
// One way round a square: 1, 2, 3, 4; and 4 is joined with 1 both ways, for 30.
constexpr const char* kStreets = R"({"nodes": [
  {"id": 1, "position": [0, 0, 0]}, {"id": 2, "position": [10, 0, 0]},
  {"id": 3, "position": [10, 0, 10]}, {"id": 4, "position": [0, 0, 10]}],
 "edges": [{"from": 1, "to": 2, "both": false}, {"from": 2, "to": 3, "both": false},
  {"from": 3, "to": 4, "both": false}, {"from": 4, "to": 1, "cost": 30, "both": true}]})";

class RouteCalls : public test::Server {
 protected:
  void SetUp() override {
    Server::SetUp();
    import("house", kHouse, v1::MAP_FORMAT_FLOOR_PLAN);
    import("streets", kStreets, v1::MAP_FORMAT_GRAPH);
  }
  void import(const std::string& name, const std::string& text, v1::MapFormat format) {
    Context context;
    v1::World world;
    auto writer = worlds_->ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name(name);
    part.mutable_header()->set_format(format);
    writer->Write(part);
    part.set_chunk(text);
    writer->Write(part);
    writer->WritesDone();
    const grpc::Status status = writer->Finish();
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  static void set_place(double x, double y, double z, v1::Location* out) {
    out->mutable_position()->set_x(x);
    out->mutable_position()->set_y(y);
    out->mutable_position()->set_z(z);
  }
  // Across the hall, or from the first crossroads to the third.
  static v1::ExplainPathRequest across(const std::string& world) {
    v1::ExplainPathRequest request;
    request.mutable_request()->set_world(world);
    const bool is_house = world == "house";
    set_place(is_house ? 3 : 0, 0, is_house ? 4 : 0, request.mutable_request()->mutable_from());
    set_place(is_house ? 17 : 10, 0, is_house ? 4 : 10, request.mutable_request()->add_goals());
    return request;
  }
  grpc::Status explain(const v1::ExplainPathRequest& request, v1::ExplainPathResponse* response) {
    Context context;
    return debug_->ExplainPath(&context, request, response);
  }
};

TEST_F(RouteCalls, AnExplanationOfAMeshHasWhatCornersSee) {
  v1::ExplainPathRequest request = across("house");
  v1::ExplainPathResponse response;
  ASSERT_TRUE(explain(request, &response).ok());
  const double cost = response.result().path().cost();
  EXPECT_NEAR(cost, std::hypot(6, 3) + 1 + std::hypot(7, 3), 1e-6);
  ASSERT_GT(response.g_size(), 0);
  EXPECT_EQ(response.positions_size(), 3 * response.g_size());
  EXPECT_EQ(response.spans_size(), 9 * response.g_size());
  EXPECT_EQ(response.cells_size() + response.nodes_size(), 0);
  EXPECT_EQ(response.searches(0).kernel(), "any_angle");
  EXPECT_EQ(response.searches(0).goal().x(), 17);
  EXPECT_EQ(response.searches(0).expanded(), response.result().expanded());
  for (int i = 0; i < response.g_size(); ++i) {
    EXPECT_DOUBLE_EQ(response.f(i), response.g(i) + response.h(i));
    EXPECT_TRUE(response.closed(i) || response.f(i) > cost - 1e-9);
  }
  request.set_max_nodes(1);
  v1::ExplainPathResponse first;
  ASSERT_TRUE(explain(request, &first).ok());
  EXPECT_EQ(first.g_size(), 1);
  EXPECT_TRUE(first.truncated());
  request.mutable_request()->mutable_options()->set_algorithm(v1::ALGORITHM_ASTAR);
  ASSERT_TRUE(explain(request, &response).ok());
  EXPECT_EQ(response.searches(0).kernel(), "corridor");
}

TEST_F(RouteCalls, AnExplanationOfAGraphHasItsNodes) {
  for (const auto& [algorithm, kernel] :
       {std::pair(v1::ALGORITHM_UNSPECIFIED, "astar"), std::pair(v1::ALGORITHM_ASTAR, "astar"),
        std::pair(v1::ALGORITHM_DIJKSTRA, "dijkstra"),
        std::pair(v1::ALGORITHM_FLOYD_WARSHALL, "floyd_warshall")}) {
    v1::ExplainPathRequest request = across("streets");
    request.mutable_request()->mutable_options()->set_algorithm(algorithm);
    v1::ExplainPathResponse response;
    ASSERT_TRUE(explain(request, &response).ok());
    EXPECT_EQ(response.searches(0).kernel(), kernel);
    EXPECT_EQ(response.result().path().cost(), 20);
    EXPECT_EQ(response.result().path().optimality(), v1::OPTIMALITY_OPTIMAL);
    ASSERT_GE(response.nodes_size(), 3);
    EXPECT_EQ(response.nodes(0), 1u);
    EXPECT_EQ(response.g(0), 0);
    EXPECT_EQ(response.g(1), 10);
    EXPECT_EQ(response.positions(3), 10);
  }
}

TEST_F(RouteCalls, AnAlgorithmThatIsNotThereIsRefusedByName) {
  v1::ExplainPathResponse response;
  v1::ExplainPathRequest request = across("house");
  request.mutable_request()->mutable_options()->set_algorithm(v1::ALGORITHM_DIJKSTRA);
  expect_fault(explain(request, &response), grpc::FAILED_PRECONDITION, "ALGORITHM_UNSUITED",
               "request.options.algorithm");
  request = across("streets");
  request.mutable_request()->mutable_options()->set_algorithm(v1::ALGORITHM_JPS);
  expect_fault(explain(request, &response), grpc::FAILED_PRECONDITION, "ALGORITHM_UNSUITED",
               "request.options.algorithm");
  request = across("house");
  request.set_max_nodes(50'001);
  expect_fault(explain(request, &response), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "max_nodes");
}

TEST_F(RouteCalls, WhoFleesOnAMeshGetsJustAsFarAsAsked) {
  v1::FindAwayRequest request;
  request.set_world("house");
  set_place(2, 0, 5, request.mutable_from());
  set_place(1, 0, 5, request.add_threats());
  request.set_distance(3);
  Context context;
  v1::FindAwayResponse response;
  ASSERT_TRUE(paths_->FindAway(&context, request, &response).ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_GE(response.distance(), 3);
  EXPECT_NEAR(response.position().x(), 4, 1e-5);
  EXPECT_NEAR(response.position().z(), 5, 1e-5);
  EXPECT_NEAR(response.path().cost(), 2, 1e-5);
  EXPECT_EQ(response.path().optimality(), v1::OPTIMALITY_OPTIMAL);
  EXPECT_FALSE(response.has_cell());
  request.set_distance(1);
  Context second;
  ASSERT_TRUE(paths_->FindAway(&second, request, &response).ok());
  EXPECT_LT(response.path().cost(), 1e-5);
  request.set_distance(100);
  Context third;
  ASSERT_TRUE(paths_->FindAway(&third, request, &response).ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_UNREACHABLE);
  EXPECT_FALSE(response.has_position());
  request.set_allow_partial(true);
  Context fourth;
  ASSERT_TRUE(paths_->FindAway(&fourth, request, &response).ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_PARTIAL);
  EXPECT_NEAR(response.distance(), std::hypot(19, 5), 1e-6);
}

TEST_F(RouteCalls, WhoFleesOnAGraphGoesByWayOfEdges) {
  v1::FindAwayRequest request;
  request.set_world("streets");
  set_place(10, 0, 10, request.mutable_from());
  set_place(10, 0, 10, request.add_threats());
  request.set_distance(12);
  Context context;
  v1::FindAwayResponse response;
  ASSERT_TRUE(paths_->FindAway(&context, request, &response).ok());
  EXPECT_EQ(response.node(), 1u);
  EXPECT_EQ(response.path().cost(), 40);
  EXPECT_NEAR(response.distance(), std::hypot(10, 10), 1e-9);
  EXPECT_EQ(response.path().nodes_size(), 3);
  request.mutable_threats(0)->mutable_cell();
  Context second;
  expect_fault(paths_->FindAway(&second, request, &response), grpc::INVALID_ARGUMENT,
               "KIND_UNSUITED", "threats[0].cell");
}

TEST_F(RouteCalls, AFlowFieldOfAGraphGoesWithItsEdges) {
  v1::GetFlowFieldRequest request;
  request.set_world("streets");
  set_place(0, 0, 0, request.add_goals());
  v1::GetFlowFieldResponse response;
  const auto ask = [&] {
    Context context;
    response.Clear();
    return paths_->GetFlowField(&context, request, &response);
  };
  ASSERT_TRUE(ask().ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_EQ(response.optimality(), v1::OPTIMALITY_OPTIMAL);
  // From 2 by way of 3 and 4, not back to 1.
  ASSERT_EQ(response.nodes_size(), 4);
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t nodes[] = {1, 4, 3, 2};
    const double costs[] = {0, 30, 40, 50};
    EXPECT_EQ(response.nodes(i), nodes[i]);
    EXPECT_EQ(response.costs(i), costs[i]);
    EXPECT_EQ(response.next(i), i - 1);
  }
  EXPECT_EQ(response.positions(3), 0);
  EXPECT_EQ(response.positions(5), 10);
  EXPECT_EQ(response.corners_size() + response.toward_size(), 0);
  EXPECT_FALSE(response.has_next_piece());
  request.set_first_piece(1);
  request.set_max_pieces(2);
  ASSERT_TRUE(ask().ok());
  EXPECT_EQ(response.nodes_size(), 2);
  EXPECT_EQ(response.nodes(0), 4u);
  EXPECT_EQ(response.next(1), 1);
  EXPECT_EQ(response.next_piece(), 3u);
  request.set_first_piece(9);
  ASSERT_TRUE(ask().ok());
  EXPECT_EQ(response.nodes_size(), 0);
  EXPECT_FALSE(response.has_next_piece());
  request.set_first_piece(0);
  request.set_max_cost(30);
  ASSERT_TRUE(ask().ok());
  EXPECT_EQ(response.nodes_size(), 2);
}

TEST_F(RouteCalls, AFlowFieldOfAMeshLeadsUpTheStairAndNotDown) {
  v1::GetFlowFieldRequest request;
  request.set_world("house");
  set_place(19, 4, 2, request.add_goals());
  v1::GetFlowFieldResponse response;
  const auto ask = [&] {
    Context context;
    response.Clear();
    return paths_->GetFlowField(&context, request, &response);
  };
  ASSERT_TRUE(ask().ok());
  EXPECT_EQ(response.optimality(), v1::OPTIMALITY_VALID_ONLY);
  const int count = response.costs_size();
  ASSERT_GT(count, 3);
  EXPECT_EQ(response.toward_size(), 2 * count);
  EXPECT_EQ(response.links_size(), count);
  int below = 0;
  int by_stair = 0;
  for (int i = 0; i < count; ++i) {
    EXPECT_LT(response.next(i), i);
    below += response.positions(3 * i + 1) == 0 ? 1 : 0;
    if (response.links(i) != 5) continue;
    ++by_stair;
    EXPECT_NEAR(response.costs(i), 7, 1e-6);
    EXPECT_EQ(response.toward(2 * i + 1), 5);
  }
  EXPECT_GT(below, 0);
  EXPECT_EQ(by_stair, 1);
  // From above nobody comes down.
  request.clear_goals();
  set_place(2, 0, 2, request.add_goals());
  ASSERT_TRUE(ask().ok());
  for (int i = 0; i < response.costs_size(); ++i) EXPECT_EQ(response.positions(3 * i + 1), 0);
  request.mutable_area()->set_x1(1);
  expect_fault(ask(), grpc::INVALID_ARGUMENT, "KIND_UNSUITED", "area");
  request.clear_area();
  request.set_max_cost(-1);
  expect_fault(ask(), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "max_cost");
  request.set_max_cost(0);
  request.set_max_pieces(80'001);
  expect_fault(ask(), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "max_pieces");
  request.set_max_pieces(0);
  request.clear_goals();
  set_place(9.5, 0, 4, request.add_goals());
  ASSERT_TRUE(ask().ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_GOAL_BLOCKED);
  EXPECT_EQ(response.costs_size(), 0);
}

}  // namespace
}  // namespace repath
