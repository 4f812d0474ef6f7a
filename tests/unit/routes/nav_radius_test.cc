// Agents that are wider than their mesh was made for keep away from walls.
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "navmesh/import/floor_plan.h"
#include "navmesh/import/obj_import.h"
#include "navmesh/import/recast_build.h"
#include "routes/nav_world.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

MeshSource plan(const std::string& text) {
  auto mesh = import_floor_plan(text, PlanMethod::kAnavmg);
  EXPECT_TRUE(mesh.ok()) << mesh.status();
  return *std::move(mesh);
}

// Two rooms of 4 x 4, joined by a passage 2 long and 1 wide, from (4, 1.5) to (6, 2.5).
MeshSource two_rooms() {
  return plan(R"({"outer": [[0,0],[4,0],[4,1.5],[6,1.5],[6,0],[10,0],[10,4],[6,4],[6,2.5],[4,2.5],
      [4,4],[0,4]]})");
}

std::unique_ptr<NavWorld> world_for_radius(const MeshSource& mesh, double radius,
                                           double base_radius = 0) {
  NavWorld::Source source{.name = "w", .mesh = mesh, .profiles = {{.name = "r", .radius = radius}}};
  source.base_radius = base_radius;
  auto world = NavWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// Empty: no way, or no place for an end.
std::optional<double> length_of_way(const QueryGround& ground, const Spot& from, const Spot& to) {
  const auto start = ground.locate(from);
  const auto goal = ground.locate(to);
  if (!start || !goal) return std::nullopt;
  auto search = ground.search(*start, {&*goal, 1});
  std::uint32_t expansions = 100'000;
  if (search->advance(&expansions) != Progress::kPathFound) return std::nullopt;
  return units_from_route_cost(search->cost());
}

std::optional<double> through(NavWorld* world, const char* profile) {
  return length_of_way(world->ground(*world->acquire_view(profile, TeamId{0})), {2, 0, 2},
                       {8, 0, 2});
}

// The 16-gon around a disc reaches 2 % farther along the axes than the disc.
TEST(NavRadius, APassageLetsThroughWhatIsNarrower) {
  for (const double radius : {0.1, 0.4, 0.48, 0.487})
    EXPECT_EQ(through(world_for_radius(two_rooms(), radius).get(), "r"), 6) << radius;
  for (const double radius : {0.492, 0.5, 0.6, 2.0}) {
    const auto world = world_for_radius(two_rooms(), radius);
    EXPECT_EQ(through(world.get(), "r"), std::nullopt) << radius;
    EXPECT_EQ(through(world.get(), "default"), 6);
  }
}

TEST(NavRadius, OnlyWhatIsWiderThanTheBaseIsKeptOff) {
  const auto bare = world_for_radius(two_rooms(), 0);
  const RouteViewId bare_view = *bare->acquire_view("r", TeamId{0});
  const auto hash_of = [](NavWorld* world) {
    return world->mesh(*world->acquire_view("r", TeamId{0})).content_hash();
  };
  for (const double radius : {0.0, 0.2, 0.4, 0.4 + 1e-9})
    EXPECT_EQ(hash_of(world_for_radius(two_rooms(), radius, 0.4).get()),
              bare->mesh(bare_view).content_hash());
  // 0.9 on a mesh made for 0.4 is as 0.5 on a bare one.
  const auto wide = world_for_radius(two_rooms(), 0.9, 0.4);
  EXPECT_NE(hash_of(wide.get()), bare->mesh(bare_view).content_hash());
  EXPECT_EQ(hash_of(wide.get()), hash_of(world_for_radius(two_rooms(), 0.5).get()));
  EXPECT_EQ(through(world_for_radius(two_rooms(), 0.85, 0.4).get(), "r"), 6);
}

// A pedestrian of 0.4, a cart and a truck on triangles that were built for the pedestrian.
TEST(NavRadius, AMeshOfTrianglesHasTheRadiusItWasBuiltFor) {
  const auto soup = import_obj(
      "v 0 0 0\nv 20 0 0\nv 20 0 12\nv 0 0 12\nf 4 3 2 1\n"
      "v 9 0 0\nv 11 0 0\nv 11 0 10\nv 9 0 10\nv 9 3 0\nv 11 3 0\nv 11 3 10\nv 9 3 10\n"
      "f 5 6 10 9\nf 6 7 11 10\nf 7 8 12 11\nf 8 5 9 12\nf 12 11 10 9\n");
  ASSERT_TRUE(soup.ok());
  RecastParameters parameters;
  parameters.agent_radius = 0.4;
  parameters.cell_size = 0.2;
  const auto mesh = build_with_recast(*soup, parameters);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  const Spot left{4, 0, 6};
  const Spot right{16, 0, 6};
  const auto way = [&](double radius) {
    const auto world = world_for_radius(*mesh, radius, 0.4);
    return length_of_way(world->ground(*world->acquire_view("r", TeamId{0})), left, right);
  };
  ASSERT_TRUE(way(0));
  EXPECT_EQ(way(0.4), way(0));
  EXPECT_GT(way(0.6), way(0));
  EXPECT_EQ(way(1.5), std::nullopt);  // the way round the wall is 2 wide
}

TEST(NavRadius, WallsCountOnTheirOwnFloorAlone) {
  // The upper floor ends a unit above the middle of the lower one.
  const MeshSource mesh = plan(R"({"floors": [{"outer": [[0,0],[10,0],[10,6],[0,6]]},
      {"y": 1, "outer": [[0,0],[5,0],[5,6],[0,6]]}]})");
  const auto world = world_for_radius(mesh, 1);
  const QueryGround& ground = world->ground(*world->acquire_view("r", TeamId{0}));
  EXPECT_EQ(length_of_way(ground, {2, 0, 3}, {8, 0, 3}), 6);
  const auto below = ground.locate({4.5, 0, 3});
  ASSERT_TRUE(below);
  EXPECT_EQ(below->at.y, 0);  // within a unit of the upper floor's end
  EXPECT_EQ(ground.locate({4.5, 3, 3}), std::nullopt);
  EXPECT_TRUE(ground.locate({3.5, 1, 3}));
}

