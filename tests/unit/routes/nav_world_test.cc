#include "routes/nav_world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

std::unique_ptr<NavWorld> world_of(const std::vector<std::string>& rows,
                                   std::vector<Profile> profiles = {}) {
  auto world = NavWorld::create({.name = "w", .mesh = test::squares(rows), .profiles = profiles});
  return *std::move(world);
}

ObstacleSpec box(std::uint64_t id, double x, double z, double half_x, double half_z) {
  return {.id = ObstacleId{id}, .shape = Box{.center = {x, z}, .half_x = half_x, .half_z = half_z}};
}

Cost exact_cost(const QueryGround& ground, const Spot& from, const Spot& to,
                std::vector<RoutePoint>* route) {
  const RoutePlace a = *ground.locate(from);
  const RoutePlace b = *ground.locate(to);
  auto search = ground.search(a, {&b, 1});
  std::uint32_t expansions = 1'000'000;
  if (search->advance(&expansions) != Progress::kPathFound) return kUnreachable;
  EXPECT_EQ(search->lower_bound(), search->cost());
  search->append_route(route);
  const RouteWalk walk = ground.walk(*route);
  EXPECT_EQ(walk.cost, search->cost());
  return search->cost();
}

TEST(NavWorld, ARouteBendsAroundAnObstacleAndIsStraightOnceItIsGone) {
  auto world = world_of({"....", "....", "...."});
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  const auto before = world->keep(view);
  const std::uint64_t hash = world->state_hash();
  ChangeBatch put;
  put.upsert_obstacles = {box(7, 2, 1.5, 0.5, 1)};
  const auto commit = world->apply(put);
  ASSERT_TRUE(commit.ok()) << commit.status();
  EXPECT_NE(commit->state_hash, hash);
  ASSERT_EQ(commit->views.size(), 1u);
  ASSERT_EQ(commit->views[0].changes.size(), 1u);
  const RouteChange& change = commit->views[0].changes[0];
  EXPECT_TRUE(change.rose);
  EXPECT_FALSE(change.fell);
  EXPECT_EQ(change.cause, ObstacleId{7});
  EXPECT_NEAR(change.from.min_x, 1.5, 0.01);
  EXPECT_NEAR(change.from.max_z, 2.5, 0.01);

  std::vector<RoutePoint> route;
  const Cost cost = exact_cost(world->ground(view), {0.5, 0, 1.5}, {3.5, 0, 1.5}, &route);
  const double side = std::sqrt(1 + 1);
  EXPECT_NEAR(units_from_route_cost(cost), 2 * side + 1, 1e-6);
  ASSERT_EQ(route.size(), 4u);
  EXPECT_EQ(world->ground(view).locate({2, 0, 1.5}), std::nullopt);

  std::vector<RoutePoint> old;
  EXPECT_NEAR(units_from_route_cost(exact_cost(*before, {0.5, 0, 1.5}, {3.5, 0, 1.5}, &old)), 3,
              1e-6);
  EXPECT_EQ(world->ground(view).walk(old).cost, kUnreachable);
  EXPECT_EQ(world->ground(view).walk(old).broken, 1u);

  ChangeBatch away;
  away.remove_obstacles = {ObstacleId{7}};
  const auto back = world->apply(away);
  ASSERT_TRUE(back.ok());
  EXPECT_TRUE(back->views[0].changes[0].fell);
  EXPECT_EQ(back->views[0].changes[0].least, 0u);
  EXPECT_EQ(world->ground(view).walk(old).broken, 0u);
  EXPECT_EQ(world->revision(), Revision{3});
}

