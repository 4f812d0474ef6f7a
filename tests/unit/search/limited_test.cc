// Facts about the kernels with a memory limit, IDA* and SMA*, and about their parts.
#include <gtest/gtest.h>

#include "search/chunked_stack.h"
#include "search/classic/ida_star.h"
#include "search/classic/sma_star.h"
#include "search/classic/transposition_table.h"
#include "support/ascii_graph.h"
#include "support/directed_graph.h"

namespace repath {
namespace {

using test::AsciiGraph;

LimitedProgress run(auto& search) {
  std::uint32_t plenty = 1'000'000;
  return search.advance(&plenty);
}

std::vector<NodeId> path_of(const auto& search) {
  std::vector<NodeId> path;
  search.append_path(&path);
  return path;
}

TEST(ChunkedStack, SaysBeforeWhatAPushTakes) {
  ChunkedStack<std::uint64_t> stack;
  EXPECT_EQ(stack.bytes(), 0u);
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const std::size_t before = stack.bytes();
    const std::size_t more = stack.bytes_to_push();
    stack.push_back(i);
    ASSERT_LE(stack.bytes(), before + more);
    ASSERT_EQ(stack.bytes() == before, more == 0);
  }
  std::uint64_t* const first = &stack[0];
  const std::size_t most = stack.bytes();
  for (std::uint64_t i = 2'000; i-- > 1'000;) {
    ASSERT_EQ(stack.back(), i);
    stack.pop_back();
  }
  EXPECT_EQ(stack.size(), 1'000u);
  EXPECT_EQ(stack.bytes(), most);
  EXPECT_EQ(&stack[0], first);
}

TEST(TranspositionTable, WithRoomForAllItForgetsNothing) {
  TranspositionTable table(100, 100 * sizeof(TranspositionTable::Entry));
  for (std::uint32_t i = 0; i < 100; ++i) table.put({NodeId{i}, 1, i, 0});
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_NE(table.find(NodeId{i}), nullptr);
    EXPECT_EQ(table.find(NodeId{i})->g, i);
  }
  EXPECT_EQ(table.bytes(), 100 * sizeof(TranspositionTable::Entry));
}

// A table of one set, so that a fifth node does not fit.
TEST(TranspositionTable, LosesWhatIsOldFirstThenWhatIsFar) {
  TranspositionTable table(100, 4 * sizeof(TranspositionTable::Entry));
  table.put({NodeId{1}, 1, 5, 0});
  for (std::uint32_t i = 2; i <= 4; ++i) table.put({NodeId{i}, 2, 10 * i, 0});
  table.put({NodeId{5}, 2, 35, 0});
  EXPECT_EQ(table.find(NodeId{1}), nullptr);
  table.put({NodeId{6}, 2, 36, 0});
  EXPECT_EQ(table.find(NodeId{4}), nullptr);
  table.put({NodeId{7}, 2, 90, 0});
  EXPECT_EQ(table.find(NodeId{7}), nullptr);
  EXPECT_NE(table.find(NodeId{6}), nullptr);
}

TEST(TranspositionTable, WithoutMemoryItKnowsNothing) {
  TranspositionTable table(100, 3 * sizeof(TranspositionTable::Entry));
  table.put({NodeId{1}, 1, 5, 0});
  EXPECT_EQ(table.find(NodeId{1}), nullptr);
  EXPECT_EQ(table.bytes(), 0u);
}

// Properties that both must have.
template <class Search>
class LimitedKernel : public ::testing::Test {};
using Kernels = ::testing::Types<IdaStar<AsciiGraph>, SmaStar<AsciiGraph>>;
TYPED_TEST_SUITE(LimitedKernel, Kernels);

TYPED_TEST(LimitedKernel, OutOfBudgetIsNoEnd) {
  const auto [graph, at] = test::draw({"A.......B"});
  TypeParam search(graph, at.at('A'), {at.at('B')}, {});
  std::uint32_t budget = 1;
  EXPECT_EQ(search.advance(&budget), LimitedProgress::kOutOfBudget);
  EXPECT_EQ(budget, 0u);
  EXPECT_EQ(search.expanded(), 1u);
  EXPECT_EQ(search.path_cost(), kUnreachable);
  EXPECT_EQ(run(search), LimitedProgress::kPathFound);
  EXPECT_EQ(search.path_cost(), 8 * kStraightStep);
  EXPECT_EQ(path_of(search).size(), 9u);
}

TYPED_TEST(LimitedKernel, ProvesThatThereIsNoPath) {
  const auto [graph, at] = test::draw({".....#..",  //
                                       ".A...#B.",  //
                                       ".....#.."});
  TypeParam out(graph, at.at('A'), {at.at('B')}, {});
  EXPECT_EQ(run(out), LimitedProgress::kNoPath);
  TypeParam back(graph, at.at('B'), {at.at('A')}, {});
  EXPECT_EQ(run(back), LimitedProgress::kNoPath);
}

TYPED_TEST(LimitedKernel, StopsWhenItsWorkIsSpentAndSaysSo) {
  const auto [graph, at] = test::draw({"A.......B"});
  for (const std::uint64_t most : {0u, 3u, 7u}) {
    TypeParam search(graph, at.at('A'), {at.at('B')}, {.expansions_max = most});
    EXPECT_EQ(run(search), LimitedProgress::kWorkLimit);
    EXPECT_EQ(search.expanded(), most);
    EXPECT_EQ(search.path_cost(), kUnreachable);
    std::uint32_t more = 10;
    EXPECT_EQ(search.advance(&more), LimitedProgress::kWorkLimit);
    EXPECT_EQ(more, 10u);
  }
  TypeParam enough(graph, at.at('A'), {at.at('B')}, {.expansions_max = 8});
  EXPECT_EQ(run(enough), LimitedProgress::kPathFound);
}

TYPED_TEST(LimitedKernel, StopsWhenItsMemoryIsSpentAndSaysSo) {
  const AsciiGraph graph(1000, 1);
  for (const std::size_t most : {0u, 1'000u, 20'000u}) {
    TypeParam search(graph, graph.node_at(0, 0), {graph.node_at(999, 0)}, {.bytes_max = most});
    EXPECT_EQ(run(search), LimitedProgress::kMemoryLimit);
    EXPECT_LE(search.bytes(), most);
    EXPECT_EQ(search.path_cost(), kUnreachable);
    std::uint32_t nothing = 0;
    EXPECT_EQ(search.advance(&nothing), LimitedProgress::kMemoryLimit);
  }
  TypeParam enough(graph, graph.node_at(0, 0), {graph.node_at(999, 0)}, {.bytes_max = 200'000});
  EXPECT_EQ(run(enough), LimitedProgress::kPathFound);
}

TYPED_TEST(LimitedKernel, AnEndIsReportedAgainForNothing) {
  const auto [graph, at] = test::draw({"A..B", "####", "C..."});
  for (const char goal : {'B', 'C'}) {
    TypeParam search(graph, at.at('A'), {at.at(goal)}, {});
    const LimitedProgress end = run(search);
    std::uint32_t nothing = 0;
    EXPECT_EQ(search.advance(&nothing), end);
  }
}

TYPED_TEST(LimitedKernel, StartOnAGoalCostsNothing) {
  const auto [graph, at] = test::draw({"#A.B"});
  TypeParam search(graph, at.at('A'), {at.at('A'), at.at('B')}, {});
  std::uint32_t nothing = 0;
  EXPECT_EQ(search.advance(&nothing), LimitedProgress::kPathFound);
  EXPECT_EQ(search.goal(), at.at('A'));
  EXPECT_EQ(search.path_cost(), 0u);
  EXPECT_EQ(path_of(search), std::vector{at.at('A')});
}

TYPED_TEST(LimitedKernel, TakesTheNearestOfSeveralGoals) {
  const auto [graph, at] = test::draw({"G....S..H#K"});
  TypeParam search(graph, at.at('S'), {at.at('G'), at.at('H'), at.at('K')}, {});
  ASSERT_EQ(run(search), LimitedProgress::kPathFound);
  EXPECT_EQ(search.goal(), at.at('H'));
}

TYPED_TEST(LimitedKernel, ABlockedStartHasNoWayOutAndNoGoalIsNeverFound) {
  AsciiGraph graph(4, 4);
  TypeParam aimless(graph, graph.node_at(1, 1), {}, {});
  EXPECT_EQ(run(aimless), LimitedProgress::kNoPath);
  graph.set_factor(1, 1, 0);
  TypeParam blocked(graph, graph.node_at(1, 1), {graph.node_at(3, 3)}, {});
  EXPECT_EQ(run(blocked), LimitedProgress::kNoPath);
}

TYPED_TEST(LimitedKernel, ASmallSearchInAHugeWorldTakesNoMoreThanItsLimit) {
  const AsciiGraph graph(2048, 2048);
  TypeParam search(graph, graph.node_at(1000, 1000), {graph.node_at(1009, 1003)},
                   {.bytes_max = 16'384});
  EXPECT_EQ(run(search), LimitedProgress::kPathFound);
  EXPECT_LE(search.bytes(), 16'384u);
}

TYPED_TEST(LimitedKernel, ShowsWhatItKnowsAscendingById) {
  const auto [graph, at] = test::draw({"..#..",  //
                                       "A.#.B",  //
                                       "....."});
  TypeParam search(graph, at.at('A'), {at.at('B')}, {});
  ASSERT_EQ(run(search), LimitedProgress::kPathFound);
  NodeId last = kNoNode;
  std::size_t count = 0;
  search.for_each_touched([&](const TouchedNode& t) {
    EXPECT_TRUE(last == kNoNode || last < t.node);
    EXPECT_NE(t.g, kUnreachable);
    last = t.node;
    ++count;
  });
  EXPECT_GE(count, path_of(search).size() - 1);
}

// 0 -> 1 -> ... -> 199 -> 200 costs 200; 0 -> 201 -> 200 costs 250 and is all that fits.
TEST(SmaStar, OffersAPathThatFitsButDoesNotCallItTheBest) {
  test::DirectedGraph graph(std::vector<test::DirectedGraph::Point>(202));
  for (std::uint32_t i = 0; i < 200; ++i) graph.set_cost(NodeId{i}, NodeId{i + 1}, 1);
  graph.set_cost(NodeId{0}, NodeId{201}, 240);
  graph.set_cost(NodeId{201}, NodeId{200}, 10);
  SmaStar small(graph, NodeId{0}, {NodeId{200}}, {.bytes_max = 6'000});
  EXPECT_EQ(run(small), LimitedProgress::kMemoryLimit);
  EXPECT_EQ(path_of(small), (std::vector{NodeId{0}, NodeId{201}, NodeId{200}}));
  EXPECT_EQ(small.path_cost(), 250u);
  EXPECT_LE(small.lower_bound(), 200u);
  SmaStar large(graph, NodeId{0}, {NodeId{200}}, {.bytes_max = 24'000});
  EXPECT_EQ(run(large), LimitedProgress::kPathFound);
  EXPECT_EQ(large.path_cost(), 200u);
}

// The next part of the path to the goal is forgotten while a worse path is examined, and is made
// again.
TEST(SmaStar, ForgetsAndComesBack) {
  const auto [graph, at] = test::draw({"..............#.....",  //
                                       ".A............#.....",  //
                                       "..............#...B.",  //
                                       "..............#.....",  //
                                       "..............#.....",  //
                                       "..............#.....",  //
                                       "..............#.....",  //
                                       "...................."});
  SmaStar small(graph, at.at('A'), {at.at('B')}, {.bytes_max = 6'000});
  SmaStar large(graph, at.at('A'), {at.at('B')}, {});
  ASSERT_EQ(run(small), LimitedProgress::kPathFound);
  ASSERT_EQ(run(large), LimitedProgress::kPathFound);
  EXPECT_GT(small.forgotten(), 0u);
  EXPECT_EQ(large.forgotten(), 0u);
  EXPECT_EQ(small.path_cost(), large.path_cost());
}

}  // namespace
}  // namespace repath