// Where a wall turns in, the way keeps away from its corner.
TEST(NavRadius, WaysGoRoundCornersInAnArc) {
  const MeshSource mesh = plan(R"({"outer": [[0,0],[10,0],[10,10],[5,10],[5,5],[0,5]]})");
  const auto length = [&](double radius) {
    const auto world = world_for_radius(mesh, radius);
    return *length_of_way(world->ground(*world->acquire_view("r", TeamId{0})), {1, 0, 2},
                          {8, 0, 9});
  };
  const double bare = std::hypot(4, 3) + std::hypot(3, 4);
  EXPECT_NEAR(length(0), bare, 1e-6);
  EXPECT_GT(length(0.5), bare);
  EXPECT_LT(length(0.5), bare + 0.5);
  EXPECT_GT(length(0.9), length(0.5));
}

TEST(NavRadius, ALinkThatEndsBesideAWallIsClosedToTheWide) {
  const MeshSource mesh = plan(R"({"floors": [{"outer": [[0,0],[6,0],[6,6],[0,6]]},
      {"y": 4, "outer": [[0,0],[6,0],[6,6],[0,6]]}],
      "links": [{"from": [0.5, 3], "to_floor": 1, "to": [3, 3]}]})");
  const auto way = [&](NavWorld* world) {
    return length_of_way(world->ground(*world->acquire_view("r", TeamId{0})), {3, 0, 3}, {3, 4, 3});
  };
  EXPECT_TRUE(way(world_for_radius(mesh, 0.4).get()));
  EXPECT_EQ(way(world_for_radius(mesh, 0.6).get()), std::nullopt);
  // A link that is switched before the profile's first use is as it was switched.
  const auto world = world_for_radius(mesh, 0.4);
  ChangeBatch off;
  off.switch_links = {{1, false}};
  ASSERT_TRUE(world->apply(off).ok());
  EXPECT_EQ(way(world.get()), std::nullopt);
  off.switch_links = {{1, true}};
  ASSERT_TRUE(world->apply(off).ok());
  EXPECT_TRUE(way(world.get()));
}

TEST(NavRadius, ProfilesThatComeLaterGetTheirGround) {
  const auto world = world_for_radius(two_rooms(), 0.1);
  ChangeBatch batch;
  batch.add_profiles = {{.name = "wide", .radius = 0.6}, {.name = "slim", .radius = 0.3}};
  ASSERT_TRUE(world->apply(batch).ok());
  EXPECT_EQ(through(world.get(), "wide"), std::nullopt);
  EXPECT_EQ(through(world.get(), "slim"), 6);
  const auto copy = world->clone();
  EXPECT_EQ(through(static_cast<NavWorld*>(copy.get()), "wide"), std::nullopt);
}