TEST(NavWorld, TheCheapestOfSeveralGoalsIsFound) {
  auto world = world_of({".....", "....."});
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  ChangeBatch wall;  // the nearest goal is behind it
  wall.upsert_obstacles = {box(1, 1.5, 0.75, 0.1, 0.75)};
  ASSERT_TRUE(world->apply(wall).ok());
  const QueryGround& ground = world->ground(view);
  const RoutePlace from = *ground.locate({1, 0, 0.25});
  const RoutePlace goals[] = {*ground.locate({1, 0, 1.75}), *ground.locate({2, 0, 0.25}),
                              *ground.locate({4.5, 0, 0.25})};
  auto search = ground.search(from, goals);
  std::uint32_t expansions = 1000;
  ASSERT_EQ(search->advance(&expansions), Progress::kPathFound);
  EXPECT_NEAR(units_from_route_cost(search->cost()), 1.5, 1e-6);
  std::vector<RoutePoint> route;
  search->append_route(&route);
  EXPECT_EQ(route.back().at, goals[0].at);
  expansions = 0;
  EXPECT_EQ(ground.search(from, goals)->advance(&expansions), Progress::kOutOfBudget);
  auto quick = ground.search_by({RouteMethod::kAStar}, from, goals);
  expansions = 1000;
  ASSERT_EQ(quick->advance(&expansions), Progress::kPathFound);
  EXPECT_LE(quick->lower_bound(), search->cost());
  EXPECT_GE(quick->cost(), search->cost());
}

TEST(NavWorld, AreasMakeLegsDearerAndFlagsKeepOut) {
  MeshSource mesh = test::squares({"...."});
  mesh.cells[1].area = AreaType{7};
  mesh.cells[2].flags = 2;
  const auto world = *NavWorld::create(
      {.name = "w",
       .mesh = mesh,
       .profiles = {{.name = "slow", .areas = {{7, 2.5}}}, {.name = "shy", .exclude = 2}}});
  const RouteViewId slow = *world->acquire_view("slow", TeamId{0});
  const RouteViewId shy = *world->acquire_view("shy", TeamId{0});
  std::vector<RoutePoint> route{{.at = {0.5, 0, 0.5}}, {.at = {3.5, 0, 0.5}}};
  const RouteWalk walk = world->ground(slow).walk(route);
  EXPECT_NEAR(units_from_route_cost(walk.cost), 0.5 + 2.5 + 1.5, 1e-6);
  EXPECT_EQ(world->ground(shy).walk(route).broken, 1u);
  EXPECT_FALSE(world->ground(shy).locate({2.5, 0, 0.5}).has_value());
  EXPECT_EQ(world->ground(shy).nearest({2.5, 0, 0.5}, 2)->at, (Spot{2, 0, 0.5}));
  EXPECT_EQ(world->ground(shy).nearest({2.5, 0, 0.5}, 0.25), std::nullopt);
  const RoutePlace from = *world->ground(slow).locate({0.5, 0, 0.5});
  const RoutePlace to = *world->ground(slow).locate({3.5, 0, 0.5});
  auto search = world->ground(slow).search(from, {&to, 1});
  std::uint32_t expansions = 1000;
  ASSERT_EQ(search->advance(&expansions), Progress::kPathFound);
  EXPECT_EQ(search->cost(), walk.cost);
  EXPECT_NEAR(units_from_route_cost(search->lower_bound()), 3, 1e-6);
  route.clear();
  search->append_route(&route);
  EXPECT_EQ(route.back().at, to.at);
}

TEST(NavWorld, WhoCannotGetThereGetsAsNearAsPossible) {
  auto world = world_of({"....", "    ", "...."});
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  const QueryGround& ground = world->ground(view);
  const RoutePlace from = *ground.locate({0.5, 0, 0.5});
  const RoutePlace goal = *ground.locate({3, 0, 2.25});
  EXPECT_FALSE(ground.may_reach(from, goal));
  EXPECT_EQ(ground.nearest_reachable(from, {&goal, 1}).at, (Spot{3, 0, 1}));
  const RoutePlace blocked{{1.5, 0, 1.5}, 0};  // blocked; equally near on both sides
  const RoutePlace goals[] = {goal, blocked};
  EXPECT_EQ(ground.nearest_reachable(from, goals).at, (Spot{1.5, 0, 1}));
}

