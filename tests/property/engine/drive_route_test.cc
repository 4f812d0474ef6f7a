// Paths over meshes for agents with a turning radius, against plain squares: no sample of a path
// lies in a blocked square, and no curve is narrower than the radius.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "engine/queries.h"
#include "property/engine/plain_squares.h"
#include "property/engine/turn_radius.h"
#include "routes/nav_world.h"
#include "support/carved_worlds.h"
#include "support/query_ground.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

void check_driven_route(const std::vector<std::string>& rows, const std::vector<RoutePoint>& route,
                        double radius) {
  double walked = 0;
  for (std::size_t i = 1; i < route.size(); ++i) {
    const Spot& a = route[i - 1].at;
    const Spot& b = route[i].at;
    for (int k = 0; k <= 64; ++k) {
      const double share = k / 64.0;
      ASSERT_FALSE(
          test::is_in_wall(rows, a.x + (b.x - a.x) * share, a.z + (b.z - a.z) * share, 1e-3))
          << a.x << ',' << a.z << " to " << b.x << ',' << b.z;
    }
    walked += std::hypot(b.x - a.x, b.z - a.z);
    if (i < 2) continue;
    const Spot& before = route[i - 2].at;
    ASSERT_GE(test::radius_through({before.x, before.z}, {a.x, a.z}, {b.x, b.z}),
              radius * (1 - 1e-5))
        << i;
  }
  ASSERT_GT(walked, 0);
}

TEST(DrivenRoutes, KeepTheTurningRadiusOnFreeGround) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int turned = 0;
  int tight = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<std::string> rows(10, std::string(17, '.'));
    for (std::string& row : rows)
      for (char& c : row)
        if (random.below(10) == 0) c = '#';
    NavWorld::Source source;
    source.name = "nav";
    source.mesh = test::squares(rows);
    auto world = NavWorld::create(std::move(source));
    ASSERT_TRUE(world.ok()) << world.status();
    const QueryGround& ground =
        test::query_ground(**world, *(*world)->acquire_view("default", TeamId{0}));
    PathQuery query;
    query.from = {test::between(&random, 0, 17), test::between(&random, 0, 10)};
    query.goals = {{test::between(&random, 0, 17), test::between(&random, 0, 10)}};
    const PathAnswer found = find_path(ground, query, QueryLimits{});
    query.smoothing = Smoothing::kCurves;
    query.turning_radius = std::array{0.3, 1.0, 2.5}[random.below(3)];
    query.curve_deviation = std::array{0.002, 0.05}[random.below(2)];
    const PathAnswer answer = find_path(ground, query, QueryLimits{});
    if (answer.state == QueryState::kTurnTooTight) {
      ++tight;
      ASSERT_TRUE(answer.route.empty());
      ASSERT_EQ(found.state, QueryState::kComplete);
      continue;
    }
    ASSERT_EQ(answer.state, found.state);
    if (found.state != QueryState::kComplete || found.route.size() < 2) continue;
    check_driven_route(rows, answer.route, query.turning_radius);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "round " << round;
    if (found.route.size() > 2) ++turned;
    ASSERT_GE(answer.cost + kRouteCostSlack, found.cost);
    ASSERT_LE(static_cast<double>(answer.cost),
              answer.bound * static_cast<double>(found.cost) * (1 + 1e-9) + 1);
  }
  EXPECT_GT(turned, 20);
  EXPECT_GT(tight, 5);
}

}  // namespace
}  // namespace repath
