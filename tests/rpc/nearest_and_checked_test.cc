// FindNearest with as many goals as it takes, and what CheckPath says of the cheapest path.
#include <algorithm>
#include <string>
#include <vector>

#include "rpc/route_fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

class ManyGoals : public test::RouteServer {
 protected:
  void SetUp() override {
    RouteServer::SetUp();
    import_square("square", false);
  }
  // A far and a near goal of each world, in view of its start.
  static void set_start(const std::string& world, v1::Location* out) {
    if (world == "square") return set_cell(0, 0, out);
    world == "house" ? set_place(3, 0, 4, out) : set_place(0, 0, 0, out);
  }
  static void set_goal(const std::string& world, bool is_near, v1::Location* out) {
    if (world == "square") return set_cell(is_near ? 2 : 9, 0, out);
    if (world == "house") return set_place(is_near ? 5 : 17, 0, 4, out);
    is_near ? set_place(10, 0, 0, out) : set_place(10, 0, 10, out);
  }
  // All goals are far but the one at `near`.
  grpc::Status ask(const std::string& world, int goals, int near,
                   v1::FindNearestResponse* response) {
    v1::FindNearestRequest request;
    request.set_world(world);
    set_start(world, request.mutable_from());
    for (int i = 0; i < goals; ++i) set_goal(world, i == near, request.add_goals());
    Context context;
    return paths_->FindNearest(&context, request, response);
  }
};

TEST_F(ManyGoals, TheCheapestOfThemIsFoundOnEveryKind) {
  for (const std::string world : {"square", "house", "streets"}) {
    for (const int goals : {1, 64, 65, 1024}) {
      for (const int near : {0, goals / 2, goals - 1}) {
        SCOPED_TRACE(world + ", " + std::to_string(near) + " of " + std::to_string(goals));
        v1::FindNearestResponse response;
        const grpc::Status status = ask(world, goals, near, &response);
        ASSERT_TRUE(status.ok()) << status.error_message();
        EXPECT_EQ(response.status(), v1::PATH_STATUS_COMPLETE);
        EXPECT_EQ(response.goal_index(), near);
        EXPECT_NEAR(response.distance(), world == "streets" ? 10 : 2, 1e-4);
      }
    }
    // If goals are equally near, the first one counts.
    v1::FindNearestResponse equal;
    ASSERT_TRUE(ask(world, 1024, -1, &equal).ok());
    EXPECT_EQ(equal.goal_index(), 0);
    v1::FindNearestResponse refused;
    expect_fault(ask(world, 1025, 0, &refused), grpc::INVALID_ARGUMENT, "LIST_SIZE", "goals");
  }
}

class CheckedPaths : public test::RouteServer {
 protected:
  v1::CheckPathResponse check(const std::vector<double>& positions,
                              const std::vector<std::uint64_t>& links = {},
                              std::uint64_t max_expansions = 0) {
    v1::CheckPathRequest request;
    request.set_world("house");
    request.set_check_optimal(true);
    request.mutable_positions()->Add(positions.begin(), positions.end());
    request.mutable_links()->Add(links.begin(), links.end());
    request.mutable_options()->set_max_expansions(max_expansions);
    Context context;
    v1::CheckPathResponse response;
    const grpc::Status status = paths_->CheckPath(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
};

TEST_F(CheckedPaths, APathIsTheCheapestOrNotOnlyWhereThatIsProved) {
  const v1::CheckPathResponse straight = check({3, 0, 8, 17, 0, 8});
  EXPECT_TRUE(straight.valid());
  EXPECT_TRUE(straight.optimal());
  EXPECT_TRUE(straight.optimal_is_known());
  const v1::CheckPathResponse crooked = check({3, 0, 8, 10, 0, 9, 17, 0, 8});
  EXPECT_TRUE(crooked.valid());
  EXPECT_FALSE(crooked.optimal());
  EXPECT_TRUE(crooked.optimal_is_known());
  EXPECT_NEAR(crooked.optimal_cost(), 14, 1e-4);
  const v1::CheckPathResponse broken = check({3, 0, 4, 17, 0, 4});
  EXPECT_FALSE(broken.valid());
  EXPECT_FALSE(broken.optimal());
  EXPECT_TRUE(broken.optimal_is_known());
}

// The search over a link only knows a lower bound, which no way reaches. So the best path is not
// said to be beaten.
TEST_F(CheckedPaths, ABoundedAnswerLeavesItOpen) {
  const std::vector<double> upstairs{5, 0, 4, 9, 0, 7, 19, 0, 9, 19, 4, 5};
  const v1::CheckPathResponse checked = check(upstairs, {0, 0, 5, 0});
  ASSERT_TRUE(checked.valid());
  EXPECT_LE(checked.cost(), checked.optimal_cost());
  EXPECT_FALSE(checked.optimal());
  EXPECT_FALSE(checked.optimal_is_known());
}

TEST_F(CheckedPaths, ASearchThatRunsOutLeavesItOpen) {
  const v1::CheckPathResponse checked = check({3, 0, 4, 9, 0, 7, 10, 0, 7, 17, 0, 4}, {}, 1);
  EXPECT_TRUE(checked.valid());
  EXPECT_FALSE(checked.optimal());
  EXPECT_FALSE(checked.optimal_is_known());
  EXPECT_EQ(checked.optimal_cost(), 0);
  EXPECT_TRUE(check({3, 0, 4, 9, 0, 7, 10, 0, 7, 17, 0, 4}).optimal());
}

}  // namespace
}  // namespace repath
