#include "grid/components/surroundings.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/ascii_grid.h"

namespace repath {
namespace {

// Returns may_part() of a map as it is after the cells drawn as 'x' were blocked.
bool may_part_at(const std::vector<std::string_view>& rows) {
  std::vector<std::string> drawn(rows.begin(), rows.end());
  std::vector<NodeId> blocked;
  for (std::size_t y = 0; y < drawn.size(); ++y)
    for (std::size_t x = 0; x < drawn[y].size(); ++x) {
      if (drawn[y][x] != 'x') continue;
      drawn[y][x] = '#';
      blocked.push_back(NodeId{static_cast<std::uint32_t>(y * drawn[y].size() + x)});
    }
  return may_part(test::draw_layer({drawn.begin(), drawn.end()}), blocked);
}

TEST(Parting, AStoneOnOpenGroundPartsNothing) {
  EXPECT_FALSE(may_part_at({"....", ".x..", "...."}));
  EXPECT_FALSE(may_part_at({".....", ".xxx.", ".xxx.", "....."}));
}

TEST(Parting, AWallThatGrowsPartsNothing) {
  EXPECT_FALSE(may_part_at({"#....", "#x...", "#....", "#...."}));
  EXPECT_FALSE(may_part_at({"x....", ".....", "....."}));
}

TEST(Parting, ADoorMay) {
  EXPECT_TRUE(may_part_at({"..#..", "..x..", "..#.."}));
  EXPECT_TRUE(may_part_at({"..x..", "..#.."}));
}

TEST(Parting, TheMissingStoneOfADiagonalWallMay) {
  EXPECT_TRUE(may_part_at({"..#", ".x.", "#.."}));
}

TEST(Parting, FreeCellsAmongThoseBlockedMayBeCutOff) {
  EXPECT_TRUE(may_part_at({".....", ".xxx.", ".x.x.", ".xxx.", "....."}));
}

TEST(Parting, TheLastFreeCellHasNobodyToPart) { EXPECT_FALSE(may_part_at({"###", "#x#", "###"})); }

TEST(Parting, LargeBoxesAreNotLookedAt) {
  const std::string open(40, '.');
  const std::string wall = "..." + std::string(kPartingSideMax + 1, 'x') + std::string(22, '.');
  EXPECT_TRUE(may_part_at({open, wall, open}));
}

}  // namespace
}  // namespace repath
