// Facts about the room's containers: GoalSet, NearestGoalBound, NodePages, OpenList.
#include <gtest/gtest.h>

#include "search/goal_set.h"
#include "search/node_pages.h"
#include "search/open_list.h"
#include "support/ascii_graph.h"

namespace repath {
namespace {

TEST(GoalSet, IsSortedAndHasNoRepeats) {
  const GoalSet goals{NodeId{7}, NodeId{3}, NodeId{7}};
  ASSERT_EQ(goals.nodes().size(), 2u);
  EXPECT_EQ(goals.nodes()[0], NodeId{3});
  EXPECT_TRUE(goals.contains(NodeId{7}));
  EXPECT_FALSE(goals.contains(NodeId{5}));
}

TEST(NearestGoalBound, IsTheLeastOfUpToEightGoals) {
  const auto [graph, at] = test::draw({"A..S.B"});
  const NearestGoalBound bound(graph, GoalSet{at.at('A'), at.at('B')});
  EXPECT_EQ(bound(at.at('S')), 2 * kStraightStep);
  EXPECT_EQ(bound(at.at('A')), 0u);
}

TEST(NearestGoalBound, IsZeroForMoreThanEightGoalsAndForNone) {
  const test::AsciiGraph graph(20, 1);
  std::vector<NodeId> goals;
  for (std::uint32_t i = 0; i < 8; ++i) goals.push_back(NodeId{i});
  EXPECT_EQ(NearestGoalBound(graph, GoalSet(goals))(NodeId{10}), 3 * kStraightStep);
  goals.push_back(NodeId{8});
  EXPECT_EQ(NearestGoalBound(graph, GoalSet(goals))(NodeId{10}), 0u);
  EXPECT_EQ(NearestGoalBound(graph, GoalSet())(NodeId{10}), 0u);
}

struct Record {
  int value = 5;
};

TEST(NodePages, UntouchedNodesReadAsTheDefault) {
  NodePages<Record> pages(1'000'000);
  EXPECT_EQ(pages.read(NodeId{999'999}).value, 5);
  pages.touch(NodeId{999'999}).value = 6;
  EXPECT_EQ(pages.read(NodeId{999'999}).value, 6);
  EXPECT_EQ(pages.read(NodeId{999'998}).value, 5);
}

TEST(NodePages, RecordsStayWhereTheyAre) {
  NodePages<Record> pages(1'000'000);
  Record* const first = &pages.touch(NodeId{3});
  for (std::uint32_t n = 0; n < 1'000'000; n += 50) pages.touch(NodeId{n}).value = 0;
  EXPECT_EQ(&pages.touch(NodeId{3}), first);
  NodePages<Record> moved = std::move(pages);
  EXPECT_EQ(&moved.touch(NodeId{3}), first);
}

TEST(NodePages, TakesMemoryForTheTouchedAreaOnly) {
  NodePages<Record> pages(kNodesMax);
  const std::size_t empty = pages.bytes();
  EXPECT_LE(empty, 64u * 1024u);
  pages.touch(NodeId{kNodesMax - 1});
  EXPECT_LE(pages.bytes() - empty, 5'000u);
  EXPECT_EQ(pages.read(NodeId{0}).value, 5);
  const std::size_t one_page = pages.bytes();
  pages.touch(NodeId{kNodesMax - 2});
  EXPECT_EQ(pages.bytes(), one_page);
}

TEST(NodePagesDeathTest, RefusesMoreNodesThanAWorldMayHave) {
  EXPECT_DEATH(NodePages<int>(kNodesMax + 1), "node_count <= kNodesMax");
}

class OpenListTest : public ::testing::Test {
 protected:
  void put(std::uint32_t n, Cost k1, Cost k2) { list_.put(NodeId{n}, {k1, k2}, &slots_[n]); }
  std::uint32_t pop() {
    const NodeId n = list_.top();
    list_.remove(&slots_[index(n)]);
    return index(n);
  }
  OpenList<Key> list_;
  std::vector<HeapSlot> slots_ = std::vector<HeapSlot>(10);
};

TEST_F(OpenListTest, OrdersByKeyThenByNodeId) {
  put(9, 5, 1);
  put(4, 5, 0);
  put(2, 5, 1);
  put(1, 6, 0);
  EXPECT_EQ(pop(), 4u);
  EXPECT_EQ(pop(), 2u);
  EXPECT_EQ(pop(), 9u);
  EXPECT_EQ(pop(), 1u);
  EXPECT_TRUE(list_.empty());
}

TEST_F(OpenListTest, PutAgainMovesANodeBothWays) {
  put(1, 10, 0);
  put(2, 20, 0);
  put(3, 30, 0);
  put(3, 5, 0);
  EXPECT_EQ(list_.top(), NodeId{3});
  put(3, 25, 0);
  EXPECT_EQ(list_.size(), 3u);
  EXPECT_EQ(pop(), 1u);
  EXPECT_EQ(pop(), 2u);
  EXPECT_EQ(pop(), 3u);
}

TEST_F(OpenListTest, EmptyListsTopKeyIsAboveAllOthers) {
  EXPECT_EQ(list_.top_key(), Key{});
  put(1, kUnreachable - 1, 0);
  EXPECT_LT(list_.top_key(), Key{});
}

}  // namespace
}  // namespace repath
