// The cost of routes over ground of several factors, against a plain integrator that knows only
// squares and rings. The cost is the sum of the legs, each the integral of the factors along it.
// Along a border the cheaper side counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "geometry/shapes.h"
#include "routes/nav_world.h"
#include "support/seed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

constexpr int kLegFloorSide = 12;
// Distance beside a border: carving moves it by at most half a millimetre, and by half a step of
// the lattice where another edge crosses it.
constexpr double kBorderAside = 7e-4;
// A point nearer than this to a border counts as on it.
constexpr double kOnBorder = 1e-6;
// For each leg: factors differ by 30, and its ends lie where several grounds meet.
constexpr double kLegSlack = 0.02;
const Profile kWalker{.name = "walker", .areas = {{1, 3}, {2, 1.5}, {3, 10}}};

// Squares of random areas, and boxes that make ground dearer or of another area.
struct Patchwork {
  struct Patch {
    Box box;
    Effect effect;
  };
  std::vector<std::uint8_t> areas;  // by square
  std::vector<Patch> patches;       // ascending by id

  double factor_at(Point p) const {
    const auto side = [](double v) {
      return std::clamp(static_cast<int>(std::floor(v)), 0, kLegFloorSide - 1);
    };
    std::uint8_t area = areas[static_cast<std::size_t>(side(p.z) * kLegFloorSide + side(p.x))];
    double own = 1;
    for (const Patch& patch : patches) {
      if (std::abs(p.x - patch.box.center.x) >= patch.box.half_x ||
          std::abs(p.z - patch.box.center.z) >= patch.box.half_z)
        continue;
      own *= patch.effect.factor;
      if (patch.effect.area) area = *patch.effect.area;
    }
    for (const AreaFactor& rule : kWalker.areas)
      if (rule.area == area) own *= rule.factor;
    return std::min(own, 1000.0);
  }

  // Returns the cost of the leg, with each bit of it on the cheapest ground at most `aside` beside
  // it.
  double cheapest_leg(Point a, Point b, double aside) const {
    const double length = std::hypot(b.x - a.x, b.z - a.z);
    if (length == 0) return 0;
    const double nx = -(b.z - a.z) / length;
    const double nz = (b.x - a.x) / length;
    std::vector<double> cuts{0, 1};
    for (const double by : {-aside, aside})
      append_cuts({a.x + by * nx, a.z + by * nz}, {b.x + by * nx, b.z + by * nz}, &cuts);
    std::ranges::sort(cuts);
    double sum = 0;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      const double part = (cuts[i] - cuts[i - 1]) * length;
      if (part < 1e-12) continue;
      const double t = (cuts[i] + cuts[i - 1]) / 2;
      double least = 1e9;
      for (const double by : {-aside, aside})
        least = std::min(
            least, factor_at({a.x + t * (b.x - a.x) + by * nx, a.z + t * (b.z - a.z) + by * nz}));
      sum += part * least;
    }
    return sum;
  }

  std::string drawn() const {
    std::string text = ", patches:";
    for (const Patch& p : patches)
      text += " (" + std::to_string(p.box.center.x) + ", " + std::to_string(p.box.center.z) + "; " +
              std::to_string(p.box.half_x) + " x " + std::to_string(p.box.half_z) + ", factor " +
              std::to_string(p.effect.factor) + ")";
    text += ", areas:";
    for (std::size_t i = 0; i < areas.size(); ++i)
      text += (i % kLegFloorSide == 0 ? "\n" : "") + std::to_string(areas[i]);
    return text;
  }

 private:
  void append_cuts(Point a, Point b, std::vector<double>* cuts) const {
    const auto cut = [cuts](double here, double there) {
      if ((here < 0) != (there < 0)) cuts->push_back(std::clamp(here / (here - there), 0.0, 1.0));
    };
    for (int k = 1; k < kLegFloorSide; ++k) {
      cut(a.x - k, b.x - k);
      cut(a.z - k, b.z - k);
    }
    for (const Patch& patch : patches) {
      for (const double sign : {-1.0, 1.0}) {
        const double x = patch.box.center.x + sign * patch.box.half_x;
        const double z = patch.box.center.z + sign * patch.box.half_z;
        cut(a.x - x, b.x - x);
        cut(a.z - z, b.z - z);
      }
    }
  }
};

struct PatchworkWorld {
  Patchwork plain;
  std::unique_ptr<NavWorld> world;
  RouteViewId view{};
};

