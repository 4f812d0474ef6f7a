// Copies of a grid world under way: their number, and the revision that each shows. A copy that is
// given up makes room. tests/property/rpc/world_file_test.cc has copies of random worlds.
#include <gtest/gtest.h>

#include <memory>

#include "base/error.h"
#include "support/ascii_grid.h"
#include "world/read_back.h"
#include "world/world.h"

namespace repath {
namespace {

std::unique_ptr<World> small_world() {
  return *World::create({"small", test::draw_map({"....", "..#.", "...."}), 1.0, {}}, {});
}

void put_wall(World* world, std::uint64_t id) {
  ChangeBatch batch;
  batch.upsert_obstacles = {{.id = ObstacleId{id}, .shape = CellRect{0, 0, 1, 1}}};
  world->commit(*world->stage(batch));
}

TEST(Copies, AreAtMostFourAtATime) {
  const std::unique_ptr<World> world = small_world();
  std::vector<CopyId> copies;
  for (std::size_t i = 0; i < kCopiesMax; ++i) copies.push_back(*world->begin_copy());
  const auto refused = world->begin_copy();
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(error_reason(refused.status()), "EXPORTS_MAX");
  world->end_copy(copies[1]);
  EXPECT_TRUE(world->begin_copy().ok());
}

TEST(Copies, EachIsOfTheRevisionAtWhichItBegan) {
  const std::unique_ptr<World> world = small_world();
  const CopyId first = *world->begin_copy();
  put_wall(world.get(), 7);
  const CopyId second = *world->begin_copy();
  put_wall(world.get(), 8);
  ChangeBatch removal;
  removal.remove_obstacles = {ObstacleId{7}};
  world->commit(*world->stage(removal));
  const auto copy = [&](CopyId id) { return *world->advance_copy(id, 1 << 20); };
  const WorldContent before = copy(first);
  EXPECT_EQ(before.revision, Revision{1});
  EXPECT_TRUE(before.obstacles.empty());
  const WorldContent between = copy(second);
  EXPECT_EQ(between.revision, Revision{2});
  ASSERT_EQ(between.obstacles.size(), 1u);
  EXPECT_EQ(between.obstacles[0].id, ObstacleId{7});
}

TEST(Copies, ATileTellsWhenItChanged) {
  const std::unique_ptr<World> world = small_world();
  ChangeBatch batch;
  batch.influence_edits = {{CellRect{0, 0, 1, 1}, TeamId{3}, 2, {LevelChange::Kind::kSet, 9}}};
  world->commit(*world->stage(batch));
  EXPECT_EQ(world->tile_changed(0, /*with_planes=*/false), Revision{1});
  EXPECT_EQ(world->tile_changed(0, /*with_planes=*/true), Revision{2});
  put_wall(world.get(), 1);  // an obstacle is no change of the base map
  EXPECT_EQ(world->tile_changed(0, /*with_planes=*/true), Revision{2});
  EXPECT_TRUE(read_tile(*world, 0, {.of_team = TeamId{2}}).planes.empty());
  EXPECT_EQ(read_tile(*world, 0, {.of_team = TeamId{3}}).planes.size(), 1u);
}

}  // namespace
}  // namespace repath
