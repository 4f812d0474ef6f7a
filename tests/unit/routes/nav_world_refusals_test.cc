// Rejections of worlds that are navmeshes; a rejection leaves the world as it is.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "routes/nav_world.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

ObstacleSpec circle(std::uint64_t id, double x, double z, double radius) {
  return {.id = ObstacleId{id}, .shape = Circle{{x, z}, radius}};
}

std::unique_ptr<NavWorld> world_with_one() {
  auto world = *NavWorld::create({.name = "w",
                                  .mesh = test::squares({"....", "...."}),
                                  .profiles = {{.name = "wide", .radius = 0.4}}});
  ChangeBatch batch;
  batch.upsert_obstacles = {circle(1, 2, 1, 0.25)};
  EXPECT_TRUE(world->apply(batch).ok());
  return world;
}

struct Refusal {
  const char* reason;
  const char* field;
  ChangeBatch batch;
};

ChangeBatch put(ObstacleSpec obstacle) {
  ChangeBatch batch;
  batch.upsert_obstacles = {circle(8, 1, 1, 0.1), std::move(obstacle)};
  return batch;
}

std::vector<Refusal> refusals() {
  ObstacleSpec no_team = circle(2, 1, 1, 1);
  no_team.teams = 0;
  ObstacleSpec upside_down = circle(2, 1, 1, 1);
  upside_down.bottom = 3;
  upside_down.top = 2;
  ObstacleSpec nowhere = circle(2, 1, 1, 1);
  nowhere.top = kNaN;
  ChangeBatch twice = put(circle(1, 1, 1, 1));
  twice.remove_obstacles = {ObstacleId{1}};
  ChangeBatch links;
  links.switch_links = {{3, true}};
  ChangeBatch links_twice;
  links_twice.switch_links = {{3, true}, {3, false}};
  ChangeBatch flip_twice = put(circle(5, 1, 1, 1));
  flip_twice.switch_obstacles = {{ObstacleId{5}, true}};
  ChangeBatch edits;
  edits.graph_edits = {RemoveGraphNode{1}};
  ChangeBatch other;
  other.add_profiles = {{.name = "new"}, {.name = "wide", .radius = 0.5}};
  ChangeBatch area;
  area.add_profiles = {{.name = "new", .areas = {{3, 2}, {3, 4}}}};
  ChangeBatch four;
  four.add_profiles = {{.name = "four", .topology = Topology::k4}};
  ChangeBatch remove;
  remove.remove_obstacles = {ObstacleId{1}, ObstacleId{5}};
  ChangeBatch flip;
  flip.switch_obstacles = {{ObstacleId{5}, true}};
  ChangeBatch large;
  large.remove_obstacles.resize(kBatchEntriesMax + 1);
  const Shape bow = Polygon{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}};
  return {
      {"EMPTY_BATCH", "", {}},
      {"BATCH_TOO_LARGE", "", large},
      {"KIND_UNSUITED", "graph_edits", edits},
      {"KIND_UNSUITED", "upsert_obstacles[1].cells", put({ObstacleId{2}, CellRect{0, 0, 1, 1}})},
      {"KIND_UNSUITED", "add_profiles[0].topology", four},
      {"OUT_OF_RANGE", "upsert_obstacles[1].cylinder.radius", put(circle(2, 1, 1, 0))},
      {"NOT_FINITE", "upsert_obstacles[1].cylinder.center.x", put(circle(2, kNaN, 1, 1))},
      {"OUT_OF_RANGE", "upsert_obstacles[1].cylinder.center.z", put(circle(2, 1, 4e4, 1))},
      {"OUT_OF_RANGE", "upsert_obstacles[1].cylinder", put(circle(2, 33'000, 1, 1000))},
      {"OUT_OF_RANGE", "upsert_obstacles[1].box.yaw", put({ObstacleId{2}, Box{{}, 1, 1, 1e5}})},
      {"OUT_OF_RANGE", "upsert_obstacles[1].capsule.from.x",
       put({ObstacleId{2}, Capsule{{4e4, 0}, {1, 1}, 1}})},
      {"OUT_OF_RANGE", "upsert_obstacles[1].capsule.to",
       put({ObstacleId{2}, Capsule{{-3e4, -3e4}, {3e4, 3e4}, 1}})},
      {"OUT_OF_RANGE", "upsert_obstacles[1].capsule",
       put({ObstacleId{2}, Capsule{{1, 1}, {1, 33'000}, 1000}})},
      {"POLYGON_NOT_SIMPLE", "upsert_obstacles[1].polygon.xz[0]", put({ObstacleId{2}, bow})},
      {"OUT_OF_RANGE", "upsert_obstacles[1].team_mask", put(no_team)},
      {"OUT_OF_RANGE", "upsert_obstacles[1].top", put(upside_down)},
      {"NOT_FINITE", "upsert_obstacles[1].top", put(nowhere)},
      {"DUPLICATE_ID", "remove_obstacles[0]", twice},
      {"DUPLICATE_ID", "switch_obstacles[0].id", flip_twice},
      {"LINK_UNKNOWN", "switch_links[0].id", links},
      {"DUPLICATE_ID", "switch_links[1].id", links_twice},
      {"PROFILE_EXISTS", "add_profiles[1].name", other},
      {"DUPLICATE_ID", "add_profiles[0].area_costs[1].area", area},
      {"OBSTACLE_UNKNOWN", "remove_obstacles[1]", remove},
      {"OBSTACLE_UNKNOWN", "switch_obstacles[0].id", flip},
  };
}

TEST(NavWorld, RefusedBatchesNameTheFieldAndChangeNothing) {
  auto world = world_with_one();
  const RouteViewId view = *world->acquire_view("wide", TeamId{0});
  const std::uint64_t hash = world->state_hash();
  const std::uint64_t content = world->mesh(view).content_hash();
  for (const Refusal& refusal : refusals()) {
    const absl::Status status = world->apply(refusal.batch).status();
    EXPECT_EQ(error_reason(status), refusal.reason) << refusal.field;
    EXPECT_EQ(error_field(status), refusal.field) << refusal.reason;
    EXPECT_EQ(world->state_hash(), hash);
    EXPECT_EQ(world->revision(), Revision{2});
    EXPECT_EQ(world->obstacle_count(), 1u);
    EXPECT_EQ(world->mesh(view).content_hash(), content);
  }
}

TEST(NavWorld, WhatOneMeshRefusesNoMeshGets) {
  auto world = world_with_one();
  const RouteViewId first = *world->acquire_view("default", TeamId{0});
  const RouteViewId second = *world->acquire_view("default", TeamId{1});
  ChangeBatch batch;  // for team 1 alone there are too many
  batch.upsert_obstacles = {circle(2, 1, 1, 0.25)};
  for (std::uint64_t id = 100; id < 100 + kCarveObstaclesPerCell; ++id) {
    batch.upsert_obstacles.push_back(circle(id, 0.5, 0.5, 0.1));
    batch.upsert_obstacles.back().teams = 2;
  }
  const std::uint64_t hash = world->state_hash();
  const std::uint64_t contents[] = {world->mesh(first).content_hash(),
                                    world->mesh(second).content_hash()};
  const absl::Status status = world->apply(batch).status();
  EXPECT_EQ(error_reason(status), "CELL_CROWDED");
  EXPECT_EQ(error_field(status).rfind("upsert_obstacles[", 0), 0u);
  EXPECT_EQ(world->state_hash(), hash);
  EXPECT_EQ(world->mesh(first).content_hash(), contents[0]);
  EXPECT_EQ(world->mesh(second).content_hash(), contents[1]);
  EXPECT_EQ(world->mesh(first).obstacles(), 1u);
  world->release_view(second);
  ASSERT_TRUE(world->apply(batch).ok());  // team 1 has no agents, so the limit does not apply
  EXPECT_EQ(error_reason(world->acquire_view("default", TeamId{1}).status()), "CELL_CROWDED");
  EXPECT_EQ(error_field(world->acquire_view("default", TeamId{1}).status()), "profile");
}

TEST(NavWorld, ObstaclesConcernTheirTeamsOnly) {
  auto world = world_with_one();
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  const RouteViewId other = *world->acquire_view("default", TeamId{3});
  ChangeBatch batch;
  batch.upsert_obstacles = {circle(1, 2, 1, 0.25)};
  batch.upsert_obstacles[0].teams = 1u << 3;
  const auto commit = world->apply(batch);
  ASSERT_TRUE(commit.ok());
  ASSERT_EQ(commit->views.size(), 1u);  // nothing changed for team 3
  EXPECT_EQ(commit->views[0].view, view);
  EXPECT_TRUE(commit->views[0].changes[0].fell);
  EXPECT_TRUE(world->ground(view).locate({2, 0, 1}).has_value());
  EXPECT_FALSE(world->ground(other).locate({2, 0, 1}).has_value());
}

TEST(NavWorld, ViewsAreCountedAndUsedAgain) {
  auto world = world_with_one();
  EXPECT_EQ(error_reason(world->acquire_view("none", TeamId{0}).status()), "PROFILE_UNKNOWN");
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  EXPECT_EQ(*world->acquire_view("default", TeamId{0}), view);
  const std::shared_ptr<const RouteGround> kept = world->keep(view);
  world->release_view(view);
  EXPECT_TRUE(world->ground(view).locate({1, 0, 1}).has_value());
  world->release_view(view);
  EXPECT_TRUE(kept->locate({1, 0, 1}).has_value());
  EXPECT_EQ(*world->acquire_view("wide", TeamId{9}), view);
  for (std::size_t i = 1; i < kRouteViewsMax; ++i)
    ASSERT_TRUE(world->acquire_view(i < 32 ? "default" : "wide", TeamId(i % 32)).ok());
  EXPECT_TRUE(world->acquire_view("wide", TeamId{9}).ok());
  EXPECT_TRUE(world->acquire_view("default", TeamId{0}).ok());
  ChangeBatch batch;
  batch.add_profiles = {{.name = "third"}};
  ASSERT_TRUE(world->apply(batch).ok());
  EXPECT_EQ(error_reason(world->acquire_view("third", TeamId{0}).status()), "VIEWS_TOO_MANY");
}

TEST(NavWorld, MemoryHasALimit) {
  NavWorld::Source source{.name = "w", .mesh = test::squares({"...."}), .profiles = {}};
  EXPECT_EQ(error_reason(NavWorld::create(source, {.memory_bytes = 1000}).status()),
            "WORLD_MEMORY");
  auto world = *NavWorld::create(source, {.memory_bytes = 40'000, .obstacles_max = 20});
  ChangeBatch batch;
  for (std::uint64_t id = 0; id < 21; ++id) batch.upsert_obstacles.push_back(circle(id, 1, 1, 1));
  EXPECT_EQ(error_field(world->apply(batch).status()), "upsert_obstacles[20]");
  batch.upsert_obstacles.pop_back();
  ASSERT_TRUE(world->acquire_view("default", TeamId{0}).ok());
  world->set_memory_limit(world->bytes() + 1000);
  EXPECT_EQ(error_reason(world->apply(batch).status()), "WORLD_MEMORY");
  EXPECT_EQ(world->obstacle_count(), 0u);
}

// The ground that obstacles cut into many cells counts as it is, in the mesh of each view.
TEST(NavWorld, ObstaclesNeverTakeAWorldBeyondItsMemory) {
  NavWorld::Source source{.name = "w",
                          .mesh = test::squares(std::vector<std::string>(40, std::string(40, '.'))),
                          .landmarks = 0};
  auto world = *NavWorld::create(source);
  for (std::uint32_t team = 0; team < 4; ++team)
    ASSERT_TRUE(world->acquire_view("default", TeamId(team)).ok());
  const std::uint64_t limit = world->bytes() * 3 / 2;
  world->set_memory_limit(limit);
  const std::uint64_t hash = world->state_hash();
  int taken = 0;
  int refused = 0;
  for (std::uint64_t id = 0; id < 40; ++id) {
    const double at = static_cast<double>(id) + 0.5;
    ChangeBatch batch;
    batch.upsert_obstacles = {{.id = ObstacleId{id}, .shape = Box{{20, at}, 30, 0.2, 0.01}}};
    const absl::Status status = world->apply(batch).status();
    EXPECT_LE(world->bytes(), limit);
    if (!status.ok()) {
      EXPECT_EQ(error_reason(status), "WORLD_MEMORY");
    }
    ++(status.ok() ? taken : refused);
  }
  EXPECT_GT(taken, 0);
  EXPECT_GT(refused, 0);
  for (std::uint64_t id = 0; id < 40; ++id) {
    ChangeBatch batch;
    batch.remove_obstacles = {ObstacleId{id}};
    const absl::Status status = world->apply(batch).status();
    if (!status.ok()) {
      EXPECT_EQ(error_reason(status), "OBSTACLE_UNKNOWN");
    }
  }
  EXPECT_EQ(world->obstacle_count(), 0u);
  EXPECT_NE(world->state_hash(), hash);  // the revision counts
}

TEST(NavWorld, AMeshThatIsNoneIsRefusedByItsField) {
  MeshSource broken = test::squares({".."});
  broken.corners[0] = 99;
  EXPECT_EQ(error_field(NavWorld::create({.name = "w", .mesh = broken, .profiles = {}}).status()),
            "mesh.cells[0]");
  const NavWorld::Source thin{
      .name = "w", .mesh = test::squares({".."}), .profiles = {}, .cell_side = 0};
  EXPECT_EQ(error_field(NavWorld::create(thin).status()), "cell_side");
  const NavWorld::Source wide{
      .name = "w", .mesh = test::squares({".."}), .profiles = {{.name = "x", .radius = 65}}};
  EXPECT_EQ(error_field(NavWorld::create(wide).status()), "profiles[0].radius");
}

}  // namespace
}  // namespace repath
