// Calls on meshes and graphs.
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "rpc/route_fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

class RouteCalls : public test::RouteServer {
 protected:
  // Across the hall, or from the first crossing to the third.
  static v1::ExplainPathRequest across(const std::string& world) {
    v1::ExplainPathRequest request;
    request.mutable_request()->set_world(world);
    const bool is_house = world == "house";
    set_place(is_house ? 3 : 0, 0, is_house ? 4 : 0, request.mutable_request()->mutable_from());
    set_place(is_house ? 17 : 10, 0, is_house ? 4 : 10, request.mutable_request()->add_goals());
    return request;
  }
  v1::CheckPathResponse ask_check(const v1::CheckPathRequest& request) {
    Context context;
    v1::CheckPathResponse response;
    const grpc::Status status = paths_->CheckPath(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  grpc::Status explain(const v1::ExplainPathRequest& request, v1::ExplainPathResponse* response) {
    Context context;
    return debug_->ExplainPath(&context, request, response);
  }
};

// Each expansion names a closed node, parents come before, and one way leads back from each node.
void expect_order(const v1::ExplainPathResponse& response, std::uint64_t expanded) {
  EXPECT_EQ(static_cast<std::uint64_t>(response.expansions_size()), expanded);
  ASSERT_EQ(response.parents_size(), response.g_size());
  for (const std::uint32_t node : response.expansions()) {
    ASSERT_LT(node, static_cast<std::uint32_t>(response.g_size()));
    EXPECT_TRUE(response.closed(static_cast<int>(node)));
  }
  for (int i = 0; i < response.g_size(); ++i) {
    if (response.parents(i) == 0) continue;
    const int parent = static_cast<int>(response.parents(i)) - 1;
    EXPECT_TRUE(response.closed(parent));
    EXPECT_LE(response.g(parent), response.g(i) + 1e-9);
  }
}

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
  expect_order(response, response.result().expanded());
  request.set_max_nodes(1);
  v1::ExplainPathResponse first;
  ASSERT_TRUE(explain(request, &first).ok());
  EXPECT_EQ(first.g_size(), 1);
  EXPECT_TRUE(first.truncated());
  request.set_max_nodes(0);
  request.mutable_request()->mutable_options()->set_algorithm(v1::ALGORITHM_ASTAR);
  ASSERT_TRUE(explain(request, &response).ok());
  EXPECT_EQ(response.searches(0).kernel(), "corridor");
  expect_order(response, response.result().expanded());
}

TEST_F(RouteCalls, AnExplanationOfAGraphHasItsNodes) {
  for (const auto& [algorithm, kernel] :
       {std::pair(v1::ALGORITHM_UNSPECIFIED, "astar"), std::pair(v1::ALGORITHM_ASTAR, "astar"),
        std::pair(v1::ALGORITHM_DIJKSTRA, "dijkstra"), std::pair(v1::ALGORITHM_FRINGE, "fringe"),
        std::pair(v1::ALGORITHM_LPA, "lpa"),
        std::pair(v1::ALGORITHM_FLOYD_WARSHALL, "floyd_warshall")}) {
    v1::ExplainPathRequest request = across("streets");
    request.mutable_request()->mutable_options()->set_algorithm(algorithm);
    v1::ExplainPathResponse response;
    ASSERT_TRUE(explain(request, &response).ok());
    EXPECT_EQ(response.searches(0).kernel(), kernel);
    const bool has_order = algorithm != v1::ALGORITHM_FLOYD_WARSHALL;
    expect_order(response, has_order ? response.result().expanded() : 0);
    EXPECT_EQ(response.result().path().cost(), 20);
    EXPECT_EQ(response.result().path().optimality(), v1::OPTIMALITY_OPTIMAL);
    ASSERT_GE(response.nodes_size(), 3);
    EXPECT_EQ(response.nodes(0), 1u);
    EXPECT_EQ(response.g(0), 0);
    EXPECT_EQ(response.g(1), 10);
    EXPECT_EQ(response.positions(3), 10);
  }
}

TEST_F(RouteCalls, AGraphKeepsTheTableOfAllPairsWithinALimit) {
  v1::ExplainPathRequest request = across("streets");
  v1::QueryOptions* options = request.mutable_request()->mutable_options();
  options->set_memory_limit_bytes(65'536);
  v1::ExplainPathResponse response;
  expect_fault(explain(request, &response), grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT",
               "request.options.memory_limit_bytes");
  options->set_algorithm(v1::ALGORITHM_FLOYD_WARSHALL);
  ASSERT_TRUE(explain(request, &response).ok());
  options->set_memory_limit_bytes(65'535);
  expect_fault(explain(request, &response), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE",
               "request.options.memory_limit_bytes");
}

TEST_F(RouteCalls, EveryAlgorithmAnswersOnAGraphAndThoseOverCellsOnAMesh) {
  for (const auto& [algorithm, kernel] :
       {std::pair(v1::ALGORITHM_BFS, "bfs"), std::pair(v1::ALGORITHM_IDA_STAR, "ida"),
        std::pair(v1::ALGORITHM_SMA_STAR, "sma"), std::pair(v1::ALGORITHM_DSTAR, "dstar"),
        std::pair(v1::ALGORITHM_DSTAR_LITE, "dstar_lite")}) {
    v1::ExplainPathRequest request = across("streets");
    request.mutable_request()->mutable_options()->set_algorithm(algorithm);
    v1::ExplainPathResponse response;
    ASSERT_TRUE(explain(request, &response).ok());
    EXPECT_EQ(response.searches(0).kernel(), kernel);
    EXPECT_EQ(response.result().path().cost(), 20);
    EXPECT_GT(response.result().peak_bytes(), 0u);
    EXPECT_EQ(response.result().path().optimality(),
              algorithm == v1::ALGORITHM_BFS ? v1::OPTIMALITY_VALID_ONLY : v1::OPTIMALITY_OPTIMAL);
  }
  for (const auto& [algorithm, kernel] : {std::pair(v1::ALGORITHM_DIJKSTRA, "corridor_dijkstra"),
                                          std::pair(v1::ALGORITHM_BFS, "corridor_bfs")}) {
    v1::ExplainPathRequest request = across("house");
    request.mutable_request()->mutable_options()->set_algorithm(algorithm);
    v1::ExplainPathResponse response;
    ASSERT_TRUE(explain(request, &response).ok());
    EXPECT_EQ(response.searches(0).kernel(), kernel);
    expect_order(response, response.result().expanded());
    EXPECT_EQ(response.result().path().optimality(),
              algorithm == v1::ALGORITHM_BFS ? v1::OPTIMALITY_VALID_ONLY : v1::OPTIMALITY_BOUNDED);
  }
}

TEST_F(RouteCalls, OptionsThatTheAlgorithmOfAGraphDoesNotReadAreRefusedByName) {
  const auto refused = [&](const std::string& world, auto set, grpc::StatusCode code,
                           const std::string& reason, const std::string& field) {
    v1::ExplainPathRequest request = across(world);
    set(request.mutable_request()->mutable_options());
    v1::ExplainPathResponse response;
    expect_fault(explain(request, &response), code, reason, "request.options." + field);
  };
  const auto weighted = [](v1::QueryOptions* options) {
    options->set_algorithm(v1::ALGORITHM_DIJKSTRA);
    options->set_weight(2);
  };
  const auto limited = [](v1::QueryOptions* options) { options->set_memory_limit_bytes(100'000); };
  const auto led = [](v1::QueryOptions* options) {
    options->set_algorithm(v1::ALGORITHM_DSTAR);
    options->set_heuristic(v1::HEURISTIC_EUCLID);
  };
  const auto inadmissible = [](v1::QueryOptions* options) {
    options->set_heuristic(v1::HEURISTIC_MANHATTAN);
  };
  refused("streets", weighted, grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT", "weight");
  refused("house", weighted, grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT", "weight");
  refused("streets", limited, grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT", "memory_limit_bytes");
  refused("house", limited, grpc::INVALID_ARGUMENT, "KIND_UNSUITED", "memory_limit_bytes");
  refused("streets", led, grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT", "heuristic");
  refused("streets", inadmissible, grpc::FAILED_PRECONDITION, "HEURISTIC_UNSUITED", "heuristic");
  v1::ExplainPathRequest request = across("streets");
  inadmissible(request.mutable_request()->mutable_options());
  request.mutable_request()->mutable_options()->set_weight(1.0625);
  v1::ExplainPathResponse response;
  ASSERT_TRUE(explain(request, &response).ok());
  EXPECT_EQ(response.result().path().status(), v1::PATH_STATUS_COMPLETE);
}

TEST_F(RouteCalls, AnAlgorithmThatIsNotThereIsRefusedByName) {
  v1::ExplainPathResponse response;
  v1::ExplainPathRequest request = across("house");
  request.mutable_request()->mutable_options()->set_algorithm(v1::ALGORITHM_LPA);
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
  // From 2 over 3 and 4, because no edge leads back to 1.
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
  // No path leads down from above.
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

// The street map that comes with the project, from one crossing to the next but one.
TEST_F(RouteCalls, APathOfAGraphChecksAsItWasFound) {
  std::ifstream file(std::string(REPATH_SOURCE_DIR) + "/deploy/maps/streets.json");
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_FALSE(text.str().empty());
  import("town", text.str(), v1::MAP_FORMAT_GRAPH);
  v1::FindPathRequest request;
  request.set_world("town");
  set_place(198.4, 0, 95.5, request.mutable_from());
  set_place(161.4, 0, 95.8, request.add_goals());
  v1::FindPathResponse found;
  Context context;
  ASSERT_TRUE(paths_->FindPath(&context, request, &found).ok());
  ASSERT_EQ(found.path().nodes_size(), 3);
  v1::CheckPathRequest check;
  check.set_world("town");
  *check.mutable_positions() = found.path().positions();
  check.set_check_optimal(true);
  v1::CheckPathResponse checked = ask_check(check);
  EXPECT_TRUE(checked.valid());
  EXPECT_EQ(checked.first_invalid_waypoint(), -1);
  EXPECT_EQ(checked.cost(), found.path().cost());
  EXPECT_TRUE(checked.optimal());
  EXPECT_EQ(checked.optimal_cost(), found.path().cost());
  check.mutable_positions()->Truncate(3);
  checked = ask_check(check);
  EXPECT_TRUE(checked.valid());
  EXPECT_EQ(checked.cost(), 0);
  // The crossing between them is closed.
  v1::ApplyChangesRequest change;
  change.set_world("town");
  v1::GraphEdit* edit = change.mutable_batch()->add_graph_edits();
  edit->mutable_switch_node()->set_id(found.path().nodes(1));
  apply(change);
  *check.mutable_positions() = found.path().positions();
  checked = ask_check(check);
  EXPECT_FALSE(checked.valid());
  EXPECT_EQ(checked.first_invalid_waypoint(), 1);
}

TEST_F(RouteCalls, ALineToAnotherFloorIsTold) {
  v1::RaycastRequest request;
  request.set_world("house");
  set_place(3, 0, 8, request.mutable_from());
  set_place(6, 0.5, 8, request.mutable_to());
  v1::RaycastResponse response;
  const auto ask = [&] {
    Context context;
    response.Clear();
    return paths_->Raycast(&context, request, &response);
  };
  ASSERT_TRUE(ask().ok());
  EXPECT_FALSE(response.hit());
  EXPECT_EQ(response.position().y(), 0);
  set_place(6, 4, 8, request.mutable_to());
  ASSERT_TRUE(ask().ok());
  EXPECT_TRUE(response.hit());
  EXPECT_EQ(response.position().x(), 6);
  EXPECT_EQ(response.position().y(), 0);
  set_place(3, 4, 8, request.mutable_from());
  ASSERT_TRUE(ask().ok());
  EXPECT_FALSE(response.hit());
  EXPECT_EQ(response.position().y(), 4);
}

TEST_F(RouteCalls, NothingIsNearThatIsFartherInHeightAlone) {
  v1::FindNearestRequest request;
  request.set_world("house");
  set_place(3, 30, 8, request.mutable_from());
  request.set_max_distance(20);
  v1::FindNearestResponse response;
  Context context;
  ASSERT_TRUE(paths_->FindNearest(&context, request, &response).ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_UNREACHABLE);
  request.set_max_distance(27);
  Context again;
  ASSERT_TRUE(paths_->FindNearest(&again, request, &response).ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_EQ(response.distance(), 26);
}

}  // namespace
}  // namespace repath