// Ground that a profile may not use is left out for it alone, and does not grow as walls do.
TEST(NavRadius, GroundThatIsNotAllowedIsLeftOutAndDoesNotGrow) {
  MeshSource mesh = test::squares({"....", "....", "...."});
  for (MeshSource::Cell& cell : mesh.cells)
    if (mesh.vertices[mesh.corners[cell.first]].at.x == test::at(2, 0).x) cell.flags = 2;
  const auto world = world_for_radius(mesh, 0.25);
  ChangeBatch batch;
  batch.add_profiles = {{.name = "dry", .exclude = 2},
                        {.name = "wide", .radius = 0.25, .exclude = 2}};
  ASSERT_TRUE(world->apply(batch).ok());
  const auto is_ground = [&](const std::string& profile, double x, double z) {
    return world->ground(*world->acquire_view(profile, TeamId{0})).locate({x, 0, z}).has_value();
  };
  EXPECT_TRUE(is_ground("default", 2.5, 1.5));
  EXPECT_TRUE(is_ground("r", 2.5, 1.5));
  for (const char* profile : {"dry", "wide"}) {
    EXPECT_FALSE(is_ground(profile, 2.5, 1.5)) << profile;
    EXPECT_TRUE(is_ground(profile, 1.99, 1.5)) << profile;
    EXPECT_EQ(is_ground(profile, 1.5, 0.1), profile == std::string("dry"));
  }
  const auto copy = world->clone();
  EXPECT_FALSE(static_cast<NavWorld*>(copy.get())
                   ->ground(*copy->acquire_view("dry", TeamId{0}))
                   .locate({2.5, 0, 1.5}));
}

TEST(NavRadius, TheBaseRadiusIsContent) {
  const auto of = [](double base_radius) {
    return world_for_radius(two_rooms(), 0.3, base_radius)->state_hash();
  };
  EXPECT_EQ(of(0.4), of(0.4));
  EXPECT_NE(of(0), of(0.4));
  EXPECT_NE(of(0.5), of(0.4));
}

TEST(NavRadius, RefusalsNameTheRadius) {
  for (const double base_radius : {-0.1, 100.5, std::numeric_limits<double>::quiet_NaN()}) {
    NavWorld::Source source{.name = "w", .mesh = two_rooms()};
    source.base_radius = base_radius;
    const absl::Status status = NavWorld::create(std::move(source)).status();
    EXPECT_EQ(error_reason(status), "OUT_OF_RANGE");
    EXPECT_EQ(error_field(status), "base_radius");
  }
  // The bare world fits, with grown walls it does not.
  const auto bare = world_for_radius(two_rooms(), 0);
  WorldLimits tight;
  tight.memory_bytes = bare->bytes() + 1000;
  NavWorld::Source source{.name = "w", .mesh = two_rooms()};
  auto world = *NavWorld::create(source, tight);
  ChangeBatch batch;
  batch.add_profiles = {{.name = "slim", .radius = 0}, {.name = "wide", .radius = 0.6}};
  const std::uint64_t hash = world->state_hash();
  absl::Status status = world->apply(batch).status();
  EXPECT_EQ(error_reason(status), "WORLD_MEMORY");
  EXPECT_EQ(error_field(status), "add_profiles[1].radius");
  EXPECT_EQ(world->state_hash(), hash);
  EXPECT_EQ(world->profiles().size(), 1u);
  source.mesh.cells[0].flags = 2;
  world = *NavWorld::create(source, tight);
  batch.add_profiles = {{.name = "dry", .exclude = 2}};
  status = world->apply(batch).status();
  EXPECT_EQ(error_reason(status), "WORLD_MEMORY");
  EXPECT_EQ(error_field(status), "add_profiles[0].exclude_flags");
  source.profiles = {{.name = "wide", .radius = 0.6}};
  status = NavWorld::create(source, tight).status();
  EXPECT_EQ(error_reason(status), "WORLD_MEMORY");
  EXPECT_EQ(error_field(status), "profiles");
  EXPECT_NE(status.message().find("\"wide\""), std::string::npos);
}

// Ground like a sieve, whose walls take too long for a batch and not for an import.
TEST(NavRadius, TooManyWallsForABatchAreRefused) {
  std::vector<std::string> rows(300, std::string(300, '.'));
  for (std::size_t z = 1; z < rows.size(); z += 2)
    for (std::size_t x = 1; x < rows.size(); x += 2) rows[z][x] = '#';
  auto world = NavWorld::create({.name = "w", .mesh = test::squares(rows), .landmarks = 0});
  ASSERT_TRUE(world.ok()) << world.status();
  ChangeBatch batch;
  batch.add_profiles = {{.name = "wide", .radius = 3}};
  const std::uint64_t hash = (*world)->state_hash();
  const absl::Status status = (*world)->apply(batch).status();
  EXPECT_EQ(error_reason(status), "WALLS_TOO_MANY");
  EXPECT_EQ(error_field(status), "add_profiles[0].radius");
  EXPECT_EQ((*world)->state_hash(), hash);
}

}  // namespace
}  // namespace repath