PatchworkWorld patchwork_world(Random* random) {
  PatchworkWorld made;
  const auto n = static_cast<std::size_t>(kLegFloorSide);
  MeshSource mesh = test::squares(std::vector<std::string>(n, std::string(n, '.')));
  const std::uint32_t plain = random->below(8);  // out of ten squares
  for (MeshSource::Cell& cell : mesh.cells) {
    const std::uint8_t area =
        random->below(10) < plain ? std::uint8_t{0} : static_cast<std::uint8_t>(random->below(4));
    cell.area = AreaType(area);
    made.plain.areas.push_back(area);
  }
  made.world = *NavWorld::create(
      {.name = "w", .mesh = mesh, .profiles = {kWalker}, .cell_side = 1.0 + random->below(8)});
  made.view = *made.world->acquire_view("walker", TeamId{0});
  ChangeBatch batch;
  const std::uint64_t count = random->below(6);
  for (std::uint64_t id = 1; id <= count; ++id) {
    ObstacleSpec obstacle{.id = ObstacleId{id}};
    const Box box{.center = {0.5 * random->below(25), 0.5 * random->below(25)},
                  .half_x = 0.5 * (1 + random->below(6)),
                  .half_z = 0.5 * (1 + random->below(6))};
    obstacle.shape = box;
    obstacle.effect = {.blocked = false, .factor = 1 + 0.5 * random->below(8)};
    if (random->below(3) == 0)
      obstacle.effect = {.blocked = false, .area = static_cast<std::uint8_t>(random->below(4))};
    batch.upsert_obstacles.push_back(obstacle);
    made.plain.patches.push_back({box, obstacle.effect});
  }
  const bool is_done = batch.entries() == 0 || made.world->apply(batch).ok();
  EXPECT_TRUE(is_done);
  return made;
}

Spot patchwork_spot(Random* random) {
  // Half of them lie on borders.
  if (random->below(2) == 0) return {0.5 * random->below(25), 0, 0.5 * random->below(25)};
  return {random->unit() * kLegFloorSide, 0, random->unit() * kLegFloorSide};
}

TEST(LegCostProperty, ARouteCostsTheIntegralAlongItsLegs) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 7);
  std::size_t compared = 0;
  double worst = 0;
  for (int round = 0; round < 80; ++round) {
    const PatchworkWorld made = patchwork_world(&random);
    const QueryGround& ground = made.world->ground(made.view);
    for (int i = 0; i < 30; ++i) {
      SCOPED_TRACE("round " + std::to_string(round) + ", way " + std::to_string(i));
      const auto start = ground.locate(patchwork_spot(&random));
      const auto goal = ground.locate(patchwork_spot(&random));
      ASSERT_TRUE(start && goal);
      const RouteMethod method = random.below(3) == 0 ? RouteMethod::kAStar : RouteMethod::kBest;
      auto search = ground.search_by({method}, *start, {&*goal, 1});
      std::uint32_t expansions = 1'000'000;
      ASSERT_EQ(search->advance(&expansions), Progress::kPathFound);
      std::vector<RoutePoint> route;
      search->append_route(&route);
      ASSERT_EQ(ground.walk(route).cost, search->cost());
      ASSERT_EQ(ground.walk_positions(route).cost, search->cost());
      double least = 0;
      double exact = 0;
      double sum = 0;
      for (std::size_t k = 1; k < route.size(); ++k) {
        const Point a{route[k - 1].at.x, route[k - 1].at.z};
        const Point b{route[k].at.x, route[k].at.z};
        const double leg_exact = made.plain.cheapest_leg(a, b, kOnBorder);
        least += made.plain.cheapest_leg(a, b, kBorderAside);
        exact += leg_exact;
        const RouteWalk walk = ground.walk(std::span(route).subspan(k - 1, 2));
        const double leg = units_from_route_cost(walk.cost);
        sum += leg;
        EXPECT_LE(leg, leg_exact + 1e-3 * leg + kLegSlack)
            << std::setprecision(17) << a.x << ", " << a.z << " to " << b.x << ", " << b.z
            << made.plain.drawn();
      }
      const double cost = units_from_route_cost(search->cost());
      // A border that is crossed may be off by this much, at a factor of at most 1000.
      const double slack = 1e-3 * cost + static_cast<double>(route.size()) * kLegSlack;
      worst = std::max(worst, cost / std::max(exact, 1e-9));
      EXPECT_LE(cost, exact + slack);
      EXPECT_GE(cost, least - slack);
      EXPECT_NEAR(sum, cost, 1e-6);
      ++compared;
    }
    if (testing::Test::HasFailure()) break;
  }
  RecordProperty("worst", std::to_string(worst));
  EXPECT_GT(compared, 2'000u);
}

}  // namespace
}  // namespace repath
