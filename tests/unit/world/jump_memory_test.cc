// Jump maps and the memory limit: they take what is left, and go first.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/ascii_grid.h"
#include "unit/world/small_worlds.h"
#include "world/world.h"

namespace repath {
namespace {

using test::kBlue;
using test::kRed;
using test::make_world;
using test::mud;
using test::wall;

constexpr std::int32_t kSide = 512;

// Every tile has a wall, so a jump map is as large as it can be.
GridMap dotted_map() {
  GridMap map = test::open_map(kSide, kSide);
  for (std::size_t y = 20; y < kSide; y += 64)
    for (std::size_t x = 20; x < kSide; x += 64) map.cells[y * kSide + x] = TerrainId{1};
  return map;
}

// Returns the world's memory with so many views, one for each team, of which each has a jump map.
std::uint64_t bytes_with_jumps(int views) {
  const auto world = make_world(dotted_map());
  for (int team = 0; team < views; ++team)
    EXPECT_TRUE(world->keep_jumps(*world->acquire_view("default", TeamId(team))));
  return world->bytes();
}

TEST(JumpMemory, BytesMaxIsTheMemoryOfAMapWithoutEvenTiles) {
  const auto world = make_world(dotted_map());
  const ViewId view = *world->acquire_view("default", kRed);
  ASSERT_TRUE(world->keep_jumps(view));
  EXPECT_EQ(world->jumps(view)->bytes(), JumpMap::bytes_max(world->layer(view)));
  const auto open = make_world(test::open_map(kSide, kSide));
  const ViewId even = *open->acquire_view("default", kRed);
  ASSERT_TRUE(open->keep_jumps(even));
  EXPECT_LT(open->jumps(even)->bytes(), JumpMap::bytes_max(open->layer(even)));
}

struct Edit {
  std::string name;
  ChangeBatch batch;
};

class FullOfJumps : public ::testing::TestWithParam<Edit> {};

TEST_P(FullOfJumps, IsNoReasonToRefuseABatch) {
  const std::uint64_t limit = bytes_with_jumps(2);
  const auto world = make_world(dotted_map(), {}, {.memory_bytes = limit});
  const ViewId red = *world->acquire_view("default", kRed);
  const ViewId blue = *world->acquire_view("default", kBlue);
  ASSERT_TRUE(world->keep_jumps(red) && world->keep_jumps(blue));
  ASSERT_EQ(world->bytes(), limit);
  absl::StatusOr<StagedBatch> staged = world->stage(GetParam().batch);
  ASSERT_TRUE(staged.ok()) << staged.status();
  world->commit(*std::move(staged));
  EXPECT_LE(world->bytes(), limit);
}

INSTANTIATE_TEST_SUITE_P(
    Edits, FullOfJumps,
    ::testing::Values(
        Edit{"Obstacle", {.upsert_obstacles = {wall(1, {60, 60, 70, 70})}}},
        Edit{"Mud", {.upsert_obstacles = {mud(1, {0, 0, 64, 64}, 2)}}},
        Edit{"Body", {.stand = {{AgentId{1}, CellRect{60, 60, 61, 61}}}}},
        Edit{"Fog", {.fog_edits = {{CellRect{0, 0, 64, 64}, kRed, true}}}},
        Edit{"Influence",
             {.influence_edits = {{CellRect{0, 0, 9, 9}, kRed, 0, {LevelChange::Kind::kAdd, 64}}}}},
        Edit{"Terrain", {.terrain_edits = {{{0, 0, 70, 70}, TerrainId{1}}}}}),
    [](const auto& test) { return test.param.name; });

TEST(JumpMemory, AJumpMapGoesBeforeABatchIsRefused) {
  const auto muddy = [](std::uint64_t memory_bytes, bool with_jumps) {
    const auto world = make_world(test::open_map(1000, 1000), {}, {.memory_bytes = memory_bytes});
    const ViewId view = *world->acquire_view("default", kRed);
    EXPECT_TRUE(!with_jumps || world->keep_jumps(view));
    EXPECT_EQ(world->jumps(view) != nullptr, with_jumps);
    test::apply(world.get(), {.upsert_obstacles = {mud(1, {0, 0, 1000, 1000}, 2)}});
    return std::pair(world->bytes(), world->jumps(view) != nullptr);
  };
  EXPECT_TRUE(muddy(100'000'000, true).second);
  // Enough for the mud, but not for the jump map as well.
  const std::uint64_t enough = muddy(100'000'000, false).first;
  EXPECT_FALSE(muddy(enough, true).second);
  EXPECT_LE(muddy(enough, true).first, enough);
}

TEST(JumpMemory, KeepsNoJumpMapThatWouldNotFit) {
  const auto world = make_world(test::open_map(1000, 1000), {}, {.memory_bytes = 1'200'000});
  const ViewId view = *world->acquire_view("default", kRed);
  EXPECT_FALSE(world->keep_jumps(view));
  EXPECT_EQ(world->jumps(view), nullptr);
}

TEST(JumpMemory, MapsThatAreMadeAtTheSameTimeFitTogether) {
  // Six views, but memory for the jump maps of fewer.
  const std::uint64_t limit = bytes_with_jumps(3);
  const auto world = make_world(dotted_map(), {}, {.memory_bytes = limit});
  std::vector<ViewId> views;
  for (int team = 0; team < 6; ++team)
    views.push_back(*world->acquire_view("default", TeamId(team)));
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (const ViewId view : views) {
      std::size_t steps = 1;
      is_more |= world->keep_jumps(view, &steps) == World::Jumps::kBeingMade;
      ASSERT_LE(world->bytes(), limit);
    }
  }
  int made = 0;
  for (const ViewId view : views) made += world->jumps(view) != nullptr ? 1 : 0;
  EXPECT_EQ(made, 2) << "three further views leave room for two maps";
}

}  // namespace
}  // namespace repath
