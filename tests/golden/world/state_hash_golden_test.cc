// State hashes are kept in logs and compared between servers. They must not change within a version
// of the log, in any build; a commit that changes them must explain it.
#include <gtest/gtest.h>

#include "support/ascii_grid.h"
#include "world/world.h"

namespace repath {
namespace {

TEST(StateHashGolden, StaysFixed) {
  auto world = *World::create(
      {.name = "golden", .map = test::draw_map({"..S.T", ".5.#.", "@WO.."}), .cell_size = 0.5}, {});
  EXPECT_EQ(world->state_hash(), 10079520513884007029u);
  world->commit(*world->stage(
      {.upsert_obstacles = {
           {.id = ObstacleId{1}, .shape = CellRect{0, 0, 2, 1}},
           {.id = ObstacleId{2}, .shape = Box{{1, 1}, 0.4, 0.2, 0.7}, .effect = {false, 3}},
           {.id = ObstacleId{3}, .shape = Circle{{2, 1}, 0.3}, .teams = 2},
           {.id = ObstacleId{4}, .shape = Polygon{{{0, 0}, {1, 0}, {0, 1}}}, .enabled = false}}}));
  EXPECT_EQ(world->state_hash(), 14201892014588647103u);
  world->commit(*world->stage(
      {.remove_obstacles = {ObstacleId{1}},
       .switch_obstacles = {{ObstacleId{4}, true}},
       .terrain_edits = {{{1, 1, 4, 3}, TerrainId{2}}},
       .add_profiles = {{.name = "boat", .terrain_rules = {{TerrainId{4}, 1, false}}}}}));
  EXPECT_EQ(world->state_hash(), 14330865199597237862u);
  world->commit(*world->stage(
      {.influence_edits = {
           {Circle{{1, 0.5}, 0.6}, TeamId{3}, 15, {LevelChange::Kind::kAdd, 100}},
           {CellRect{2, 0, 5, 2}, TeamId{0}, 0, {LevelChange::Kind::kSet, kLevelMax}}}}));
  EXPECT_EQ(world->state_hash(), 17342917431357428845u);
  world->commit(*world->stage({.fog_edits = {{CellRect{0, 0, 3, 3}, TeamId{2}, true},
                                             {CellRect{1, 1, 2, 2}, TeamId{2}, false}}}));
  EXPECT_EQ(world->state_hash(), 14100683781625429185u);
  world->commit(*world->stage({.stand = {{AgentId{3}, CellRect{0, 0, 2, 1}}}}));
  EXPECT_EQ(world->state_hash(), 2974110191667285061u);
  world->commit(*world->stage({.decay_influence = {{TeamId{3}, 15, 333, {}}}}));
  EXPECT_EQ(world->state_hash(), 676063775072908037u);
}

TEST(StateHashGolden, StaysFixedWithACapsule) {
  auto world = *World::create({.name = "golden", .map = test::draw_map({"....", "...."})}, {});
  world->commit(*world->stage(
      {.upsert_obstacles = {{.id = ObstacleId{1}, .shape = Capsule{{0.5, 1}, {3, 1.5}, 0.25}}}}));
  EXPECT_EQ(world->state_hash(), 13833351577601385788u);
}

}  // namespace
}  // namespace repath
