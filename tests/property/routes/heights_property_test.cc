// Heights on sloping meshes: those of the ground without obstacles, whatever was carved out of it;
// and agents that keep their places.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "routes/nav_world.h"
#include "support/seed.h"
#include "support/sloping_meshes.h"

namespace repath {
namespace {

// Half a step of the lattice on the steepest ground here.
constexpr double kHeightApart = 1e-3;

struct SlopeScene {
  explicit SlopeScene(Random* of) : random(of) {
    const MeshSource mesh = test::sloping_mesh(of);
    for (const auto& vertex : mesh.vertices) {
      width = std::max(width, to_point(vertex.at).x);
      depth = std::max(depth, to_point(vertex.at).z);
    }
    const double cell_side = 1 + random->below(8);
    const auto make = [&] {
      auto made = NavWorld::create({.name = "w", .mesh = mesh, .cell_side = cell_side});
      EXPECT_TRUE(made.ok()) << made.status();
      return *std::move(made);
    };
    bare = make();
    carved = make();
    bare_view = *bare->acquire_view("default", TeamId{0});
    carved_view = *carved->acquire_view("default", TeamId{0});
  }

  // Adds or removes an obstacle.
  void edit() {
    ChangeBatch batch;
    const std::uint64_t id = 1 + random->below(6);
    if (known[id]) {
      batch.remove_obstacles.push_back(ObstacleId{id});
    } else {
      ObstacleSpec obstacle{ObstacleId{id}};
      const Point centre{random->unit() * width, random->unit() * depth};
      if (random->below(2) == 0) {
        obstacle.shape = Circle{centre, 0.05 + random->unit()};
      } else {
        obstacle.shape = Box{centre, 0.05 + random->unit(), 0.05 + random->unit(), random->unit()};
      }
      if (random->below(3) == 0) obstacle.effect = {.blocked = false, .factor = 2};
      batch.upsert_obstacles.push_back(obstacle);
    }
    known[id] = !known[id];
    ASSERT_TRUE(carved->apply(batch).ok());
  }
  const QueryGround& plain() const { return bare->ground(bare_view); }
  const QueryGround& ground() const { return carved->ground(carved_view); }
  Spot somewhere() const {
    return {random->unit() * width, test::kSteep * random->unit(), random->unit() * depth};
  }

  Random* random;
  double width = 0;
  double depth = 0;
  std::unique_ptr<NavWorld> bare;
  std::unique_ptr<NavWorld> carved;
  RouteViewId bare_view{};
  RouteViewId carved_view{};
  std::map<std::uint64_t, bool> known;
};

// Returns the height of the ground without obstacles, on the floor nearest to `at`.
double plain_height(const SlopeScene& scene, const Spot& at) {
  const auto place = scene.plain().nearest(at, 0.01);
  EXPECT_TRUE(place) << at.x << ", " << at.y << ", " << at.z;
  return place ? place->at.y : 0;
}

TEST(HeightsProperty, APlaceIsAsHighAsTheGroundWithoutObstacles) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t compared = 0;
  for (int round = 0; round < 60; ++round) {
    SlopeScene scene(&random);
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      scene.edit();
      for (int i = 0; i < 30; ++i) {
        Spot at = scene.somewhere();
        const auto plain = scene.plain().nearest(at, 0);
        const auto place = scene.ground().nearest(at, 0);
        if (!plain || !place) continue;
        ASSERT_NEAR(place->at.y, plain->at.y, kHeightApart) << at.x << ", " << at.z;
        at.y = plain->at.y;
        const auto again = scene.ground().stand(at, 0.001, kSameFloor);
        ASSERT_TRUE(again) << at.x << ", " << at.z;
        ASSERT_NEAR(again->at.y, plain->at.y, kHeightApart);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 5'000u);
}

TEST(HeightsProperty, RoutesAndCellsAreAsHighAsTheGroundWithoutObstacles) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  std::size_t compared = 0;
  for (int round = 0; round < 40; ++round) {
    SlopeScene scene(&random);
    for (int step = 0; step < 8; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      scene.edit();
      std::vector<GroundCell> cells;
      scene.ground().view()->append_cells(0, 10'000, &cells);
      for (const GroundCell& cell : cells)
        for (const Spot& corner : cell.corners) {
          // A place rounded to the lattice may lie beside the ground by half a step.
          ASSERT_NEAR(corner.y, plain_height(scene, corner), 0.02);
        }
      const auto start = scene.ground().nearest(scene.somewhere(), 0);
      const auto goal = scene.ground().nearest(scene.somewhere(), 0);
      if (!start || !goal) continue;
      auto search = scene.ground().search(*start, {&*goal, 1});
      std::uint32_t expansions = 100'000;
      if (search->advance(&expansions) != Progress::kPathFound) continue;
      std::vector<RoutePoint> route;
      search->append_route(&route);
      for (const RoutePoint& point : route)
        ASSERT_NEAR(point.at.y, plain_height(scene, point.at), 0.02);
      ASSERT_EQ(scene.ground().walk(route).cost, search->cost());
      ++compared;
    }
  }
  EXPECT_GT(compared, 40u);
}

}  // namespace
}  // namespace repath
