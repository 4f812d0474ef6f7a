// Agents that are wider than their mesh was made for, on random ground of one floor: against a
// plain model of distances to walls and a raster, against narrower agents, and with obstacles.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "navmesh/import/floor_plan.h"
#include "routes/nav_changes.h"
#include "routes/nav_world.h"
#include "support/random_meshes.h"
#include "support/random_polygons.h"
#include "support/seed.h"
#include "support/small_meshes.h"
#include "support/wall_model.h"

namespace repath {
namespace {

constexpr double kPlanSide = 10;
constexpr double kRasterStep = 0.1;
constexpr double kCostSlack = 1e-4;

std::string text_of(const std::vector<Point>& ring) {
  std::string text;
  for (const Point p : ring)
    text +=
        (text.empty() ? "[" : ",") + ("[" + std::to_string(p.x)) + "," + std::to_string(p.z) + "]";
  return text + "]";
}

// A square with stars and thin boxes as holes, at random places that do not touch.
MeshSource random_plan(Random* random) {
  const auto method = static_cast<PlanMethod>(random->below(3));
  std::string holes;
  std::vector<LatticeRing> taken;
  for (std::uint32_t k = 2 + random->below(7); k > 0; --k) {
    const Point center{1 + 8 * random->unit(), 1 + 8 * random->unit()};
    Polygon hole =
        test::random_star(random, center, 0.3 + 1.5 * random->unit(), 3 + random->below(6));
    if (random->below(3) == 0) {
      const auto box = box_corners(
          {center, 0.05, 0.5 + 2 * random->unit(), random->below(2) == 0 ? 0 : 3 * random->unit()});
      hole.points.assign(box.begin(), box.end());
    }
    for (Point& p : hole.points) p = {std::round(p.x * 1000) / 1000, std::round(p.z * 1000) / 1000};
    const LatticeRing ring = test::to_lattice(hole.points);
    const bool is_inside = std::ranges::all_of(hole.points, [](Point p) {
      return p.x > 0.01 && p.z > 0.01 && p.x < kPlanSide - 0.01 && p.z < kPlanSide - 0.01;
    });
    if (!is_inside || !check_polygon(hole).ok() ||
        std::ranges::any_of(taken, [&](const auto& other) {
          return bounds_of(ring).grown(16).meets(bounds_of(other));
        }))
      continue;
    taken.push_back(ring);
    holes += (holes.empty() ? "" : ",") + text_of(hole.points);
  }
  const auto mesh = import_floor_plan(
      R"({"outer": [[0,0],[10,0],[10,10],[0,10]], "holes": [)" + holes + "]}", method);
  EXPECT_TRUE(mesh.ok()) << mesh.status() << holes;
  return mesh.ok() ? *mesh : test::squares({"."});
}

MeshSource random_ground(Random* random) {
  switch (random->below(4)) {
    case 0:
      return test::squares(test::random_rows(random, 9));
    case 1:
      return test::random_bars(random, 9);
    case 2:
      return test::random_triangles(random, 9);
    default:
      return random_plan(random);
  }
}

std::unique_ptr<NavWorld> world_for(const MeshSource& mesh, const std::vector<double>& radii,
                                    double base_radius, double cell_side) {
  NavWorld::Source source{.name = "w", .mesh = mesh, .cell_side = cell_side};
  for (std::size_t i = 0; i < radii.size(); ++i)
    source.profiles.push_back({.name = "r" + std::to_string(i), .radius = radii[i]});
  source.base_radius = base_radius;
  auto world = NavWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

struct Way {
  Cost cost = kUnreachable;
  std::vector<RoutePoint> route{};
};

Way way_between(const QueryGround& ground, const RoutePlace& from, const RoutePlace& to) {
  auto search = ground.search(from, {&to, 1});
  std::uint32_t expansions = 1'000'000;
  Way way;
  if (search->advance(&expansions) != Progress::kPathFound) return way;
  way.cost = search->cost();
  search->append_route(&way.route);
  EXPECT_EQ(ground.walk(way.route).cost, way.cost);
  EXPECT_EQ(search->lower_bound(), way.cost);
  EXPECT_LE(ground.least_cost({from.at.x, from.at.z, from.at.x, from.at.z},
                              {to.at.x, to.at.z, to.at.x, to.at.z}),
            way.cost);
  return way;
}

double random_radius(Random* random) {
  return random->below(3) == 0 ? 0.1 * (1 + random->below(15)) : 0.02 + 1.4 * random->unit();
}

void expect_clear(const test::WallModel& model, const std::vector<RoutePoint>& route) {
  for (std::size_t i = 1; i < route.size(); ++i) {
    const Spot& a = route[i - 1].at;
    const Spot& b = route[i].at;
    const int parts = 1 + static_cast<int>(20 * std::hypot(b.x - a.x, b.z - a.z));
    for (int k = 0; k <= parts; ++k) {
      const double t = static_cast<double>(k) / parts;
      const Point at{a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)};
      EXPECT_GE(model.gap(at), -test::kWallRounding) << at.x << ", " << at.z;
    }
  }
}

TEST(NavRadius, PlacesAndWaysAreThoseOfThePlainModel) {
  SCOPED_TRACE(test::seed_trace());
  std::uint32_t apart = 0;
  std::uint32_t joined = 0;
  for (std::uint64_t round = 0; round < 60; ++round) {
    Random random(test::seed() + 81'000 + round);
    SCOPED_TRACE("round " + std::to_string(round));
    const MeshSource mesh = random_ground(&random);
    const double base_radius = random.below(2) == 0 ? 0 : 0.5 * random.unit();
    const double by = random_radius(&random);
    const auto world =
        world_for(mesh, {base_radius + by}, base_radius, random.below(2) == 0 ? 8 : 1.5);
    const QueryGround& ground = world->ground(*world->acquire_view("r0", TeamId{0}));
    const test::WallModel model(mesh, by);
    for (int i = 0; i < 300; ++i) {
      const Point at{kPlanSide * random.unit(), kPlanSide * random.unit()};
      const double gap = model.gap(at);
      if (std::abs(gap) < test::kWallRounding) continue;
      EXPECT_EQ(ground.locate({at.x, 0, at.z}).has_value(), gap > 0 && model.is_ground(at))
          << at.x << ", " << at.z << " gap " << gap;
    }
    const test::WallRaster raster(model, kPlanSide, kRasterStep);
    std::vector<int> free;
    for (int i = 0; i < raster.size(); ++i)
      if (raster.sure(i) != 0) free.push_back(i);
    for (int i = 0; i < 60 && !free.empty(); ++i) {
      const int one = free[random.below(static_cast<std::uint32_t>(free.size()))];
      const int other = free[random.below(static_cast<std::uint32_t>(free.size()))];
      const Point a = raster.point(one);
      const Point b = raster.point(other);
      const auto from = ground.locate({a.x, 0, a.z});
      const auto to = ground.locate({b.x, 0, b.z});
      ASSERT_TRUE(from && to);
      const Way way = way_between(ground, *from, *to);
      if (raster.sure(one) == raster.sure(other)) {
        EXPECT_NE(way.cost, kUnreachable) << a.x << "," << a.z << " to " << b.x << "," << b.z;
        ++joined;
      }
      if (raster.perhaps(one) != raster.perhaps(other)) {
        EXPECT_EQ(way.cost, kUnreachable) << a.x << "," << a.z << " to " << b.x << "," << b.z;
        ++apart;
      }
      expect_clear(model, way.route);
    }
  }
  EXPECT_GT(joined, 500u);
  EXPECT_GT(apart, 100u);
}

TEST(NavRadius, WiderAgentsGoFewerAndLongerWays) {
  SCOPED_TRACE(test::seed_trace());
  for (std::uint64_t round = 0; round < 60; ++round) {
    Random random(test::seed() + 82'000 + round);
    SCOPED_TRACE("round " + std::to_string(round));
    const MeshSource mesh = random_ground(&random);
    std::vector<double> radii{0};
    for (int i = 0; i < 4; ++i) radii.push_back(radii.back() + 0.01 + 0.5 * random.unit());
    const auto world = world_for(mesh, radii, 0, 8);
    std::vector<const QueryGround*> grounds;
    for (std::size_t i = 0; i < radii.size(); ++i)
      grounds.push_back(&world->ground(*world->acquire_view("r" + std::to_string(i), TeamId{0})));
    for (int i = 0; i < 30; ++i) {
      const Spot a{kPlanSide * random.unit(), 0, kPlanSide * random.unit()};
      const Spot b{kPlanSide * random.unit(), 0, kPlanSide * random.unit()};
      Cost narrower = 0;
      bool stood = true;
      for (const QueryGround* ground : grounds) {
        const auto from = ground->locate(a);
        const auto to = ground->locate(b);
        const bool stands = from && to;
        EXPECT_LE(stands, stood);
        stood = stands;
        if (!stands) continue;
        const Cost cost = way_between(*ground, *from, *to).cost;
        EXPECT_GE(static_cast<double>(cost) + kCostSlack * kRouteCostUnit,
                  static_cast<double>(narrower));
        narrower = cost;
      }
    }
  }
}

// Obstacles over grown walls: what is left, whatever came before, and for each team.
TEST(NavRadius, ObstaclesAreCarvedOutOfTheNarrowerGround) {
  SCOPED_TRACE(test::seed_trace());
  for (std::uint64_t round = 0; round < 60; ++round) {
    Random random(test::seed() + 83'000 + round);
    SCOPED_TRACE("round " + std::to_string(round));
    const MeshSource mesh = random_ground(&random);
    const double base_radius = random.below(2) == 0 ? 0 : 0.3;
    const double radius = base_radius + random_radius(&random);
    const auto world = world_for(mesh, {radius}, base_radius, 8);
    const RouteViewId early = *world->acquire_view("r0", TeamId{0});
    const std::uint64_t bare = world->mesh(early).content_hash();
    std::map<ObstacleId, ObstacleSpec> known;
    for (int edit = 0; edit < 6; ++edit) {
      ChangeBatch batch;
      const ObstacleId id{1 + random.below(4)};
      if (known.contains(id) && random.below(2) == 0) {
        batch.remove_obstacles.push_back(id);
        known.erase(id);
      } else {
        const Point center{kPlanSide * random.unit(), kPlanSide * random.unit()};
        ObstacleSpec one{.id = id, .shape = Circle{center, 0.1 + random.unit()}};
        if (random.below(3) == 0) one.teams = 2;
        batch.upsert_obstacles.push_back(one);
        known[id] = one;
      }
      ASSERT_TRUE(world->apply(batch).ok());
    }
    const auto fresh = world_for(mesh, {radius}, base_radius, 8);
    ChangeBatch all;
    for (const auto& [id, obstacle] : known) all.upsert_obstacles.push_back(obstacle);
    if (!known.empty()) {
      ASSERT_TRUE(fresh->apply(all).ok());
    }
    const test::WallModel model(mesh, radius - base_radius);
    for (const TeamId team : {TeamId{0}, TeamId{1}}) {
      const RouteViewId view = *world->acquire_view("r0", team);
      const RouteViewId again = *fresh->acquire_view("r0", team);
      EXPECT_EQ(world->mesh(view).content_hash(), fresh->mesh(again).content_hash());
      for (int i = 0; i < 200; ++i) {
        const Point at{kPlanSide * random.unit(), kPlanSide * random.unit()};
        double gap = model.gap(at);
        for (const auto& [id, obstacle] : known) {
          if (!concerns(obstacle.teams, team)) continue;
          const Circle& circle = std::get<Circle>(obstacle.shape);
          // The 16-gon around it lies between both discs.
          const double away = std::hypot(at.x - circle.center.x, at.z - circle.center.z);
          const double reach = circle.radius + radius;
          gap = std::min(gap, away < reach ? away - reach : away - 1.02 * reach);
          if (away >= reach && away <= 1.02 * reach) gap = 0;
        }
        if (std::abs(gap) < test::kWallRounding) continue;
        EXPECT_EQ(world->ground(view).locate({at.x, 0, at.z}).has_value(),
                  gap > 0 && model.is_ground(at))
            << at.x << ", " << at.z << " gap " << gap;
      }
    }
    ChangeBatch none;
    for (const auto& [id, obstacle] : known) none.remove_obstacles.push_back(id);
    if (!known.empty()) {
      ASSERT_TRUE(world->apply(none).ok());
    }
    EXPECT_EQ(world->mesh(early).content_hash(), bare);
  }
}

}  // namespace
}  // namespace repath
