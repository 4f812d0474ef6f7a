// Rejections of a world; a rejection changes nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "support/ascii_grid.h"
#include "world/world.h"

namespace repath {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

absl::StatusOr<std::unique_ptr<World>> make(WorldSpec spec, WorldLimits limits = {}) {
  return World::create(std::move(spec), limits);
}

class Refusals : public testing::Test {
 protected:
  Refusals() : world_(*make({.name = "w", .map = test::open_map(100, 80), .cell_size = 2})) {
    auto staged =
        world_->stage({.upsert_obstacles = {{.id = ObstacleId{7}, .shape = CellRect{0, 0, 1, 1}}}});
    world_->commit(*std::move(staged));
    EXPECT_TRUE(world_->acquire_view("default", TeamId{0}).ok());
  }

  void expect_refused(const ChangeBatch& batch, absl::StatusCode code, const std::string& reason,
                      const std::string& field) {
    const std::uint64_t hash = world_->state_hash();
    const absl::Status status = world_->stage(batch).status();
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_EQ(error_reason(status), reason) << status;
    EXPECT_EQ(error_field(status), field) << status;
    EXPECT_EQ(world_->state_hash(), hash);
  }
  void expect_shape_refused(const Shape& shape, const std::string& reason,
                            const std::string& field) {
    expect_refused({.upsert_obstacles = {{.id = ObstacleId{1}, .shape = shape}}},
                   absl::StatusCode::kInvalidArgument, reason, "upsert_obstacles[0]." + field);
  }
  void expect_taken(const Shape& shape) {
    const auto staged =
        world_->stage({.upsert_obstacles = {{.id = ObstacleId{1}, .shape = shape}}});
    EXPECT_TRUE(staged.ok()) << staged.status();
  }

