// Agents that walk over ground of several factors, often along walls and borders: at each place
// their held cost is the integral of the factors along the rest of their route. Ground gets dearer
// and cheaper under them. The integrator knows only squares and boxes.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "route_ground/rerouter.h"
#include "support/patchwork.h"
#include "support/seed.h"

namespace repath {
namespace {

using test::PatchworkWorld;

constexpr AgentId kWalkerId{1};
constexpr double kWalkSlack = 0.02;  // for each leg, see leg_cost_property_test.cc

class WalkTrial {
 public:
  explicit WalkTrial(std::uint64_t seed, bool has_patches)
      : random_(seed),
        has_patches_(has_patches),
        made_(test::patchwork_world(&random_, true, 25)),
        rerouter_(*made_.world, {.strategy = Strategy::kAStar}, executor_) {}

  void run() {
    for (int question = 0; question < 12 && !testing::Test::HasFailure(); ++question) {
      if (!ask()) continue;
      for (int i = 0; i < 20 && !testing::Test::HasFailure(); ++i) {
        if (has_patches_ && random_.below(3) == 0) change();
        if (!step()) break;
      }
    }
  }
  int compared() const { return compared_; }

 private:
  void settle() {
    for (int frame = 0; frame < 100 && rerouter_.waiting().size() > 0; ++frame)
      rerouter_.step(1'000'000, now_ += 16'000);
    ASSERT_EQ(rerouter_.waiting().size(), 0u);
  }
  // Mostly corners of squares, so that routes run along walls.
  MapPoint end() {
    const double x = random_.unit() * test::kPatchworkSide;
    const double z = random_.unit() * test::kPatchworkSide;
    const bool is_corner = random_.below(4) != 0;
    const Spot at =
        is_corner ? made_.plain.placed(std::round(x), std::round(z)) : made_.plain.placed(x, z);
    return {at.x, at.z, 0};
  }
  bool ask() {
    AgentSpec spec;
    spec.id = kWalkerId;
    spec.profile = "walker";
    spec.position = end();
    spec.goals = {end()};
    EXPECT_TRUE(rerouter_.upsert(std::span(&spec, 1), OwnerId{1}, now_).ok());
    settle();
    return view().held_cost != kUnreachable && view().verdict.path->points.size() > 1;
  }
  void change() {
    ChangeBatch batch;
    if (!made_.plain.patches.empty() && random_.below(3) == 0) {
      batch.remove_obstacles.push_back(ObstacleId{latest_});
      made_.plain.patches.pop_back();
      --latest_;
    } else if (latest_ < 6) {
      batch.upsert_obstacles.push_back(test::add_patch(&random_, ++latest_, &made_.plain));
    } else {
      return;
    }
    rerouter_.before_commit();
    auto commit = made_.world->apply(batch);
    ASSERT_TRUE(commit.ok()) << commit.status();
    rerouter_.on_commit(*std::move(commit), now_);
    check("at once");
    settle();
    check("after a change");
  }
  // Walks some way along the first or second leg. Returns false at the end of the route.
  bool step() {
    const AgentView before = view();
    const std::vector<RoutePoint>& rest = before.verdict.path->points;
    if (rest.size() < 2) return false;
    const std::size_t leg = rest.size() > 2 ? random_.below(2) : 0;
    const double share = random_.below(6) == 0 ? 1 : random_.unit();
    const Spot& a = rest[leg].at;
    const Spot& b = rest[leg + 1].at;
    // Reports are rounded, and so lie beside the leg by a hair.
    const auto rounded = [](double v) { return std::round(v * 1e6) / 1e6; };
    const MapPoint to{rounded(a.x + share * (b.x - a.x)), rounded(a.z + share * (b.z - a.z)), 0};
    rerouter_.report({kWalkerId, to, before.verdict.path->version}, now_);
    EXPECT_FALSE(view().waiting);
    check("walked");
    settle();
    return true;
  }
  void check(const std::string& when) {
    SCOPED_TRACE(when);
    const AgentView now = view();
    if (now.held_cost == kUnreachable) return;
    const std::vector<RoutePoint>& rest = now.verdict.path->points;
    double least = 0;
    double exact = 0;
    for (std::size_t i = 1; i < rest.size(); ++i) {
      least += made_.plain.cheapest_leg(rest[i - 1].at, rest[i].at, test::kBorderAside);
      exact += made_.plain.cheapest_leg(rest[i - 1].at, rest[i].at, test::kOnBorder);
    }
    const double cost = units_from_route_cost(now.held_cost);
    const double slack = 1e-3 * cost + static_cast<double>(rest.size()) * kWalkSlack;
    EXPECT_LE(cost, exact + slack) << rest[0].at.x << ", " << rest[0].at.z << made_.plain.drawn();
    EXPECT_GE(cost, least - slack) << rest[0].at.x << ", " << rest[0].at.z << made_.plain.drawn();
    ++compared_;
  }
  AgentView view() const { return *rerouter_.view(kWalkerId, true); }

  Random random_;
  bool has_patches_;
  InlineExecutor executor_;
  PatchworkWorld made_;
  Rerouter rerouter_;
  std::uint64_t latest_ = 0;
  Micros now_ = 0;
  int compared_ = 0;
};

void run_walks(bool has_patches) {
  int compared = 0;
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(round);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    WalkTrial trial(seed, has_patches);
    trial.run();
    compared += trial.compared();
  }
  EXPECT_GT(compared, 3'000);
}

TEST(WalkedCostProperty, WhatIsHeldIsTheIntegralAlongTheRest) { run_walks(false); }

TEST(WalkedCostProperty, AlsoWhenGroundGetsDearerAndCheaper) { run_walks(true); }

}  // namespace
}  // namespace repath
