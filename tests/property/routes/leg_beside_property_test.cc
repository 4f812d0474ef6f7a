// Meshes with sloping walls, so that each corner of other ground in a wall is rounded. Obstacles
// that only make ground dearer block no path, even where they meet walls.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "routes/nav_world.h"
#include "support/random_meshes.h"
#include "support/seed.h"

namespace repath {
namespace {

// Turned by the angle of the 3-4-5 triangle, so that corners stay on the lattice.
Spot turned(double x, double z) { return {0.8 * x - 0.6 * z, 0, 0.6 * x + 0.8 * z}; }

MeshSource turned_squares(const std::vector<std::string>& rows) {
  MeshSource source = test::squares(rows);
  for (auto& vertex : source.vertices) {
    const LatticePoint p = vertex.at;
    vertex.at = {(4 * p.x - 3 * p.z) / 5, (3 * p.x + 4 * p.z) / 5};
  }
  return source;
}

// Often corners of squares, so that routes run along walls.
Spot some_spot(Random* random, const std::vector<std::string>& rows) {
  const double x = random->unit() * static_cast<double>(rows[0].size());
  const double z = random->unit() * static_cast<double>(rows.size());
  if (random->below(2) == 0) return turned(x, z);
  return turned(std::round(x), std::round(z));
}

ObstacleSpec dear_ground(Random* random, std::uint64_t id, const Spot& center) {
  ObstacleSpec obstacle{.id = ObstacleId{id}};
  obstacle.effect = {.blocked = false, .factor = 1 + 0.25 * (1 + random->below(8))};
  const Point at{center.x, center.z};
  if (random->below(3) == 0) {
    obstacle.shape = Circle{at, 0.05 + random->unit()};
  } else {
    obstacle.shape = Box{.center = at,
                         .half_x = 0.05 + random->unit(),
                         .half_z = 0.05 + random->unit(),
                         .yaw = random->unit() * 3};
  }
  return obstacle;
}

struct HeldRoute {
  std::vector<RoutePoint> points;
  double cost = 0;
};

std::vector<HeldRoute> routes_over(const QueryGround& ground, Random* random,
                                   const std::vector<std::string>& rows) {
  std::vector<HeldRoute> routes;
  for (int k = 0; k < 12; ++k) {
    const auto from = ground.locate(some_spot(random, rows));
    const auto to = ground.locate(some_spot(random, rows));
    if (!from || !to) continue;
    const auto search = ground.search(*from, {&*to, 1});
    std::uint32_t expansions = 1'000'000;
    if (search->advance(&expansions) != Progress::kPathFound) continue;
    HeldRoute route;
    search->append_route(&route.points);
    route.cost = units_from_route_cost(search->cost());
    if (route.points.size() > 1) routes.push_back(std::move(route));
  }
  return routes;
}

TEST(LegBesideProperty, DearGroundBarsNoWayAlongWalls) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t walked = 0;
  std::size_t dearer = 0;
  for (int round = 0; round < 60; ++round) {
    const std::vector<std::string> rows = test::random_rows(&random, 9);
    auto world = *NavWorld::create(
        {.name = "w", .mesh = turned_squares(rows), .cell_side = 1.0 + random.below(8)});
    const RouteViewId view = *world->acquire_view("default", TeamId{0});
    const auto routes = routes_over(world->ground(view), &random, rows);
    for (std::uint64_t step = 0; step < 8; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      ChangeBatch batch;
      for (std::uint64_t id = 1; id <= 4; ++id) {
        batch.upsert_obstacles.push_back(
            dear_ground(&random, 4 * step + id, some_spot(&random, rows)));
      }
      ASSERT_TRUE(world->apply(batch).ok());
      for (const HeldRoute& route : routes) {
        const RouteWalk walk = world->ground(view).walk(route.points);
        ASSERT_NE(walk.cost, kUnreachable) << "broken before point " << walk.broken;
        const double cost = units_from_route_cost(walk.cost);
        ASSERT_GE(cost, route.cost * (1 - 1e-6));
        ++walked;
        dearer += cost > route.cost * 1.001 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(walked, 1'000u);
  EXPECT_GT(dearer, 300u);
}

// A real obstacle does block the path, however other ground lies around it: no leg passes through a
// wall.
TEST(LegBesideProperty, WhatStandsInTheWayBarsIt) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  std::size_t barred = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const std::vector<std::string> rows = test::random_rows(&random, 9);
    auto world = *NavWorld::create({.name = "w", .mesh = turned_squares(rows)});
    const RouteViewId view = *world->acquire_view("default", TeamId{0});
    const auto routes = routes_over(world->ground(view), &random, rows);
    for (const HeldRoute& route : routes) {
      ChangeBatch batch;
      for (std::uint64_t id = 1; id <= 6; ++id)
        batch.upsert_obstacles.push_back(dear_ground(&random, id, some_spot(&random, rows)));
      // Narrow, and at right angles to some leg.
      const std::size_t leg = 1 + random.below(static_cast<std::uint32_t>(route.points.size() - 1));
      const Spot& a = route.points[leg - 1].at;
      const Spot& b = route.points[leg].at;
      const double share = 0.2 + 0.6 * random.unit();
      const Point middle{a.x + share * (b.x - a.x), a.z + share * (b.z - a.z)};
      batch.upsert_obstacles.push_back({.id = ObstacleId{7}, .shape = Circle{middle, 0.01}});
      ASSERT_TRUE(world->apply(batch).ok());
      if (std::hypot(b.x - a.x, b.z - a.z) < 0.1) continue;
      const RouteWalk walk = world->ground(view).walk(route.points);
      ASSERT_EQ(walk.cost, kUnreachable);
      ASSERT_EQ(walk.broken, leg);
      ++barred;
    }
  }
  EXPECT_GT(barred, 200u);
}

}  // namespace
}  // namespace repath
