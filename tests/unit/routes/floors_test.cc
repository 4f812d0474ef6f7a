// Where floors lie above each other and meet in a corner.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "routes/nav_world.h"
#include "support/query_ground.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

// A ramp up from x = 2 to x = 4 along z in [0, 1]. Ground at height 4 lies around its upper end;
// some of it lies beside the ramp and shares the corner (4, 1) with it.
MeshSource ramp() {
  MeshSource source;
  const auto corner = [&](double x, double z, double y) {
    source.vertices.push_back({test::at(x, z), y});
    return static_cast<std::uint32_t>(source.vertices.size() - 1);
  };
  const std::uint32_t shared = corner(4, 1, 4);
  const std::uint32_t top = corner(4, 0, 4);
  const std::uint32_t right = corner(5, 1, 4);
  const std::uint32_t below = corner(4, 2, 4);
  source.add_cell({corner(2, 0, 0), top, shared, corner(2, 1, 0)});
  source.add_cell({top, corner(5, 0, 4), right, shared});
  source.add_cell({shared, right, corner(5, 2, 4), below});
  source.add_cell({corner(2, 1, 4), shared, below, corner(2, 2, 4)});
  return source;
}

TEST(Floors, AWalkTakesTheFloorThatARouteWasFoundOn) {
  NavWorld::Source source;
  source.name = "ramp";
  source.mesh = ramp();
  auto world = NavWorld::create(std::move(source));
  ASSERT_TRUE(world.ok()) << world.status();
  const RouteGround& ground = (*world)->ground(*(*world)->acquire_view("default", TeamId{0}));
  const Spot on_ramp{2.5, 1, 0.5};
  const Spot foot{2, 0, 1};
  const Spot beside{2, 4, 1};  // straight above the foot of the ramp
  const Spot beyond{4.5, 4, 1.5};
  for (const auto& [from, to] : {std::pair{on_ramp, beside},
                                 {beyond, foot},
                                 {beside, foot},
                                 {foot, beside},
                                 {beyond, beside}}) {
    const RoutePlace start = *ground.locate(from);
    const RoutePlace goal = *ground.locate(to);
    const auto search = ground.search(start, std::span(&goal, 1));
    std::uint32_t expansions = 1000;
    ASSERT_EQ(search->advance(&expansions), Progress::kPathFound);
    std::vector<RoutePoint> route;
    search->append_route(&route);
    const RouteWalk walk = ground.walk(route);
    EXPECT_EQ(walk.cost, search->cost()) << from.y << " to " << to.y;
  }
}

// The link begins on the floor above the ramp, two units above it.
TEST(Floors, ALinkIsEnteredFromItsOwnFloor) {
  NavWorld::Source source;
  source.name = "ramp";
  source.mesh = ramp();
  std::vector<std::uint32_t> island;
  for (const auto& [x, z] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
    island.push_back(static_cast<std::uint32_t>(source.mesh.vertices.size()));
    source.mesh.vertices.push_back({test::at(x, z), 0});
  }
  source.mesh.add_cell(island).area = AreaType{1};
  source.mesh.links.push_back({.id = 1,
                               .from_cell = 3,
                               .to_cell = 4,
                               .from = test::at(3, 1),
                               .to = test::at(0.5, 0.5),
                               .from_y = 4,
                               .flags = 1,
                               .both_ways = false});
  Profile profile{.name = "default"};
  profile.areas = {{1, 2}};  // what is not plain is straightened
  source.profiles = {profile};
  auto world = NavWorld::create(std::move(source));
  ASSERT_TRUE(world.ok()) << world.status();
  const RouteGround& ground = (*world)->ground(*(*world)->acquire_view("default", TeamId{0}));
  const std::vector<RoutePoint> jump = {
      {{2.5, 1, 0.5}, 0, 0, {}}, {{3, 2, 1}, 0, 0, 1}, {{0.5, 0, 0.5}, 0, 0, {}}};
  EXPECT_EQ(ground.walk(jump).cost, kUnreachable);
  const RoutePlace start = *ground.locate(jump.front().at);
  const RoutePlace goal = *ground.locate({0.75, 0, 0.5});
  const auto search = ground.search(start, std::span(&goal, 1));
  std::uint32_t expansions = 1000;
  ASSERT_EQ(search->advance(&expansions), Progress::kPathFound);
  std::vector<RoutePoint> route;
  search->append_route(&route);
  EXPECT_EQ(ground.walk(route).cost, search->cost());
  for (const RoutePoint& point : route) {
    if (point.link) {
      EXPECT_NEAR(point.at.y, 4, 1e-6);
    }
  }
}

