#include "load/grid_ways.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "load/grid_squad.h"
#include "unit/load/drawn_ground.h"

namespace repath::load {
namespace {

const std::vector<std::string> kWallWithAGap = {"......", "####.#", "......"};

TEST(GridWays, LeadRoundWallsStepByStep) {
  const GridGround ground = draw(kWallWithAGap);
  const auto ways = ways_between(ground, {{0, 0}}, {{0, 2}});
  ASSERT_EQ(ways.size(), 1u);
  ASSERT_EQ(ways[0].size(), 1u);
  const GridWay& way = ways[0][0];
  ASSERT_EQ(way.size(), 11u);  // corners of the gap cannot be cut
  EXPECT_EQ(way.front(), (Spot{0, 0}));
  EXPECT_EQ(way.back(), (Spot{0, 2}));
  for (std::size_t i = 0; i + 1 < way.size(); ++i)
    EXPECT_TRUE(ground.is_step_open(way[i], way[i + 1].x - way[i].x, way[i + 1].y - way[i].y));
}

TEST(GridWays, AreThoseOfEachGoalFromEachEntrance) {
  const auto ways = ways_between(draw({"....."}), {{0, 0}, {1, 0}}, {{4, 0}, {2, 0}});
  ASSERT_EQ(ways.size(), 2u);
  EXPECT_EQ(ways[0][0].size(), 5u);
  EXPECT_EQ(ways[0][1].size(), 4u);
  EXPECT_EQ(ways[1][0].size(), 3u);
  EXPECT_EQ(ways[1][1].size(), 2u);
}

TEST(GridWays, AreEmptyWhereThereIsNone) {
  EXPECT_TRUE(ways_between(draw({".#."}), {{0, 0}}, {{2, 0}})[0][0].empty());
}

TEST(GridWays, AreWhereAStreamsAgentsBegin) {
  GridGround ground = draw(kWallWithAGap);
  const GridSquad::Stream stream{
      {{0, 0}}, {{0, 2}}, {{GridWay{{3, 0}, {4, 0}, {4, 1}}}}};  // the path is not drawn as a whole
  const GridSquad squad(ground, 200, {true, 1, 4, false}, stream, 1'000, 1, 3);
  std::vector<int> standing(3);
  for (std::size_t slot = 0; slot < 200; ++slot) {
    const GridWay& way = stream.ways[0][0];
    const auto at = std::find(way.begin(), way.end(), squad.place(slot));
    ASSERT_NE(at, way.end());
    ++standing[static_cast<std::size_t>(at - way.begin())];
  }
  for (const int count : standing) EXPECT_GT(count, 30);
}

}  // namespace
}  // namespace repath::load