TEST(NavWorld, RaysEndAtObstaclesAndPlacesAreChosenOnFreeGround) {
  auto world = world_of({"....", "...."});
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  ChangeBatch wall;
  wall.upsert_obstacles = {box(1, 2, 1, 0.5, 2)};
  ASSERT_TRUE(world->apply(wall).ok());
  const QueryGround& ground = world->ground(view);
  const RoutePlace from = *ground.locate({0.5, 0, 1});
  const RouteRay ray = *ground.cast_ray(from, {2.5, 0, 1});
  EXPECT_FALSE(ray.is_free);
  EXPECT_NEAR(ray.share, 0.5, 1e-3);
  EXPECT_TRUE(ground.cast_ray(from, {1, 0, 1.5})->is_free);
  const RouteRay far = *ground.cast_ray(from, {-1e30, 5, 1});
  EXPECT_FALSE(far.is_free);
  EXPECT_EQ(far.end, (Spot{0, 0, 1}));
  const double anywhere = std::numeric_limits<double>::infinity();
  Random random(5);
  int left = 0;
  for (int i = 0; i < 1000; ++i) {
    const RoutePlace place = *ground.random_place({}, anywhere, &random);
    EXPECT_TRUE(ground.locate(place.at).has_value());
    left += place.at.x < 2 ? 1 : 0;
    const Spot near{1.5, 0, 1};
    const RoutePlace close = *ground.random_place(near, 0.5, &random);
    EXPECT_LE(std::hypot(close.at.x - 1.5, close.at.z - 1), 0.5);
    EXPECT_LE(close.at.x, 1.501);
  }
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(ground.random_place({}, 1e6, &random).has_value());
  EXPECT_NEAR(left, 500, 100);
  Random same(5);
  Random again(5);
  EXPECT_EQ(ground.random_place({}, anywhere, &same)->at,
            ground.random_place({}, anywhere, &again)->at);
  EXPECT_EQ(ground.random_place({2, 0, 1}, 0.3, &random), std::nullopt);
}

TEST(NavWorld, CellsAreListedPartByPart) {
  auto world = world_of({"....", "...."});
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  const QueryGround& ground = world->ground(view);
  std::vector<GroundCell> cells;
  std::uint32_t parts = 0;
  for (std::optional<std::uint32_t> first = 0; first; ++parts)
    first = ground.view()->append_cells(*first, 3, &cells);
  EXPECT_EQ(parts, 3u);
  ASSERT_EQ(cells.size(), 8u);
  EXPECT_EQ(cells[0].corners.size(), 4u);
}

// A floor at height 0, an equal floor at height 10, and a link between them at three times the cost
// of its length.
MeshSource storeys(bool both_ways) {
  MeshSource source = test::squares({"....", "...."});
  const auto vertices = static_cast<std::uint32_t>(source.vertices.size());
  const auto cells = static_cast<std::uint32_t>(source.cells.size());
  for (std::uint32_t v = 0; v < vertices; ++v)
    source.vertices.push_back({source.vertices[v].at, 10});
  for (std::uint32_t c = 0; c < cells; ++c) {
    const MeshSource::Cell cell = source.cells[c];
    std::vector<std::uint32_t> corners;
    for (std::uint32_t k = 0; k < cell.count; ++k)
      corners.push_back(source.corners[cell.first + k] + vertices);
    source.add_cell(corners);
  }
  source.links.push_back({.id = 5,
                          .from_cell = 1,
                          .to_cell = cells + 2,
                          .from = test::at(1.5, 0.5),
                          .to = test::at(2.5, 0.5),
                          .to_y = 10,
                          .factor = 3000,
                          .area = AreaType{4},
                          .flags = 1,
                          .both_ways = both_ways});
  return source;
}

RouteWalk walk_between(const QueryGround& ground, const Spot& from, const Spot& to,
                       std::vector<RoutePoint>* route) {
  const RoutePlace a = *ground.locate(from);
  const RoutePlace b = *ground.locate(to);
  auto search = ground.search(a, {&b, 1});
  std::uint32_t expansions = 1'000'000;
  route->clear();
  if (search->advance(&expansions) != Progress::kPathFound) return {kUnreachable, 0};
  search->append_route(route);
  EXPECT_EQ(ground.walk(*route).cost, search->cost());
  EXPECT_LE(search->lower_bound(), search->cost());
  return ground.walk(*route);
}

