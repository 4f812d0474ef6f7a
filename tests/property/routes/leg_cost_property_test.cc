// The cost of routes over ground of several factors, against a plain integrator that knows only
// squares and rings. The cost is the sum of the legs, each the integral of the factors along it.
// Along a border the cheaper side counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <iomanip>
#include <span>
#include <string>
#include <vector>

#include "support/patchwork.h"
#include "support/seed.h"

namespace repath {
namespace {

using test::kBorderAside;
using test::kOnBorder;
using test::patchwork_spot;
using test::PatchworkWorld;

// For each leg: factors differ by 30, and its ends lie where several grounds meet.
constexpr double kLegSlack = 0.02;

class LegCostTrial {
 public:
  explicit LegCostTrial(const PatchworkWorld& made) : made_(made) {}

  void ask(Random* random) {
    const QueryGround& ground = made_.world->ground(made_.view);
    const auto start = ground.locate(patchwork_spot(random, made_.plain));
    const auto goal = ground.locate(patchwork_spot(random, made_.plain));
    if (!start || !goal) return;  // beside the floor by rounding
    const RouteMethod method = random->below(3) == 0 ? RouteMethod::kAStar : RouteMethod::kBest;
    auto search = ground.search_by({method}, *start, {&*goal, 1});
    std::uint32_t expansions = 1'000'000;
    ASSERT_EQ(search->advance(&expansions), Progress::kPathFound);
    std::vector<RoutePoint> route;
    search->append_route(&route);
    ASSERT_EQ(ground.walk(route).cost, search->cost());
    ASSERT_EQ(ground.walk_positions(route).cost, search->cost());
    check(ground, route, units_from_route_cost(search->cost()));
    ++compared_;
  }
  std::size_t compared() const { return compared_; }
  double worst() const { return worst_; }

 private:
  void check(const QueryGround& ground, const std::vector<RoutePoint>& route, double cost) {
    double least = 0;
    double exact = 0;
    double sum = 0;
    for (std::size_t k = 1; k < route.size(); ++k) {
      const Spot& a = route[k - 1].at;
      const Spot& b = route[k].at;
      const double leg_exact = made_.plain.cheapest_leg(a, b, kOnBorder);
      least += made_.plain.cheapest_leg(a, b, kBorderAside);
      exact += leg_exact;
      const double leg =
          units_from_route_cost(ground.walk(std::span(route).subspan(k - 1, 2)).cost);
      sum += leg;
      EXPECT_LE(leg, leg_exact + 1e-3 * leg + kLegSlack)
          << std::setprecision(17) << a.x << ", " << a.z << " to " << b.x << ", " << b.z
          << made_.plain.drawn();
      check_back(ground, {route[k], route[k - 1]}, leg);
    }
    // A border that is crossed may be off by this much, at a factor of at most 1000.
    const double slack = 1e-3 * cost + static_cast<double>(route.size()) * kLegSlack;
    worst_ = std::max(worst_, cost / std::max(exact, 1e-9));
    EXPECT_LE(cost, exact + slack);
    EXPECT_GE(cost, least - slack);
    EXPECT_NEAR(sum, cost, 1e-5);
  }
  // A leg costs the same in both directions.
  void check_back(const QueryGround& ground, std::vector<RoutePoint> leg, double cost) const {
    const RouteWalk back = ground.walk(leg);
    if (back.cost == kUnreachable) return;  // by rounding
    EXPECT_NEAR(units_from_route_cost(back.cost), cost, 1e-5)
        << std::setprecision(17) << leg[0].at.x << ", " << leg[0].at.z << " to " << leg[1].at.x
        << ", " << leg[1].at.z << made_.plain.drawn();
  }

  const PatchworkWorld& made_;
  std::size_t compared_ = 0;
  double worst_ = 0;
};

void run_leg_costs(bool is_turned) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 7);
  std::size_t compared = 0;
  double worst = 0;
  for (int round = 0; round < 80 && !testing::Test::HasFailure(); ++round) {
    PatchworkWorld made = test::patchwork_world(&random, is_turned);
    ChangeBatch batch;
    const std::uint64_t count = random.below(6);
    for (std::uint64_t id = 1; id <= count; ++id)
      batch.upsert_obstacles.push_back(test::add_patch(&random, id, &made.plain));
    ASSERT_TRUE(batch.entries() == 0 || made.world->apply(batch).ok());
    LegCostTrial trial(made);
    for (int i = 0; i < 35; ++i) {
      SCOPED_TRACE("round " + std::to_string(round) + ", way " + std::to_string(i));
      trial.ask(&random);
    }
    compared += trial.compared();
    worst = std::max(worst, trial.worst());
  }
  testing::Test::RecordProperty("worst", std::to_string(worst));
  EXPECT_GT(compared, 2'000u);
}

TEST(LegCostProperty, ARouteCostsTheIntegralAlongItsLegs) { run_leg_costs(false); }

TEST(LegCostProperty, WhereNoBorderLiesAlongAnAxisToo) { run_leg_costs(true); }

}  // namespace
}  // namespace repath
