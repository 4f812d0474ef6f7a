// Facts of jump maps with drawn layers.
#include "grid/jps/jump_map.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grid/jps/jump_scan.h"
#include "support/ascii_grid.h"
#include "support/random_layers.h"

namespace repath {
namespace {

using bits::Family;

// Returns the corners of row y as text: '>' and '<' for scans to the east and west, 'x' for both.
std::string corners(const GridLayer& layer, CornerRule rule, std::int32_t y) {
  const JumpMap map(layer, rule);
  const JumpTile::Line& row = map.tile(map.slot_of(0, y)).rows[static_cast<std::size_t>(y)];
  std::string text;
  for (std::int32_t x = 0; x < layer.width(); ++x) {
    const bool free = (row.free >> x & 1) != 0;
    const bool east = free && (row.stops[0] >> x & 1) != 0;
    const bool west = free && (row.stops[1] >> x & 1) != 0;
    text += !free ? '#' : east && west ? 'x' : east ? '>' : west ? '<' : '.';
  }
  return text;
}

template <Heading h>
std::int32_t corner_ahead(const JumpMap& map, std::int32_t x, std::int32_t y) {
  return repath::corner_ahead<h>(map, map.view(map.slot_of(x, y)), x, y);
}

// If both flanks are needed, a path turns once it is past the wall; if one is enough, it turns
// beside the wall. The map's edge is also a wall, but no path comes from there.
TEST(JumpMap, CornersLieBehindOrBesideAWall) {
  const GridLayer layer = test::draw_layer({
      "........",
      "...##...",
      "........",
  });
  EXPECT_EQ(corners(layer, CornerRule::kNone, 0), ">.<..>.<");
  EXPECT_EQ(corners(layer, CornerRule::kOne, 0), "...<>...");
  EXPECT_EQ(corners(layer, CornerRule::kNone, 1), ">..##..<");
}

TEST(JumpMap, AScanEndsAtTheFirstCornerOrWithNone) {
  std::vector<std::string> rows(3, std::string(200, '.'));
  rows[0][150] = '#';
  const GridLayer layer = test::draw_layer({rows.begin(), rows.end()});
  const JumpMap map(layer, CornerRule::kNone);
  EXPECT_EQ(corner_ahead<Heading::kEast>(map, 3, 1), 148);
  EXPECT_EQ(corner_ahead<Heading::kEast>(map, 150, 1), 1);
  EXPECT_EQ(corner_ahead<Heading::kEast>(map, 151, 1), 0);
  EXPECT_EQ(corner_ahead<Heading::kWest>(map, 199, 1), 50);
  EXPECT_EQ(corner_ahead<Heading::kWest>(map, 149, 1), 0);
  EXPECT_EQ(corner_ahead<Heading::kEast>(map, 3, 2), 0);
  EXPECT_EQ(corner_ahead<Heading::kSouth>(map, 149, 0), 1);
  EXPECT_EQ(corner_ahead<Heading::kSouth>(map, 100, 0), 0);
}

// The reports of a run, as text.
struct Log {
  template <Heading h>
  void corner(std::int32_t k, std::int32_t n) {
    text += "corner " + at<h>(k, n);
  }
  template <Heading h>
  void goal(std::int32_t k, std::int32_t n) {
    text += "goal " + at<h>(k, n);
  }
  void goal(std::int32_t k) { text += "goal " + std::to_string(k) + "; "; }
  void forced(std::int32_t k) { text += "forced " + std::to_string(k) + "; "; }
  template <Heading h>
  static std::string at(std::int32_t k, std::int32_t n) {
    return std::to_string(k) + std::string{"EWSN"[index(h)]} + std::to_string(n) + "; ";
  }
  std::string text;
};

template <Family family, bool forward>
std::string run(const GridLayer& layer, CornerRule rule, std::int32_t x, std::int32_t y,
                const GoalSet& goals = {}) {
  const JumpMap map(layer, rule);
  const JumpGoals by_tile(map, goals);
  Log log;
  DiagonalRun<family, forward, Log>(map, by_tile, &log).go(map.view(map.slot_of(x, y)), x, y);
  return log.text;
}

TEST(JumpMap, ARunReportsTheCornersBesideIt) {
  const GridLayer layer = test::draw_layer({
      "..........",
      "..........",
      "..........",
      "......#...",
      "..........",
      "..#.......",
      "..........",
  });
  EXPECT_EQ((run<Family::kFalling, true>(layer, CornerRule::kNone, 0, 0)),
            "corner 2E5; corner 4E3; corner 1S5; corner 3S3; ");
  // The block at (6, 3) ends the run where its corner would be cut; with kOne a path turns there.
  EXPECT_EQ((run<Family::kFalling, true>(layer, CornerRule::kNone, 5, 1)), "corner 1E1; ");
  EXPECT_EQ((run<Family::kFalling, true>(layer, CornerRule::kOne, 5, 1)), "forced 2; ");
}

TEST(JumpMap, ARunReportsGoalsOnItAndBesideIt) {
  const GridLayer layer = test::draw_layer({
      "..........",
      "..........",
      "..........",
      "..........",
  });
  const auto goals = [&](auto... cells) { return GoalSet{cells...}; };
  EXPECT_EQ((run<Family::kFalling, true>(layer, CornerRule::kNone, 0, 0,
                                         goals(layer.node_at(8, 1), layer.node_at(2, 3)))),
            "goal 1E7; goal 2S1; ");
  EXPECT_EQ((run<Family::kFalling, true>(layer, CornerRule::kNone, 0, 0,
                                         goals(layer.node_at(2, 2), layer.node_at(8, 3)))),
            "goal 2; ");
}

TEST(JumpMap, TilesOnOpenGroundAreShared) {
  const JumpMap open(test::draw_layer(std::vector<std::string_view>(
                         64 * 8,
                         "................................................................"
                         "................................................................"
                         "................................................................"
                         "................................................................")),
                     CornerRule::kNone);
  const JumpMap blocked(GridLayer(64 * 8, 64 * 4), CornerRule::kNone);
  EXPECT_EQ(open.bytes() - blocked.bytes(), (32 - 12) * sizeof(JumpTile));
}

// Only the tile that changed is copied; the copy of the map keeps the old tile.
TEST(JumpMap, ACopyIsASnapshot) {
  GridLayer layer = test::draw_layer({
      "....",
      "....",
      "....",
  });
  JumpMap map(layer, CornerRule::kNone);
  const JumpMap copy = map;
  const std::vector<NodeId> cells{layer.node_at(2, 0)};
  test::flip(&layer, cells);
  map.update(layer, cells);
  EXPECT_FALSE(map.is_free(2, 0));
  EXPECT_TRUE(copy.is_free(2, 0));
  EXPECT_EQ(corner_ahead<Heading::kEast>(map, 0, 1), 3);
  EXPECT_EQ(corner_ahead<Heading::kEast>(copy, 0, 1), 0);
}

}  // namespace
}  // namespace repath