TEST(NavWorld, TwoStoreysAreJoinedByALinkUntilItIsSwitchedOffOrCovered) {
  auto world = *NavWorld::create({.name = "w", .mesh = storeys(true), .profiles = {}});
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  const Spot down{0.5, 0, 0.5};
  const Spot up{3.5, 10, 0.5};
  std::vector<RoutePoint> route;
  EXPECT_NEAR(units_from_route_cost(walk_between(world->ground(view), down, up, &route).cost), 5,
              1e-6);
  ASSERT_EQ(route.size(), 4u);
  EXPECT_EQ(route[1].link, 5u);
  EXPECT_EQ(route[1].area, 4u);
  EXPECT_EQ(route[2].at, (Spot{2.5, 10, 0.5}));
  const std::vector<RoutePoint> kept = route;
  EXPECT_NEAR(units_from_route_cost(walk_between(world->ground(view), up, down, &route).cost), 5,
              1e-6);
  const std::uint64_t hash = world->state_hash();

  ChangeBatch off;
  off.switch_links = {{5, false}};
  const auto commit = world->apply(off);
  ASSERT_TRUE(commit.ok()) << commit.status();
  ASSERT_EQ(commit->views[0].changes.size(), 2u);
  EXPECT_TRUE(commit->views[0].changes[0].rose);
  EXPECT_EQ(world->ground(view).walk(kept).broken, 2u);
  EXPECT_EQ(walk_between(world->ground(view), down, up, &route).cost, kUnreachable);
  ChangeBatch on;
  on.switch_links = {{5, true}};
  const auto fallen = world->apply(on);
  EXPECT_TRUE(fallen->views[0].changes[1].fell);
  EXPECT_NEAR(units_from_route_cost(fallen->views[0].changes[1].least), 3, 1e-6);
  EXPECT_EQ(world->ground(view).walk(kept).broken, 0u);
  EXPECT_NE(world->state_hash(), hash);  // the revision is part of the hash

  ChangeBatch cover;
  cover.upsert_obstacles = {box(1, 2.5, 0.5, 0.2, 0.2)};
  cover.upsert_obstacles[0].bottom = 9;
  ASSERT_TRUE(world->apply(cover).ok());
  EXPECT_TRUE(world->ground(view).locate({2.5, 0, 0.5}).has_value());
  EXPECT_FALSE(world->ground(view).locate({2.5, 10, 0.5}).has_value());
  EXPECT_EQ(world->ground(view).walk(kept).broken, 2u);
  EXPECT_FALSE(world->ground(view).may_reach(*world->ground(view).locate(down),
                                             *world->ground(view).locate(up)));
}

// A leg that follows a rounded wall ends a few steps of the lattice beside its point.
TEST(NavWorld, ALinkIsTakenFromAFewStepsBesideItsEnd) {
  auto world = *NavWorld::create({.name = "w", .mesh = storeys(true), .profiles = {}});
  const QueryGround& ground = world->ground(*world->acquire_view("default", TeamId{0}));
  std::vector<RoutePoint> route;
  walk_between(ground, {0.5, 0, 0.5}, {3.5, 10, 0.5}, &route);
  ASSERT_EQ(route.size(), 4u);
  ASSERT_TRUE(route[1].link.has_value());
  route.erase(route.begin());
  const Spot end = route[0].at;
  route[0].at.x = end.x - 2 * kLegAside / 16'000;
  EXPECT_EQ(ground.walk(route).broken, 0u);
  route[0].at.x = end.x - 3 * kLegAside / 16'000;
  EXPECT_EQ(ground.walk(route).broken, 1u);
}

TEST(NavWorld, AOneWayLinkLeadsOneWay) {
  auto world = *NavWorld::create({.name = "w", .mesh = storeys(false), .profiles = {}});
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  std::vector<RoutePoint> route;
  EXPECT_NE(walk_between(world->ground(view), {0.5, 0, 0.5}, {3.5, 10, 0.5}, &route).cost,
            kUnreachable);
  EXPECT_EQ(walk_between(world->ground(view), {3.5, 10, 0.5}, {0.5, 0, 0.5}, &route).cost,
            kUnreachable);
  ChangeBatch unknown;
  unknown.switch_links = {{6, false}};
  EXPECT_EQ(error_reason(world->apply(unknown).status()), "LINK_UNKNOWN");
  EXPECT_EQ(error_field(world->apply(unknown).status()), "switch_links[0].id");
}

}  // namespace
}  // namespace repath
