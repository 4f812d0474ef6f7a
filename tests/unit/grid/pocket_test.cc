#include "grid/components/surroundings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "grid/bits/fill_runs.h"
#include "support/ascii_grid.h"
#include "support/seed.h"

namespace repath {
namespace {

// Returns whether the cells drawn as 'g' are in a pocket, seen from 's'.
bool pocket(const std::vector<std::string_view>& rows, Topology topology = Topology::k8) {
  std::vector<std::string> drawn(rows.begin(), rows.end());
  std::vector<NodeId> cells;
  NodeId other{};
  for (std::size_t y = 0; y < drawn.size(); ++y)
    for (std::size_t x = 0; x < drawn[y].size(); ++x) {
      const NodeId node{static_cast<std::uint32_t>(y * drawn[y].size() + x)};
      if (drawn[y][x] == 'g') cells.push_back(node);
      if (drawn[y][x] == 's') other = node;
      if (drawn[y][x] == 'g' || drawn[y][x] == 's') drawn[y][x] = '.';
    }
  return in_pocket(test::draw_layer({drawn.begin(), drawn.end()}), topology, cells, other);
}

TEST(Pocket, WallsAllAroundMakeOne) {
  EXPECT_TRUE(pocket({"......", ".####.", ".#g.#.", ".#..#.", ".####s"}));
  EXPECT_TRUE(pocket({"g#.", "##.", "..s"}));
}

TEST(Pocket, AGapDoesNot) {
  EXPECT_FALSE(pocket({"......", ".####.", ".#g.#.", ".#....", ".####s"}));
}

TEST(Pocket, WhoIsInItIsNotCutOff) { EXPECT_FALSE(pocket({"####", "#gs#", "####"})); }

TEST(Pocket, OneOfSeveralCellsOutsideIsAWayOut) {
  EXPECT_FALSE(pocket({"###....", "#g#.g.s", "###...."}));
  EXPECT_TRUE(pocket({"###.###", "#g#s#g#", "###.###"}));
}

TEST(Pocket, AGapBetweenCornersIsOneForHexagonsOnly) {
  const std::vector<std::string_view> rows{"######", "#g.###", "####.#", "####.s"};
  EXPECT_TRUE(pocket(rows));
  EXPECT_FALSE(pocket({"#####", "#g###", "##..s", "#####"}, Topology::kHex));
}

TEST(Pocket, LargerThanTheWindowIsNotSeen) {
  const std::string wall(80, '#');
  const std::string room = "#" + std::string(70, '.') + "#" + std::string(8, '.');
  std::string middle = room;
  middle[35] = 'g';
  middle[76] = 's';
  EXPECT_FALSE(pocket({wall, room, middle, room, wall}));
}

TEST(FillRuns, IsWhatTheTwinSays) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 20'000; ++round) {
    std::uint64_t free = random.next();
    for (std::uint32_t more = random.below(4); more > 0; --more) free |= random.next();
    const std::uint64_t seeds = random.next() & random.next() & random.next() & random.next();
    ASSERT_EQ(bits::fill_runs(seeds, free), bits::plain::fill_runs(seeds, free)) << round;
  }
}

}  // namespace
}  // namespace repath