  std::unique_ptr<World> world_;
};

TEST_F(Refusals, OfAnEmptyBatch) {
  expect_refused({}, absl::StatusCode::kInvalidArgument, "EMPTY_BATCH", "");
}

TEST_F(Refusals, OfMoreThanTenThousandEntries) {
  ChangeBatch batch;
  for (std::uint64_t i = 0; i < 10'001; ++i)
    batch.upsert_obstacles.push_back({.id = ObstacleId{i}, .shape = CellRect{0, 0, 1, 1}});
  expect_refused(batch, absl::StatusCode::kResourceExhausted, "BATCH_TOO_LARGE", "");
  batch.upsert_obstacles.pop_back();
  EXPECT_TRUE(world_->stage(batch).ok());
}

TEST_F(Refusals, OfUnknownObstacles) {
  expect_refused({.remove_obstacles = {ObstacleId{7}, ObstacleId{8}}}, absl::StatusCode::kNotFound,
                 "OBSTACLE_UNKNOWN", "remove_obstacles[1]");
  expect_refused({.switch_obstacles = {{ObstacleId{8}, true}}}, absl::StatusCode::kNotFound,
                 "OBSTACLE_UNKNOWN", "switch_obstacles[0].id");
}

TEST_F(Refusals, OfAnIdNamedTwice) {
  expect_refused({.remove_obstacles = {ObstacleId{7}}, .switch_obstacles = {{ObstacleId{7}, true}}},
                 absl::StatusCode::kInvalidArgument, "DUPLICATE_ID", "switch_obstacles[0].id");
  const ObstacleSpec spec{.id = ObstacleId{7}, .shape = CellRect{0, 0, 1, 1}};
  expect_refused({.upsert_obstacles = {spec, spec}}, absl::StatusCode::kInvalidArgument,
                 "DUPLICATE_ID", "upsert_obstacles[1].id");
  expect_refused({.upsert_obstacles = {spec}, .remove_obstacles = {ObstacleId{7}}},
                 absl::StatusCode::kInvalidArgument, "DUPLICATE_ID", "remove_obstacles[0]");
}

TEST_F(Refusals, OfWhatGridsHaveNoUseFor) {
  const auto expect_unsuited = [&](const ChangeBatch& batch, const std::string& field) {
    expect_refused(batch, absl::StatusCode::kInvalidArgument, "KIND_UNSUITED", field);
  };
  expect_unsuited({.switch_links = {{3, true}}}, "switch_links");
  expect_unsuited({.graph_edits = {RemoveGraphNode{1}}}, "graph_edits");
  const ObstacleSpec plain{.id = ObstacleId{1}, .shape = CellRect{0, 0, 1, 1}};
  ObstacleSpec spec = plain;
  spec.effect = {false, 1, 3};
  expect_unsuited({.upsert_obstacles = {spec}}, "upsert_obstacles[0].area");
  spec = plain;
  spec.bottom = 0;
  expect_unsuited({.upsert_obstacles = {spec}}, "upsert_obstacles[0].bottom");
  expect_unsuited({.add_profiles = {{.name = "p", .exclude = 4}}}, "add_profiles[0].exclude_flags");
  expect_unsuited({.add_profiles = {{.name = "p", .areas = {{1, 2}}}}},
                  "add_profiles[0].area_costs");
}

TEST_F(Refusals, OfRectangles) {
  expect_shape_refused(CellRect{3, 0, 3, 1}, "RECT_EMPTY", "cells");
  expect_shape_refused(CellRect{3, 5, 4, 1}, "RECT_EMPTY", "cells");
  expect_shape_refused(CellRect{100, 0, 101, 1}, "OUTSIDE_MAP", "cells");
  expect_shape_refused(CellRect{-4, 0, 0, 1}, "OUTSIDE_MAP", "cells");
  expect_taken(CellRect{99, 79, std::numeric_limits<std::int32_t>::max(),
                        std::numeric_limits<std::int32_t>::max()});
  expect_refused({.terrain_edits = {{{0, 0, 1, 1}, TerrainId{0}}, {{0, 80, 1, 81}, TerrainId{0}}}},
                 absl::StatusCode::kInvalidArgument, "OUTSIDE_MAP", "terrain_edits[1].cells");
}

TEST_F(Refusals, OfBoxes) {
  expect_shape_refused(Box{{kNan, 0}, 1, 1, 0}, "NOT_FINITE", "box.center.x");
  expect_shape_refused(Box{{0, -1.1e9}, 1, 1, 0}, "OUT_OF_RANGE", "box.center.z");
  expect_shape_refused(Box{{0, 0}, 0, 1, 0}, "OUT_OF_RANGE", "box.half_x");
  expect_shape_refused(Box{{0, 0}, 1, -1, 0}, "OUT_OF_RANGE", "box.half_z");
  expect_shape_refused(Box{{0, 0}, 1, 65536.1, 0}, "OUT_OF_RANGE", "box.half_z");
  expect_shape_refused(Box{{0, 0}, 1, kInfinity, 0}, "NOT_FINITE", "box.half_z");
  expect_shape_refused(Box{{0, 0}, 1, 1, 10000.1}, "OUT_OF_RANGE", "box.yaw");
  expect_shape_refused(Box{{0, 0}, 1, 1, -kInfinity}, "NOT_FINITE", "box.yaw");
  expect_taken(Box{{1e9, -1e9}, 65536, 1e-300, -1e4});
}

TEST_F(Refusals, OfCirclesAndCapsules) {
  expect_shape_refused(Circle{{0, kInfinity}, 1}, "NOT_FINITE", "cylinder.center.z");
  expect_shape_refused(Circle{{0, 0}, kNan}, "NOT_FINITE", "cylinder.radius");
  expect_shape_refused(Circle{{0, 0}, 0}, "OUT_OF_RANGE", "cylinder.radius");
  expect_shape_refused(Circle{{0, 0}, 65537}, "OUT_OF_RANGE", "cylinder.radius");
  expect_taken(Circle{{0, 0}, 65536});
  expect_shape_refused(Capsule{{0, 0}, {131072.1, 0}, 1}, "OUT_OF_RANGE", "capsule.to");
  expect_taken(Capsule{{-65536, 3}, {65536, 3}, 65536});
}

TEST_F(Refusals, OfPolygons) {
  expect_shape_refused(Polygon{{{0, 0}, {1, 1}}}, "POLYGON_SIZE", "polygon.xz");
  expect_shape_refused(Polygon{{{0, 0}, {1, kNan}, {0, 1}}}, "NOT_FINITE", "polygon.xz[3]");
  expect_shape_refused(Polygon{{{0, 0}, {1, 0}, {2e9, 1}}}, "OUT_OF_RANGE", "polygon.xz[4]");
  expect_shape_refused(Polygon{{{0, 0}, {4, 4}, {4, 0}, {0, 4}}}, "POLYGON_NOT_SIMPLE",
                       "polygon.xz[0]");
}

TEST_F(Refusals, OfEffectsAndTeams) {
  for (const double factor : {0.99, 1000.1, kNan, kInfinity, -2.0}) {
    expect_refused({.upsert_obstacles = {{.id = ObstacleId{1},
                                          .shape = CellRect{0, 0, 1, 1},
                                          .effect = {false, factor}}}},
                   absl::StatusCode::kInvalidArgument,
                   std::isfinite(factor) ? "OUT_OF_RANGE" : "NOT_FINITE",
                   "upsert_obstacles[0].cost_factor");
  }
  expect_refused(
      {.upsert_obstacles = {{.id = ObstacleId{1}, .shape = CellRect{0, 0, 1, 1}, .teams = 0}}},
      absl::StatusCode::kInvalidArgument, "OUT_OF_RANGE", "upsert_obstacles[0].team_mask");
}

TEST_F(Refusals, OfUnknownTerrain) {
  expect_refused({.terrain_edits = {{{0, 0, 1, 1}, TerrainId{15}}}},
                 absl::StatusCode::kInvalidArgument, "TERRAIN_UNKNOWN",
                 "terrain_edits[0].terrain_class");
}

TEST_F(Refusals, OfProfiles) {
  const auto refused = [this](const Profile& profile, const std::string& reason,
                              const std::string& field) {
    expect_refused({.add_profiles = {profile}}, absl::StatusCode::kInvalidArgument, reason,
                   "add_profiles[0]." + field);
  };
  refused({.name = ""}, "NAME_INVALID", "name");
  refused({.name = std::string(65, 'a')}, "NAME_INVALID", "name");
  refused({.name = "a b"}, "NAME_INVALID", "name");
  refused({.name = "a", .terrain_rules = {{TerrainId{0}, 0.5, false}}}, "OUT_OF_RANGE",
          "terrain_rules[0].factor");
  refused({.name = "a", .terrain_rules = {{TerrainId{0}, kNan, false}}}, "NOT_FINITE",
          "terrain_rules[0].factor");
  refused({.name = "a", .terrain_rules = {{TerrainId{0}, 2, false}, {TerrainId{0}, 3, false}}},
          "DUPLICATE_ID", "terrain_rules[1].terrain_class");
  refused({.name = "a", .terrain_rules = {{TerrainId{99}, 2, false}}}, "TERRAIN_UNKNOWN",
          "terrain_rules[0].terrain_class");
  refused({.name = "a", .radius = kNan}, "NOT_FINITE", "radius");
  refused({.name = "a", .radius = -0.1}, "OUT_OF_RANGE", "radius");
  refused({.name = "a", .radius = 32.01 * world_->cell_size()}, "OUT_OF_RANGE", "radius");
  ChangeBatch many;
  for (int i = 0; i < 64; ++i) many.add_profiles.push_back({.name = "p" + std::to_string(i)});
  expect_refused(many, absl::StatusCode::kResourceExhausted, "PROFILES_TOO_MANY",
                 "add_profiles[63]");
}

TEST_F(Refusals, OfAWholeBatchForItsLastEntry) {
  expect_refused({.upsert_obstacles = {{.id = ObstacleId{1}, .shape = CellRect{0, 0, 1, 1}}},
                  .remove_obstacles = {ObstacleId{9}}},
                 absl::StatusCode::kNotFound, "OBSTACLE_UNKNOWN", "remove_obstacles[0]");
  EXPECT_EQ(world_->obstacle_count(), 1u);
}

TEST_F(Refusals, OfInfluenceOutOfRange) {
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  const CellRect cell{0, 0, 1, 1};
  using Kind = LevelChange::Kind;
  const auto edit = [&](const InfluenceEdit& bad, const char* reason, const char* field) {
    expect_refused({.influence_edits = {{cell, TeamId{0}, 0, {Kind::kAdd, 1}}, bad}}, kInvalid,
                   reason, std::string("influence_edits[1].") + field);
  };
  edit({CellRect{3, 3, 3, 4}, TeamId{0}, 0, {}}, "RECT_EMPTY", "cells");
  edit({CellRect{100, 0, 101, 1}, TeamId{0}, 0, {}}, "OUTSIDE_MAP", "cells");
  edit({Circle{{kNan, 0}, 1}, TeamId{0}, 0, {}}, "NOT_FINITE", "cylinder.center.x");
  edit({cell, TeamId{32}, 0, {}}, "OUT_OF_RANGE", "team");
  edit({cell, TeamId{0}, 16, {}}, "OUT_OF_RANGE", "layer");
  edit({cell, TeamId{0}, 0, {Kind::kAdd, kLevelMax + 1}}, "OUT_OF_RANGE", "add");
  edit({cell, TeamId{0}, 0, {Kind::kAdd, -kLevelMax - 1}}, "OUT_OF_RANGE", "add");
  edit({cell, TeamId{0}, 0, {Kind::kSet, kLevelMax + 1}}, "OUT_OF_RANGE", "set");
  edit({cell, TeamId{0}, 0, {Kind::kSet, -1}}, "OUT_OF_RANGE", "set");
  edit({cell, TeamId{0}, 0, {Kind::kKeep, 1}}, "CHANGE_MISSING", "change");
  const auto decay = [&](const InfluenceDecay& bad, const char* reason, const char* field) {
    expect_refused({.decay_influence = {bad}}, kInvalid, reason,
                   std::string("decay_influence[0].") + field);
  };
  decay({TeamId{32}, 0, 0, {}}, "OUT_OF_RANGE", "team");
  decay({TeamId{0}, 16, 0, {}}, "OUT_OF_RANGE", "layer");
  decay({TeamId{0}, 0, 1000, {}}, "OUT_OF_RANGE", "keep_permille");
  decay({TeamId{0}, 0, -1, {}}, "OUT_OF_RANGE", "keep_permille");
  decay({TeamId{0}, 0, 0, CellRect{0, 80, 1, 81}}, "OUTSIDE_MAP", "cells");
}

TEST_F(Refusals, OfFogOutOfRange) {
  const auto edit = [&](const FogEdit& bad, const char* reason, const char* field) {
    expect_refused({.fog_edits = {{CellRect{0, 0, 1, 1}, TeamId{0}, true}, bad}},
                   absl::StatusCode::kInvalidArgument, reason,
                   std::string("fog_edits[1].") + field);
  };
  edit({CellRect{3, 3, 3, 4}, TeamId{0}, true}, "RECT_EMPTY", "cells");
  edit({CellRect{100, 0, 101, 1}, TeamId{0}, true}, "OUTSIDE_MAP", "cells");
  edit({Circle{{0, 0}, 0}, TeamId{0}, true}, "OUT_OF_RANGE", "cylinder.radius");
  edit({CellRect{0, 0, 1, 1}, TeamId{32}, true}, "OUT_OF_RANGE", "team");
}

TEST_F(Refusals, OfBodiesOutOfPlace) {
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  const CellRect cell{0, 0, 1, 1};
  expect_refused({.stand = {{AgentId{1}, CellRect{100, 0, 101, 1}}}}, kInvalid, "OUTSIDE_MAP",
                 "stand[0].cells");
  expect_refused({.stand = {{AgentId{1}, cell}, {AgentId{1}, cell}}}, kInvalid, "DUPLICATE_ID",
                 "stand[1].agent_id");
  expect_refused({.walk_on = {AgentId{1}}}, absl::StatusCode::kNotFound, "BODY_UNKNOWN",
                 "walk_on[0]");
  world_->commit(*world_->stage({.stand = {{AgentId{1}, cell}}}));
  expect_refused({.stand = {{AgentId{1}, cell}}, .walk_on = {AgentId{1}}}, kInvalid, "DUPLICATE_ID",
                 "walk_on[0]");
}

TEST(WorldLimits, RefusesTooManyBodiesButCountsThoseThatGo) {
  const auto world = *make({.name = "w", .map = test::open_map(8, 1)}, {.obstacles_max = 1});
  const CellRect cell{0, 0, 1, 1};
  world->commit(*world->stage({.stand = {{AgentId{1}, cell}}}));
  const absl::Status refused = world->stage({.stand = {{AgentId{2}, cell}}}).status();
  EXPECT_EQ(error_reason(refused), "BODIES_TOO_MANY");
  EXPECT_EQ(error_field(refused), "stand[0]");
  EXPECT_TRUE(world->stage({.stand = {{AgentId{1}, cell}}}).ok());
  EXPECT_TRUE(world->stage({.stand = {{AgentId{2}, cell}}, .walk_on = {AgentId{1}}}).ok());
}

TEST(WorldLimits, RefusesADecayOfTooMuchButNotOfAPart) {
  const auto world = *make({.name = "w", .map = test::open_map(4097, 4097)});
  const auto apply = [&](const ChangeBatch& batch) {
    auto staged = world->stage(batch);
    if (staged.ok()) world->commit(*std::move(staged));
    return staged.status();
  };
  const auto set = [&](CellRect cells) {
    return apply({.influence_edits = {{cells, TeamId{0}, 0, {LevelChange::Kind::kSet, 9}}}});
  };
  EXPECT_EQ(error_field(set({0, 0, 4097, 4097})), "influence_edits[0]");
  ASSERT_TRUE(set({0, 0, 4096, 4096}).ok());
  ASSERT_TRUE(set({0, 4096, 4097, 4097}).ok());
  const absl::Status refused = apply({.decay_influence = {{TeamId{0}, 0, 0, {}}}});
  EXPECT_EQ(error_reason(refused), "BATCH_TOO_LARGE");
  EXPECT_EQ(error_field(refused), "decay_influence[0]");
  EXPECT_TRUE(apply({.decay_influence = {{TeamId{0}, 0, 0, CellRect{0, 0, 4097, 4096}}}}).ok());
  EXPECT_TRUE(apply({.decay_influence = {{TeamId{0}, 0, 0, {}}}}).ok());
}

TEST(WorldLimits, LevelsCountAgainstTheMemoryLimit) {
  WorldSpec spec{.name = "w", .map = test::open_map(1024, 1024)};
  const std::uint64_t bytes = (*make(spec))->bytes();
  const auto world = *make(spec, {.memory_bytes = bytes + 10 * Plane::kSplitBytes});
  ChangeBatch batch;
  for (std::int32_t i = 0; i < 11; ++i)
    batch.influence_edits.push_back(
        {CellRect{64 * i, 0, 64 * i + 1, 1}, TeamId{0}, 0, {LevelChange::Kind::kAdd, 1}});
  const absl::Status refused = world->stage(batch).status();
  EXPECT_EQ(error_reason(refused), "WORLD_MEMORY");
  EXPECT_EQ(error_field(refused), "influence_edits[9]");
  // Many edits of a few tiles, and one edit of the whole map, take little.
  for (InfluenceEdit& edit : batch.influence_edits) edit.shape = CellRect{0, 0, 1, 1};
  EXPECT_TRUE(world->stage(batch).ok());
  for (InfluenceEdit& edit : batch.influence_edits) edit.shape = CellRect{0, 0, 1024, 1024};
  EXPECT_TRUE(world->stage(batch).ok());
}

TEST(WorldLimits, RefusesTooManyObstaclesButCountsThoseThatGo) {
  auto world = *make({.name = "w", .map = test::open_map(9, 9)}, {.obstacles_max = 2});
  const auto spec = [](std::uint64_t id) {
    return ObstacleSpec{.id = ObstacleId{id}, .shape = CellRect{0, 0, 1, 1}};
  };
  world->commit(*world->stage({.upsert_obstacles = {spec(1), spec(2)}}));
  const auto refused = world->stage({.upsert_obstacles = {spec(1), spec(3)}});
  EXPECT_EQ(error_reason(refused.status()), "OBSTACLES_TOO_MANY");
  EXPECT_EQ(error_field(refused.status()), "upsert_obstacles[1]");
  EXPECT_TRUE(
      world->stage({.upsert_obstacles = {spec(3)}, .remove_obstacles = {ObstacleId{1}}}).ok());
}

TEST(WorldLimits, RefusesABatchThatCoversTooMuch) {
  auto world = *make({.name = "w", .map = test::open_map(4200, 4200)});
  const auto refused = world->stage(
      {.upsert_obstacles = {{.id = ObstacleId{1}, .shape = CellRect{0, 0, 4200, 4200}}}});
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(error_reason(refused.status()), "BATCH_TOO_LARGE");
  EXPECT_EQ(error_field(refused.status()), "upsert_obstacles[0]");
}

// 256 corners in one column; nearly every edge meets every row.
ObstacleSpec needles(std::uint64_t id, double height) {
  Polygon polygon;
  for (int i = 0; i < 254; ++i)
    polygon.points.push_back({5 + i * 0.001, i % 2 == 0 ? 0.5 : height - 0.5});
  polygon.points.push_back({5.9, height + 1});
  polygon.points.push_back({4.9, height + 1});
  return {.id = ObstacleId{id}, .shape = polygon};
}

TEST(WorldLimits, RefusesABatchWhoseEdgesMeetTooManyRows) {
  auto world = *make({.name = "w", .map = test::open_map(10, 4096)});
  ChangeBatch batch;
  for (std::uint64_t id = 0; id < 2; ++id) batch.upsert_obstacles.push_back(needles(id, 4096));
  const auto taken = world->stage(batch);
  EXPECT_TRUE(taken.ok()) << taken.status();
  batch.upsert_obstacles.push_back(needles(2, 4096));
  const absl::Status refused = world->stage(batch).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(error_reason(refused), "BATCH_TOO_LARGE");
  EXPECT_EQ(error_field(refused), "upsert_obstacles[2]");
  EXPECT_NE(refused.message().find("2097152 rows"), std::string::npos) << refused;
}

TEST(WorldLimits, ABaseCountsAgainstTheMemoryLimit) {
  const auto bytes_with = [](double radius) {
    auto world = *make({.name = "w",
                        .map = test::open_map(200, 200),
                        .profiles = {{.name = "tank", .radius = radius}}});
    EXPECT_TRUE(world->acquire_view("tank", TeamId{0}).ok());
    return world->bytes();
  };
  EXPECT_GT(bytes_with(1), bytes_with(0) + 16 * sizeof(Tile));
  auto small = *make(
      {.name = "w", .map = test::open_map(200, 200), .profiles = {{.name = "tank", .radius = 1}}},
      {.memory_bytes = bytes_with(1) - 8 * sizeof(Tile)});
  EXPECT_EQ(error_reason(small->acquire_view("tank", TeamId{0}).status()), "WORLD_MEMORY");
  EXPECT_TRUE(small->acquire_view("default", TeamId{0}).ok());
}

TEST(WorldLimits, KeepsItsMemoryLimit) {
  const absl::Status full =
      make({.name = "w", .map = test::open_map(1000, 1000)}, {.memory_bytes = 900'000}).status();
  EXPECT_EQ(error_reason(full), "WORLD_MEMORY");
  EXPECT_NE(full.message().find("more than 900000 bytes, the half of its memory_limit_mb"),
            absl::string_view::npos)
      << full;
  auto world = *make({.name = "w", .map = test::open_map(1000, 1000)}, {.memory_bytes = 1'200'000});
  ASSERT_TRUE(world->acquire_view("default", TeamId{0}).ok());
  EXPECT_EQ(error_reason(world->acquire_view("default", TeamId{1}).status()), "WORLD_MEMORY");
  // Factors take 16 KiB for each tile.
  const ObstacleSpec mud{
      .id = ObstacleId{1}, .shape = CellRect{0, 0, 1000, 1000}, .effect = {false, 2}};
  EXPECT_EQ(error_reason(world->stage({.upsert_obstacles = {mud}}).status()), "WORLD_MEMORY");
}

TEST(WorldLimits, WhatOnlyRemovesIsTakenAtTheMemoryLimitAndAboveIt) {
  auto world = *make(
      {.name = "w", .map = test::open_map(500, 500), .profiles = {{.name = "tank", .radius = 2}}});
  for (int team = 0; team < 4; ++team)
    for (const char* profile : {"default", "tank"})
      ASSERT_TRUE(world->acquire_view(profile, TeamId(team)).ok());
  const auto apply = [&](const ChangeBatch& batch) {
    absl::StatusOr<StagedBatch> staged = world->stage(batch);
    if (staged.ok()) world->commit(*std::move(staged));
    return staged.status();
  };
  ChangeBatch filling;
  for (std::uint64_t id = 0; id < 60; ++id) {
    const auto at = static_cast<std::int32_t>(8 * id);
    filling.upsert_obstacles.push_back(
        {.id = ObstacleId{id}, .shape = CellRect{at, 0, at + 4, 400}, .effect = {id % 2 == 0, 2}});
  }
  ASSERT_EQ(apply(filling), absl::OkStatus());
  for (const std::uint64_t limit : {world->bytes_but_jumps(), world->bytes_but_jumps() / 2}) {
    world->set_memory_limit(limit);
    const ObstacleSpec another{.id = ObstacleId{99}, .shape = CellRect{0, 450, 9, 459}};
    EXPECT_EQ(error_reason(apply({.upsert_obstacles = {another}})), "WORLD_MEMORY");
  }
  for (std::uint64_t id = 0; id < 60; ++id) {
    const bool goes = id % 3 == 0;
    const ChangeBatch batch = goes ? ChangeBatch{.remove_obstacles = {ObstacleId{id}}}
                                   : ChangeBatch{.switch_obstacles = {{ObstacleId{id}, false}}};
    EXPECT_EQ(apply(batch), absl::OkStatus()) << id;
  }
}

TEST(WorldLimits, RefusesSpecsOutOfRange) {
  const auto field = [](WorldSpec spec) { return error_field(make(std::move(spec)).status()); };
  EXPECT_EQ(field({.name = "", .map = test::open_map(2, 2)}), "name");
  EXPECT_EQ(field({.name = "w", .map = test::open_map(2, 2), .cell_size = 0.0009}), "cell_size");
  EXPECT_EQ(field({.name = "w", .map = test::open_map(2, 2), .cell_size = kNan}), "cell_size");
  EXPECT_EQ(field({.name = "w", .map = test::open_map(16385, 1)}), "width");
  EXPECT_EQ(field({.name = "w", .map = {.width = 2, .height = 0, .cells = {}}}), "height");
  EXPECT_EQ(field({.name = "w", .map = {.width = 2, .height = 2, .cells = {}}}), "map");
  GridMap map = test::open_map(2, 2);
  map.classes = {{.name = "a"}, {.name = "a", .symbol = 'x'}};
  EXPECT_EQ(field({.name = "w", .map = map}), "terrain_classes[1].name");
  map.classes = {{.name = "a", .factor = 0}};
  EXPECT_EQ(field({.name = "w", .map = map}), "terrain_classes[0].factor");
  EXPECT_EQ(
      field({.name = "w", .map = test::open_map(2, 2), .profiles = {{.name = "x"}, {.name = "x"}}}),
      "profiles[1].name");
}

}  // namespace
}  // namespace repath
