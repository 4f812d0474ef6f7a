// Facts of jump point search with drawn layers.
#include "grid/jps/jps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <vector>

#include "grid/jps/bucket_queue.h"
#include "support/ascii_grid.h"
#include "support/node_goals.h"

namespace repath {
namespace {

const std::vector<std::string_view> kRooms = {
    "......#....",  //
    "......#....",  //
    "...........",  //
    "......#....",  //
    "#######....",  //
    "...........",
};

class JumpPointSearchOnRooms : public testing::Test {
 protected:
  JumpPointSearch search(NodeId start, const GoalSet& goals) {
    return targets.emplace_back(layer, goals).search(layer, map, start);
  }
  NodeId at(std::int32_t x, std::int32_t y) const { return layer.node_at(x, y); }

  GridLayer layer = test::draw_layer(kRooms);
  JumpMap map{layer, CornerRule::kNone};
  std::uint32_t plenty = 1000;
  std::deque<test::NodeGoals> targets;
};

TEST_F(JumpPointSearchOnRooms, ThePathHasEveryCell) {
  JumpPointSearch found = search(at(4, 0), {at(7, 5)});
  ASSERT_EQ(found.advance(&plenty), Progress::kPathFound);
  std::vector<NodeId> path{at(0, 0)};  // a path of one cell
  found.append_path(&path);
  EXPECT_EQ(path, (std::vector<NodeId>{at(0, 0), at(4, 0), at(5, 1), at(5, 2), at(6, 2), at(7, 2),
                                       at(7, 3), at(7, 4), at(7, 5)}));
  EXPECT_EQ(found.path_cost(), kDiagonalStep + 6 * kStraightStep);
  EXPECT_EQ(found.goal(), at(7, 5));
}

TEST_F(JumpPointSearchOnRooms, OutOfBudgetIsNotNoPath) {
  JumpPointSearch found = search(at(0, 0), {at(0, 5)});
  std::uint32_t left = 2;
  EXPECT_EQ(found.advance(&left), Progress::kOutOfBudget);
  EXPECT_EQ(left, 0u);
  EXPECT_EQ(found.expanded(), 2u);
  EXPECT_EQ(found.goal(), kNoNode);
  EXPECT_EQ(found.path_cost(), kUnreachable);
  EXPECT_EQ(found.advance(&plenty), Progress::kPathFound);
  const std::uint32_t rest = plenty;
  EXPECT_EQ(found.advance(&plenty), Progress::kPathFound);
  EXPECT_EQ(plenty, rest);
}

TEST_F(JumpPointSearchOnRooms, StartIsGoalEvenIfBlocked) {
  for (const NodeId node : {at(1, 1), at(6, 0)}) {
    JumpPointSearch found = search(node, {node, at(0, 0)});
    std::uint32_t none = 0;
    EXPECT_EQ(found.advance(&none), Progress::kPathFound);
    std::vector<NodeId> path;
    found.append_path(&path);
    EXPECT_EQ(path, std::vector<NodeId>{node});
    EXPECT_EQ(found.path_cost(), 0u);
  }
}

TEST_F(JumpPointSearchOnRooms, BlockedEndsAreNotReached) {
  EXPECT_EQ(search(at(0, 0), {at(6, 0)}).advance(&plenty), Progress::kNoPath);
  EXPECT_EQ(search(at(6, 0), {at(0, 0)}).advance(&plenty), Progress::kNoPath);
  EXPECT_EQ(search(at(0, 0), {}).advance(&plenty), Progress::kNoPath);
}

TEST_F(JumpPointSearchOnRooms, OfSeveralGoalsTheNearestIsReached) {
  JumpPointSearch found = search(at(4, 2), {at(0, 0), at(8, 5), at(0, 5)});
  ASSERT_EQ(found.advance(&plenty), Progress::kPathFound);
  EXPECT_EQ(found.goal(), at(0, 0));
}

TEST_F(JumpPointSearchOnRooms, TouchedNodesAscendAndHaveTheGoal) {
  JumpPointSearch found = search(at(0, 0), {at(0, 5)});
  ASSERT_EQ(found.advance(&plenty), Progress::kPathFound);
  std::vector<TouchedNode> touched;
  found.for_each_touched([&](const TouchedNode& node) { touched.push_back(node); });
  EXPECT_TRUE(std::ranges::is_sorted(touched, {}, &TouchedNode::node));
  EXPECT_EQ(touched.front().node, at(0, 0));
  EXPECT_EQ(touched.front().g, 0u);
  EXPECT_FALSE(touched.front().is_open);
  const auto goal = std::ranges::find(touched, at(0, 5), &TouchedNode::node);
  ASSERT_NE(goal, touched.end());
  EXPECT_EQ(goal->g, found.path_cost());
  EXPECT_EQ(goal->h, 0u);
}

TEST(BucketQueue, LeavesInTheOrderOfBucketsTheNewestFirst) {
  BucketQueue queue(1000);
  constexpr Cost kFar = Cost{1} << 40;  // beyond the first size of the ring
  queue.push(kFar, 1);
  queue.push(1000, 2);
  queue.push(1001, 3);
  queue.push(kFar / 2, 4);
  std::vector<std::uint32_t> order;
  while (!queue.empty()) {
    EXPECT_LE(queue.floor(), kFar);
    order.push_back(queue.top());
    queue.pop();
    if (order.size() == 3) queue.push(0, 5);  // below the first bucket: comes next
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{3, 2, 4, 5, 1}));
}

}  // namespace
}  // namespace repath
