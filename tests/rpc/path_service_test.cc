#include <cmath>
#include <ctime>
#include <string>

#include "rpc/fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

class PathCalls : public test::Server {
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

TEST_F(PathCalls, APathHasItsCostAndTurns) {
  v1::FindPathResponse response;
  ASSERT_TRUE(find(path_request(), &response).ok());
  const v1::Path& path = response.path();
  EXPECT_EQ(path.status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_EQ(path.optimality(), v1::OPTIMALITY_OPTIMAL);
  EXPECT_NEAR(path.cost(), 9 + 2 * 1.41421356, 1e-5);
  EXPECT_EQ(path.positions_size() / 3, path.cells_size() / 2);
  EXPECT_EQ(path.positions(0), 0.5);
  EXPECT_EQ(path.cells(path.cells_size() - 2), 9);
  EXPECT_GT(response.expanded(), 0u);
}

TEST_F(PathCalls, EveryAlgorithmFindsTheSameCost) {
  for (const v1::Algorithm algorithm :
       {v1::ALGORITHM_UNSPECIFIED, v1::ALGORITHM_DIJKSTRA, v1::ALGORITHM_ASTAR, v1::ALGORITHM_LPA,
        v1::ALGORITHM_DSTAR_LITE, v1::ALGORITHM_JPS, v1::ALGORITHM_FRINGE, v1::ALGORITHM_IDA_STAR,
        v1::ALGORITHM_SMA_STAR, v1::ALGORITHM_DSTAR, v1::ALGORITHM_HPA,
        v1::ALGORITHM_FLOYD_WARSHALL}) {
    v1::FindPathRequest request = path_request();
    request.mutable_options()->set_algorithm(algorithm);
    v1::FindPathResponse response;
    ASSERT_TRUE(find(request, &response).ok());
    EXPECT_NEAR(response.path().cost(), 9 + 2 * 1.41421356, 1e-5) << v1::Algorithm_Name(algorithm);
  }
}

TEST_F(PathCalls, RefusalsNameTheField) {
  v1::FindPathResponse response;
  v1::FindPathRequest request = path_request();
  request.set_world("nowhere");
  expect_fault(find(request, &response), grpc::NOT_FOUND, "WORLD_UNKNOWN", "world");
  request = path_request();
  request.mutable_walker()->set_profile("ghost");
  expect_fault(find(request, &response), grpc::NOT_FOUND, "PROFILE_UNKNOWN", "walker.profile");
  request = path_request();
  set_cell(10, 0, request.add_goals());
  expect_fault(find(request, &response), grpc::INVALID_ARGUMENT, "OUT_OF_MAP", "goals[1].cell");
  request = path_request();
  request.mutable_options()->set_min_revision(2);
  expect_fault(find(request, &response), grpc::FAILED_PRECONDITION, "REVISION_NOT_YET",
               "options.min_revision");
  request = path_request();
  request.mutable_options()->set_algorithm(static_cast<v1::Algorithm>(99));
  expect_fault(find(request, &response), grpc::INVALID_ARGUMENT, "ENUM_UNKNOWN",
               "options.algorithm");
}

TEST_F(PathCalls, AHeuristicThatSaysTooMuchWantsAWeight) {
  v1::FindPathRequest request = path_request();
  v1::FindPathResponse response;
  request.mutable_options()->set_heuristic(v1::HEURISTIC_MANHATTAN);
  expect_fault(find(request, &response), grpc::FAILED_PRECONDITION, "HEURISTIC_UNSUITED",
               "options.heuristic");
  request.mutable_options()->set_weight(1.05);  // becomes 1
  expect_fault(find(request, &response), grpc::FAILED_PRECONDITION, "HEURISTIC_UNSUITED",
               "options.heuristic");
  request.mutable_options()->set_weight(2);
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_LE(response.path().cost(), std::max(1.0, response.path().bound()) * (9 + 2 * 1.41421357));
  request.mutable_options()->set_heuristic(v1::HEURISTIC_EUCLID);
  request.mutable_options()->set_algorithm(v1::ALGORITHM_DIJKSTRA);
  expect_fault(find(request, &response), grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT",
               "options.heuristic");
}

TEST_F(PathCalls, TurnsAreCountedApart) {
  v1::FindPathRequest request = path_request();
  v1::FindPathResponse response;
  request.mutable_options()->set_turn_penalty(10);
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_EQ(response.turns(), 2u);  // down through the door, and on
  EXPECT_EQ(response.turn_cost(), 20);
  EXPECT_EQ(response.path().cost(), 13);
  EXPECT_EQ(response.path().optimality(), v1::OPTIMALITY_OPTIMAL);
  request.mutable_options()->set_algorithm(v1::ALGORITHM_JPS);
  expect_fault(find(request, &response), grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT",
               "options.turn_penalty");
}

TEST_F(PathCalls, ASmoothedPathRunsWhereSightReaches) {
  v1::FindPathRequest request = path_request();
  v1::FindPathResponse response;
  request.mutable_options()->set_smoothing(v1::SMOOTHING_STRAIGHT);
  ASSERT_TRUE(find(request, &response).ok());
  const double straight = response.path().cost();
  EXPECT_LT(straight, 9 + 2 * 1.41421356 - 0.1);
  EXPECT_EQ(response.path().optimality(), v1::OPTIMALITY_BOUNDED);
  EXPECT_NEAR(response.path().bound(), straight / std::hypot(9, 4), 1e-6);
  EXPECT_EQ(response.path().cells_size() / 2, response.path().positions_size() / 3);
  const int corners = response.path().positions_size();
  request.mutable_options()->set_smoothing(v1::SMOOTHING_CURVES);
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_LT(response.path().cost(), straight);
  EXPECT_GT(response.path().positions_size(), corners);
  request.mutable_options()->set_max_waypoints(2);
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_EQ(response.path().positions_size(), 6);
  EXPECT_GT(response.path().waypoints_left_out(), 0u);
  request.mutable_options()->set_every_cell(true);
  expect_fault(find(request, &response), grpc::INVALID_ARGUMENT, "OPTIONS_CONFLICT",
               "options.every_cell");
  request = path_request();
  set_cell(3, 1, request.mutable_goals(0));
  request.mutable_options()->set_smoothing(v1::SMOOTHING_CURVES);
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_EQ(response.path().optimality(), v1::OPTIMALITY_OPTIMAL);
  EXPECT_NEAR(response.path().cost(), std::hypot(3, 1), 1e-6);
}

TEST_F(PathCalls, AFlowFieldLeadsThroughTheDoor) {
  v1::GetFlowFieldRequest request;
  request.set_world("square");
  set_cell(4, 4, request.add_goals());
  Context context;
  v1::GetFlowFieldResponse response;
  ASSERT_TRUE(paths_->GetFlowField(&context, request, &response).ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_COMPLETE);
  ASSERT_EQ(response.directions().size(), 50u);
  ASSERT_EQ(response.costs_size(), 50);
  const auto at = [&](int x, int y) {
    return static_cast<int>(
        static_cast<unsigned char>(response.directions()[static_cast<std::size_t>(10 * y + x)]));
  };
  EXPECT_EQ(at(4, 4), 254);
  EXPECT_EQ(at(4, 1), 2);
  EXPECT_EQ(at(0, 1), 0);
  EXPECT_EQ(at(0, 2), 255);
  EXPECT_EQ(at(9, 4), 4);
  EXPECT_EQ(response.costs(14), 3);
  EXPECT_EQ(response.costs(20), HUGE_VAL);
  auto* area = request.mutable_area();
  area->set_x0(3);
  area->set_y0(-5);
  area->set_x1(50);
  area->set_y1(2);
  Context second;
  ASSERT_TRUE(paths_->GetFlowField(&second, request, &response).ok());
  EXPECT_EQ(response.area().y0(), 0);
  EXPECT_EQ(response.area().x1(), 10);
  EXPECT_EQ(response.directions().size(), 14u);
  area->set_x0(50);
  Context third;
  expect_fault(paths_->GetFlowField(&third, request, &response), grpc::INVALID_ARGUMENT,
               "RECT_EMPTY", "area");
  request.clear_area();
  request.set_first_piece(1);
  Context fourth;
  expect_fault(paths_->GetFlowField(&fourth, request, &response), grpc::INVALID_ARGUMENT,
               "KIND_UNSUITED", "first_piece");
}

TEST_F(PathCalls, JumpPointSearchIsRefusedWhereCellsHaveFactors) {
  v1::ApplyChangesRequest mud = shut_door("square");
  mud.mutable_batch()->mutable_upsert_obstacles(0)->set_cost_factor(3);
  apply(mud);
  v1::FindPathRequest request = path_request();
  request.mutable_options()->set_min_revision(2);
  v1::FindPathResponse response;
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_GT(response.path().cost(), 9 + 2 * 1.41421356 + 1);
  request.mutable_options()->set_algorithm(v1::ALGORITHM_JPS);
  expect_fault(find(request, &response), grpc::FAILED_PRECONDITION, "ALGORITHM_UNSUITED",
               "options.algorithm");
}

// The tables are made over the first queries, even though nothing changes.
TEST_F(PathCalls, JumpPointSearchComesToALargeMapAfterSomeQueries) {
  Context context;
  v1::CreateWorldRequest plain;
  plain.set_name("plain");
  plain.set_width(1100);
  plain.set_height(1100);
  v1::World world;
  ASSERT_TRUE(worlds_->CreateWorld(&context, plain, &world).ok());
  v1::FindPathRequest request = path_request();
  request.set_world("plain");
  request.mutable_options()->set_algorithm(v1::ALGORITHM_JPS);
  v1::FindPathResponse response;
  expect_fault(find(request, &response), grpc::FAILED_PRECONDITION, "ALGORITHM_UNSUITED",
               "options.algorithm");
  const grpc::Status second = find(request, &response);
  ASSERT_TRUE(second.ok()) << second.error_message();
  EXPECT_NEAR(response.path().cost(), 5 + 4 * 1.41421356, 1e-5);
}

TEST_F(PathCalls, OutcomesAreNoFaults) {
  apply(shut_door("square"));
  v1::FindPathResponse response;
  v1::FindPathRequest request = path_request();
  request.mutable_options()->set_min_revision(2);
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_EQ(response.path().status(), v1::PATH_STATUS_UNREACHABLE);
  request.set_allow_partial(true);
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_EQ(response.path().status(), v1::PATH_STATUS_PARTIAL);
  request = path_request();
  request.mutable_options()->set_max_expansions(1);
  request.mutable_options()->set_algorithm(v1::ALGORITHM_DIJKSTRA);
  ASSERT_TRUE(find(request, &response).ok());
  EXPECT_EQ(response.path().status(), v1::PATH_STATUS_OUT_OF_BUDGET);
}

TEST_F(PathCalls, ABatchIsAnsweredOnOneRevision) {
  v1::FindPathsRequest request;
  request.set_world("square");
  for (int i = 0; i < 3; ++i) {
    *request.add_requests() = path_request();
    request.mutable_requests(i)->clear_world();
    request.mutable_requests(i)->mutable_walker()->set_team(static_cast<std::uint32_t>(i % 2));
  }
  Context context;
  v1::FindPathsResponse response;
  ASSERT_TRUE(paths_->FindPaths(&context, request, &response).ok());
  EXPECT_EQ(response.responses_size(), 3);
  EXPECT_EQ(response.revision(), 1u);
  request.mutable_requests(1)->mutable_walker()->set_profile("ghost");
  Context second;
  expect_fault(paths_->FindPaths(&second, request, &response), grpc::NOT_FOUND, "PROFILE_UNKNOWN",
               "requests[1].walker.profile");
}

TEST_F(PathCalls, TheNearestGoalIsTheCheapestToReach) {
  v1::FindNearestRequest request;
  request.set_world("square");
  set_cell(0, 1, request.mutable_from());
  set_cell(0, 3, request.add_goals());  // two cells away, but behind the wall
  set_cell(6, 0, request.add_goals());
  Context context;
  v1::FindNearestResponse response;
  ASSERT_TRUE(paths_->FindNearest(&context, request, &response).ok());
  EXPECT_EQ(response.goal_index(), 1);
  EXPECT_EQ(response.cell().x(), 6);
}

TEST_F(PathCalls, SnappingFindsTheNearestFreeCell) {
  v1::FindNearestRequest request;
  request.set_world("square");
  set_cell(2, 2, request.mutable_from());
  Context context;
  v1::FindNearestResponse response;
  ASSERT_TRUE(paths_->FindNearest(&context, request, &response).ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_EQ(response.cell().x(), 2);
  EXPECT_EQ(response.cell().y(), 1);
  EXPECT_EQ(response.distance(), 1);
}

TEST_F(PathCalls, ReachableCellsComeByCost) {
  v1::FindReachableRequest request;
  request.set_world("square");
  set_cell(0, 0, request.mutable_from());
  request.set_max_cost(1);
  Context context;
  v1::FindReachableResponse response;
  ASSERT_TRUE(paths_->FindReachable(&context, request, &response).ok());
  ASSERT_EQ(response.costs_size(), 3);
  EXPECT_EQ(response.costs(0), 0);
  EXPECT_EQ(response.previous(0), -1);
  EXPECT_EQ(response.costs(2), 1);
}

TEST_F(PathCalls, WhoFleesGetsAsFarAsAsked) {
  v1::FindAwayRequest request;
  request.set_world("square");
  set_cell(4, 1, request.mutable_from());
  set_cell(4, 0, request.add_threats());
  request.set_distance(3);
  Context context;
  v1::FindAwayResponse response;
  ASSERT_TRUE(paths_->FindAway(&context, request, &response).ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_EQ(response.cell().x(), 4);
  EXPECT_EQ(response.cell().y(), 3);  // through the door
  EXPECT_EQ(response.distance(), 3);
  EXPECT_EQ(response.path().cost(), 2);
  EXPECT_EQ(response.path().optimality(), v1::OPTIMALITY_OPTIMAL);
  EXPECT_EQ(response.revision(), 1u);
  request.set_distance(100);
  Context second;
  ASSERT_TRUE(paths_->FindAway(&second, request, &response).ok());
  EXPECT_EQ(response.status(), v1::PATH_STATUS_UNREACHABLE);
  EXPECT_FALSE(response.has_cell());
  request.set_distance(-1);
  Context third;
  expect_fault(paths_->FindAway(&third, request, &response), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE",
               "distance");
}

TEST_F(PathCalls, ARayStopsAtTheWall) {
  v1::RaycastRequest request;
  request.set_world("square");
  set_cell(0, 0, request.mutable_from());
  set_cell(0, 4, request.mutable_to());
  Context context;
  v1::RaycastResponse response;
  ASSERT_TRUE(paths_->Raycast(&context, request, &response).ok());
  EXPECT_TRUE(response.hit());
  EXPECT_EQ(response.blocked().y(), 2);
  EXPECT_EQ(response.last_free().y(), 1);
  EXPECT_NEAR(response.distance(), 1.5, 1e-9);
}

TEST_F(PathCalls, AHeldPathIsChecked) {
  v1::FindPathResponse found;
  ASSERT_TRUE(find(path_request(), &found).ok());
  v1::CheckPathRequest request;
  request.set_world("square");
  *request.mutable_cells() = found.path().cells();
  request.set_check_optimal(true);
  Context context;
  v1::CheckPathResponse response;
  ASSERT_TRUE(paths_->CheckPath(&context, request, &response).ok());
  EXPECT_TRUE(response.valid());
  EXPECT_TRUE(response.optimal());
  EXPECT_EQ(response.first_invalid_waypoint(), -1);
  v1::CheckPathRequest around = request;
  around.clear_cells();
  for (const int number : {0, 0, 4, 0, 4, 4, 9, 4}) around.add_cells(number);
  Context compared;
  ASSERT_TRUE(paths_->CheckPath(&compared, around, &response).ok());
  EXPECT_TRUE(response.valid());
  EXPECT_FALSE(response.optimal());
  EXPECT_NEAR(response.optimal_cost(), 9 + 2 * 1.41421356, 1e-5);
  // A path found by BFS may not be a cheapest one.
  around.mutable_options()->set_algorithm(v1::ALGORITHM_BFS);
  Context unsuited;
  expect_fault(paths_->CheckPath(&unsuited, around, &response), grpc::INVALID_ARGUMENT,
               "OPTIONS_CONFLICT", "options.algorithm");
  apply(shut_door("square"));
  Context second;
  ASSERT_TRUE(paths_->CheckPath(&second, request, &response).ok());
  EXPECT_FALSE(response.valid());
  EXPECT_GT(response.first_invalid_waypoint(), 0);
  request.add_cells(0);
  request.add_cells(1);
  Context third;
  expect_fault(paths_->CheckPath(&third, request, &response), grpc::INVALID_ARGUMENT,
               "NOT_STRAIGHT", "cells[" + std::to_string(request.cells_size() - 2) + "]");
}

TEST_F(PathCalls, AnExplanationHasEveryTouchedNode) {
  v1::ExplainPathRequest request;
  *request.mutable_request() = path_request();
  Context context;
  v1::ExplainPathResponse response;
  ASSERT_TRUE(debug_->ExplainPath(&context, request, &response).ok());
  EXPECT_EQ(response.cells_size(), 2 * response.g_size());
  EXPECT_GE(static_cast<std::uint64_t>(response.g_size()), response.result().expanded());
  request.mutable_request()->set_world("nowhere");
  Context second;
  expect_fault(debug_->ExplainPath(&second, request, &response), grpc::NOT_FOUND, "WORLD_UNKNOWN",
               "request.world");
}

TEST_F(PathCalls, AQueryEndsWithItsDeadline) {
  v1::CreateWorldRequest create;
  create.set_name("plain");
  create.set_width(4096);
  create.set_height(4096);
  v1::World world;
  Context making;
  ASSERT_TRUE(worlds_->CreateWorld(&making, create, &world).ok());
  v1::FindPathRequest request;
  request.set_world("plain");
  request.mutable_options()->set_algorithm(v1::ALGORITHM_DIJKSTRA);
  set_cell(0, 0, request.mutable_from());
  set_cell(4095, 4095, request.add_goals());
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(50));
  v1::FindPathResponse response;
  EXPECT_EQ(paths_->FindPath(&context, request, &response).error_code(), grpc::DEADLINE_EXCEEDED);
  // The search has ended, too; otherwise it would go on while the server waits for it.
  const std::clock_t begun = std::clock();
  server_->shut_down(60'000);
  EXPECT_LT(std::clock() - begun, CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace repath
