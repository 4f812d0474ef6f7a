// Batches that would be too much work for the views in use. Each is refused before that work.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/error.h"
#include "support/ascii_grid.h"
#include "world/world.h"

namespace repath {
namespace {

absl::StatusOr<std::unique_ptr<World>> world_within(WorldSpec spec, WorldLimits limits = {}) {
  return World::create(std::move(spec), limits);
}

TEST(BatchWork, RefusesABatchThatChangesTooManyEdges) {
  auto world =
      *world_within({.name = "w", .map = test::open_map(100, 100)}, {.batch_edges_max = 1000});
  ASSERT_TRUE(world->acquire_view("default", TeamId{0}).ok());
  EXPECT_EQ(
      error_reason(world->stage({.terrain_edits = {{{0, 0, 50, 50}, TerrainId{1}}}}).status()),
      "BATCH_TOO_LARGE");
  EXPECT_TRUE(world->stage({.terrain_edits = {{{0, 0, 5, 5}, TerrainId{1}}}}).ok());
}

TEST(BatchWork, CountsTheEdgesOfAllViewsTogether) {
  const auto world =
      *world_within({.name = "w", .map = test::open_map(100, 100)}, {.batch_edges_max = 16'000});
  const ChangeBatch wall{.terrain_edits = {{{0, 0, 30, 30}, TerrainId{1}}}};
  ASSERT_TRUE(world->acquire_view("default", TeamId{0}).ok());
  EXPECT_TRUE(world->stage(wall).ok()) << "about 7,000 edges";
  ASSERT_TRUE(world->acquire_view("default", TeamId{1}).ok());
  ASSERT_TRUE(world->acquire_view("default", TeamId{2}).ok());
  const absl::Status refused = world->stage(wall).status();
  EXPECT_EQ(error_reason(refused), "BATCH_TOO_LARGE");
  EXPECT_NE(refused.message().find("16000 edges"), std::string::npos) << refused;
}

TEST(BatchWork, CellsWithoutEdgesCountToo) {
  GridMap map = test::open_map(64, 64);
  for (std::size_t i = 0; i < map.cells.size(); ++i)
    if ((i % 64 + i / 64) % 2 != 0 || i / 64 % 2 != 0) map.cells[i] = TerrainId{1};
  const auto world = *world_within({.name = "w", .map = std::move(map)}, {.batch_edges_max = 500});
  ASSERT_TRUE(world->acquire_view("default", TeamId{0}).ok());
  EXPECT_TRUE(world->stage({.terrain_edits = {{{0, 0, 64, 30}, TerrainId{1}}}}).ok());
  const absl::Status refused =
      world->stage({.terrain_edits = {{{0, 0, 64, 64}, TerrainId{1}}}}).status();
  EXPECT_EQ(error_reason(refused), "BATCH_TOO_LARGE");
  EXPECT_NE(refused.message().find("500 cells"), std::string::npos) << refused;
}

// Ten obstacles on each of two columns of tiles, each on one row.
std::unique_ptr<World> world_of_crowded_tiles(WorldLimits limits) {
  auto world = *world_within({.name = "w", .map = test::open_map(128, 64)}, limits);
  ChangeBatch walls;
  for (std::uint64_t i = 0; i < 10; ++i) {
    const auto y = static_cast<std::int32_t>(i) + 20;
    walls.upsert_obstacles.push_back({.id = ObstacleId{i}, .shape = CellRect{0, y, 128, y + 1}});
  }
  world->commit(*world->stage(walls));
  return world;
}

TEST(BatchWork, ObstaclesCountInEachTileConcerned) {
  const auto world = world_of_crowded_tiles({.batch_tile_obstacles_max = 19});
  const auto edit = [](std::int32_t width) {
    return ChangeBatch{.terrain_edits = {{{0, 0, width, 1}, TerrainId{1}}}};
  };
  EXPECT_TRUE(world->stage(edit(128)).ok()) << "no view";
  ASSERT_TRUE(world->acquire_view("default", TeamId{0}).ok());
  EXPECT_TRUE(world->stage(edit(64)).ok()) << "10 obstacles";
  const absl::Status refused = world->stage(edit(128)).status();
  EXPECT_EQ(error_reason(refused), "BATCH_TOO_LARGE");
  EXPECT_NE(refused.message().find("more than 19 obstacles"), std::string::npos) << refused;
}

TEST(BatchWork, ObstaclesCountOnEachRowLookedAt) {
  const auto world = world_of_crowded_tiles({.batch_row_obstacles_max = 9});
  ASSERT_TRUE(world->acquire_view("default", TeamId{0}).ok());
  const auto edit = [](std::int32_t y0, std::int32_t y1) {
    return ChangeBatch{.terrain_edits = {{{0, y0, 64, y1}, TerrainId{1}}}};
  };
  EXPECT_TRUE(world->stage(edit(0, 20)).ok()) << "no obstacle";
  EXPECT_TRUE(world->stage(edit(0, 29)).ok()) << "9 obstacles";
  const absl::Status refused = world->stage(edit(0, 30)).status();
  EXPECT_EQ(error_reason(refused), "BATCH_TOO_LARGE");
  EXPECT_NE(refused.message().find("more than 9 obstacles"), std::string::npos) << refused;
}

TEST(BatchWork, RowsCountOnceForEachView) {
  const auto world =
      *world_within({.name = "w", .map = test::open_map(200, 100)}, {.batch_view_rows_max = 40});
  // 10 rows in each of two columns of tiles, whether or not a cell changes.
  const ChangeBatch same{.terrain_edits = {{{60, 0, 70, 10}, TerrainId{0}}}};
  EXPECT_TRUE(world->stage(same).ok()) << "no view";
  ASSERT_TRUE(world->acquire_view("default", TeamId{0}).ok());
  ASSERT_TRUE(world->acquire_view("default", TeamId{1}).ok());
  EXPECT_TRUE(world->stage(same).ok()) << "2 x 20 rows";
  ASSERT_TRUE(world->acquire_view("default", TeamId{2}).ok());
  const absl::Status refused = world->stage(same).status();
  EXPECT_EQ(error_reason(refused), "BATCH_TOO_LARGE");
  EXPECT_NE(refused.message().find("40 rows of 64 cells"), std::string::npos) << refused;
}

TEST(BatchWork, RowsForARadiusCountInAllViewsTogether) {
  const auto world = *world_within(
      {.name = "w", .map = test::open_map(200, 200), .profiles = {{.name = "tank", .radius = 10}}},
      {.batch_grown_rows_max = 1000});
  const ChangeBatch door{.terrain_edits = {{{100, 100, 101, 101}, TerrainId{1}}}};
  ASSERT_TRUE(world->acquire_view("tank", TeamId{0}).ok());
  ASSERT_TRUE(world->acquire_view("tank", TeamId{1}).ok());
  EXPECT_TRUE(world->stage(door).ok()) << "2 x 21 rows of 21";
  ASSERT_TRUE(world->acquire_view("tank", TeamId{2}).ok());
  EXPECT_EQ(error_reason(world->stage(door).status()), "BATCH_TOO_LARGE");
}

TEST(BatchWork, RefusesABatchThatReadsTooManyRowsForARadius) {
  auto world = *world_within(
      {.name = "w", .map = test::open_map(200, 200), .profiles = {{.name = "tank", .radius = 10}}},
      {.batch_grown_rows_max = 1000});
  const ChangeBatch door{.terrain_edits = {{{100, 100, 101, 101}, TerrainId{1}}}};
  const ChangeBatch wall{.terrain_edits = {{{20, 100, 160, 101}, TerrainId{1}}}};
  EXPECT_TRUE(world->stage(wall).ok());
  ASSERT_TRUE(world->acquire_view("default", TeamId{0}).ok());
  EXPECT_TRUE(world->stage(wall).ok()) << "points read none";
  ASSERT_TRUE(world->acquire_view("tank", TeamId{0}).ok());
  EXPECT_TRUE(world->stage(door).ok()) << "21 rows of 21";
  const absl::Status refused = world->stage(wall).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted) << "3 x 21 rows of 21";
  EXPECT_EQ(error_reason(refused), "BATCH_TOO_LARGE");
}

}  // namespace
}  // namespace repath