// Adds a square of side 1 that begins at (x, x).
void add_square(double x, MeshSource* mesh) {
  std::vector<std::uint32_t> corners;
  for (const auto& [dx, dz] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
    corners.push_back(static_cast<std::uint32_t>(mesh->vertices.size()));
    mesh->vertices.push_back({test::at(x + dx, x + dz), 0});
  }
  mesh->add_cell(corners).area = AreaType{0};
}

// Two squares touch in the corner (1, 1), where a link begins on the second one. No ground leads
// from the first square to the second, so neither a search nor a walk passes the corner.
TEST(Floors, ALinkIsNotEnteredFromGroundThatOnlyTouchesItsOwn) {
  MeshSource mesh;
  for (const double at : {0.0, 1.0, 6.0}) add_square(at, &mesh);
  mesh.links.push_back({.id = 1,
                        .from_cell = 1,
                        .to_cell = 2,
                        .from = test::at(1, 1),
                        .to = test::at(6.5, 6.5),
                        .flags = 1,
                        .both_ways = false});
  auto world = NavWorld::create({.name = "corner", .mesh = std::move(mesh), .profiles = {}});
  ASSERT_TRUE(world.ok()) << world.status();
  const RouteGround& ground = (*world)->ground(*(*world)->acquire_view("default", TeamId{0}));
  const RoutePoint corner{{1, 0, 1}, 0, 0, 1};
  const RoutePoint end{{6.5, 0, 6.5}, 0, 0, {}};
  const RoutePlace goal = *ground.locate(end.at);
  for (const auto& [from, reaches] :
       {std::pair{Spot{0.5, 0, 0.5}, false}, {Spot{1.5, 0, 1.5}, true}, {Spot{1, 0, 1}, true}}) {
    const auto search = ground.search(*ground.locate(from), std::span(&goal, 1));
    std::uint32_t expansions = 1000;
    EXPECT_EQ(search->advance(&expansions) == Progress::kPathFound, reaches) << from.x;
    std::vector<RoutePoint> route{{from, 0, 0, {}}, corner, end};
    if (from.x == 1) route.erase(route.begin());
    EXPECT_EQ(ground.walk(route).cost != kUnreachable, reaches) << from.x;
  }
}

// From the corner in which two squares touch an agent may flee onto either of them.
TEST(Floors, WhoeverFleesFromACornerMayUseAllGroundThere) {
  MeshSource mesh;
  for (const double at : {0.0, 1.0}) add_square(at, &mesh);
  auto world = NavWorld::create({.name = "corner", .mesh = std::move(mesh), .profiles = {}});
  ASSERT_TRUE(world.ok()) << world.status();
  const RouteViewId view = *(*world)->acquire_view("default", TeamId{0});
  const QueryGround& ground = test::query_ground(**world, view);
  const RoutePlace corner = *ground.locate({1, 0, 1});
  for (const double threat : {0.0, 2.0}) {
    const std::vector<Spot> threats{{threat, 0, threat}};
    const auto search = ground.away(corner, threats, 2);
    std::uint32_t expansions = 1000;
    ASSERT_EQ(search->advance(&expansions), Progress::kPathFound) << threat;
    EXPECT_NEAR(ground.distance_from(threats[0], search->place().at), 2, 1e-3);
  }
}

// The floor beside the ramp is less than one unit above it there.
TEST(Floors, ALegAlongTheLineBetweenTwoFloorsEndsOnTheOneThatItsHeightNames) {
  auto world = NavWorld::create({.name = "ramp", .mesh = ramp(), .profiles = {}});
  ASSERT_TRUE(world.ok()) << world.status();
  const RouteGround& ground = (*world)->ground(*(*world)->acquire_view("default", TeamId{0}));
  const RoutePoint above{{4.5, 4, 1.5}};
  const RoutePoint corner{{4, 4, 1}};
  const RoutePoint on_ramp{{3.75, 3.5, 1}};
  const RoutePoint beside{{3.75, 4, 1}};
  const RoutePoint down{{3.25, 2.5, 0.5}};
  const RoutePoint along{{3.25, 4, 1.5}};
  for (const std::vector<RoutePoint>& route :
       {std::vector{above, corner, on_ramp, down}, {above, corner, beside, along}}) {
    const RouteWalk walk = ground.walk(route);
    EXPECT_EQ(walk.broken, 0u);
    EXPECT_NEAR(units_from_route_cost(walk.cost), std::sqrt(0.5) * 2 + 0.25, 1e-6);
  }
  for (const std::vector<RoutePoint>& route :
       {std::vector{above, corner, on_ramp, along}, {above, corner, beside, down}}) {
    EXPECT_EQ(ground.walk(route).broken, 3u);
  }
}

}  // namespace
}  // namespace repath
