// Facts about BFS, Dijkstra, A* and Fringe search.
#include <gtest/gtest.h>

#include "search/classic/a_star.h"
#include "search/classic/bfs.h"
#include "search/classic/dijkstra.h"
#include "search/classic/fringe.h"
#include "support/ascii_graph.h"
#include "support/directed_graph.h"

namespace repath {
namespace {

Progress run(auto& search) {
  std::uint32_t plenty = 1'000'000;
  return search.advance(&plenty);
}

std::vector<NodeId> path_of(const auto& search) {
  std::vector<NodeId> path;
  search.append_path(&path);
  return path;
}

// Three nodes: a dear edge 0 -> 2, and a cheap path through 1.
test::DirectedGraph triangle() {
  test::DirectedGraph graph({{0, 0}, {0, 0}, {0, 0}});
  graph.set_cost(NodeId{0}, NodeId{2}, 10);
  graph.set_cost(NodeId{0}, NodeId{1}, 2);
  graph.set_cost(NodeId{1}, NodeId{2}, 3);
  return graph;
}

TEST(Bfs, PrefersFewStepsToCheapOnes) {
  const auto graph = triangle();
  Bfs search(graph, NodeId{0}, {NodeId{2}});
  ASSERT_EQ(run(search), Progress::kPathFound);
  std::vector<NodeId> path;
  search.append_path(&path);
  EXPECT_EQ(path.size(), 2u);
  EXPECT_EQ(search.path_cost(), 10u);
}

TEST(AStar, PrefersCheapStepsToFewOnes) {
  const auto graph = triangle();
  AStar search(graph, NodeId{0}, {NodeId{2}});
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 5u);
  EXPECT_EQ(path_of(search), (std::vector{NodeId{0}, NodeId{1}, NodeId{2}}));
}

TEST(AStar, DoesNotGoAgainstAOneWayEdge) {
  const auto graph = triangle();
  AStar search(graph, NodeId{2}, {NodeId{0}});
  EXPECT_EQ(run(search), Progress::kNoPath);
  EXPECT_EQ(search.path_cost(), kUnreachable);
  EXPECT_EQ(search.goal(), kNoNode);
}

TEST(AStar, GoesRoundTheCornerNotThroughIt) {
  const auto [graph, at] = test::draw({"A#.",  //
                                       "..B"});
  AStar search(graph, at.at('A'), {at.at('B')});
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 3 * kStraightStep);
}

TEST(AStar, AvoidsDearTerrainWhenTheDetourIsCheaper) {
  const auto [graph, at] = test::draw({".....",  //
                                       "A999B"});
  AStar search(graph, at.at('A'), {at.at('B')});
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 2 * kStraightStep + 2 * kDiagonalStep);
}

TEST(AStar, TakesTheNearestOfSeveralGoals) {
  const auto [graph, at] = test::draw({"G....S..H#K"});
  AStar search(graph, at.at('S'), {at.at('G'), at.at('H'), at.at('K')});
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.goal(), at.at('H'));
}

TEST(AStar, TakesTheCallersOwnLowerBound) {
  const auto [graph, at] = test::draw({"S.......G"});
  const NodeId goal = at.at('G');
  const auto half = [&graph = graph, goal](NodeId n) { return graph.heuristic(n, goal) / 2; };
  AStar search(graph, at.at('S'), {goal}, half);
  ASSERT_EQ(run(search), Progress::kPathFound);
  search.for_each_touched([&](const TouchedNode& t) { EXPECT_EQ(t.h, half(t.node)); });
}

TEST(AStar, ShowsItsOpenAndClosedNodes) {
  const auto [graph, at] = test::draw({"A..B."});
  AStar search(graph, at.at('A'), {at.at('B')});
  ASSERT_EQ(run(search), Progress::kPathFound);
  std::vector<TouchedNode> touched;
  search.for_each_touched([&](const TouchedNode& t) { touched.push_back(t); });
  ASSERT_EQ(touched.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(touched[i].node, NodeId{static_cast<std::uint32_t>(i)});
    EXPECT_EQ(touched[i].g, i * kStraightStep);
    EXPECT_EQ(touched[i].f(), 3 * kStraightStep);
    EXPECT_EQ(touched[i].is_open, i == 3);
  }
  EXPECT_EQ(search.expanded(), 3u);
  EXPECT_EQ(search.generated(), 5u);
}

TEST(AStar, StatesItsWeightRoundedDown) {
  const auto [graph, at] = test::draw({"A.B"});
  EXPECT_EQ(AStar(graph, at.at('A'), {at.at('B')}).weight(), 1.0);
  EXPECT_EQ(AStar(graph, at.at('A'), {at.at('B')}, 1.5).weight(), 1.5);
  EXPECT_EQ(AStar(graph, at.at('A'), {at.at('B')}, 1.13).weight(), 1.125);
}

// S -> X -> G is found first. S -> Y -> X is cheaper but is found when X is closed.
TEST(AStar, LowerBoundRemembersTheCheaperWaysItRefused) {
  const NodeId s{0}, x{1}, y{2}, g{3};
  test::DirectedGraph graph({{0, 0}, {0, 0}, {1, 0}, {0, 0}});
  graph.set_cost(s, x, 4);
  graph.set_cost(s, y, 1);
  graph.set_cost(y, x, 1);
  graph.set_cost(x, g, 10);
  AStar search(graph, s, {g}, 5.0);
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 14u);  // 12 is the optimum
  EXPECT_EQ(search.lower_bound(), 2u);
}

TEST(AStarDeathTest, RefusesAWeightBelowOne) {
  EXPECT_DEATH(AStarWeight(0.5), "weight");
  EXPECT_DEATH(AStarWeight(0.0 / 0.0), "weight");
}

TEST(Dijkstra, FindsTheNearestOfManyGoals) {
  const auto [graph, at] = test::draw({"G...S..H"});
  const Source source{at.at('S'), 0};
  Dijkstra search(graph, {&source, 1}, {at.at('G'), at.at('H')});
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.goal(), at.at('H'));
  EXPECT_EQ(search.path_cost(), 3 * kStraightStep);
}

TEST(Dijkstra, CountsWhatASourceCostsAlready) {
  const auto [graph, at] = test::draw({"A..G.B"});
  const std::vector<Source> sources{{at.at('A'), 0}, {at.at('B'), 2 * kStraightStep}};
  Dijkstra search(graph, sources, {at.at('G')});
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 3 * kStraightStep);
  std::vector<NodeId> path;
  search.append_path(at.at('G'), &path);
  EXPECT_EQ(path.front(), at.at('A'));
}

TEST(Dijkstra, TheBoundItselfIsWithinReach) {
  const auto [graph, at] = test::draw({"A....."});
  const Source source{at.at('A'), 0};
  Dijkstra search(graph, {&source, 1}, {}, 2 * kStraightStep);
  ASSERT_EQ(run(search), Progress::kNoPath);
  EXPECT_EQ(search.settled().size(), 3u);
}

TEST(Dijkstra, WithoutSourcesThereIsNothing) {
  const test::AsciiGraph graph(3, 3);
  Dijkstra search(graph, {});
  EXPECT_EQ(run(search), Progress::kNoPath);
  EXPECT_TRUE(search.settled().empty());
}

// Here each pass finds one of a thousand waiting nodes. A slice of one expansion does not walk
// through all of them.
TEST(FringeSearch, PaysForWhatItPassesOver) {
  constexpr std::uint32_t kFan = 1000;
  test::DirectedGraph graph(std::vector<test::DirectedGraph::Point>(kFan + 1));
  for (std::uint32_t i = 1; i <= kFan; ++i) graph.set_cost(NodeId{0}, NodeId{i}, i);
  FringeSearch search(graph, NodeId{0}, {NodeId{kFan}});
  Progress progress = Progress::kOutOfBudget;
  while (progress == Progress::kOutOfBudget) {
    const std::uint64_t before = search.passed();
    std::uint32_t one = 1;
    progress = search.advance(&one);
    ASSERT_LE(search.passed() - before, 2 * FringeSearch<test::DirectedGraph>::kPassedMax);
  }
  EXPECT_EQ(search.path_cost(), kFan);
  EXPECT_GT(search.passed(), kFan * kFan / 4);
}

// Properties that every kernel of this file must have.
template <class Search>
class FixedGraphKernel : public ::testing::Test {
 protected:
  static Search make(const test::AsciiGraph& graph, NodeId start, GoalSet goals) {
    if constexpr (std::same_as<Search, Dijkstra<test::AsciiGraph>>) {
      const Source source{start, 0};
      return Search(graph, {&source, 1}, goals);
    } else {
      return Search(graph, start, goals);
    }
  }
};
using Kernels = ::testing::Types<Bfs<test::AsciiGraph>, Dijkstra<test::AsciiGraph>,
                                 AStar<test::AsciiGraph>, FringeSearch<test::AsciiGraph>>;
TYPED_TEST_SUITE(FixedGraphKernel, Kernels);

TYPED_TEST(FixedGraphKernel, OutOfBudgetIsNotNoPath) {
  const auto [graph, at] = test::draw({"A.......B"});
  auto search = this->make(graph, at.at('A'), {at.at('B')});
  std::uint32_t budget = 1;
  EXPECT_EQ(search.advance(&budget), Progress::kOutOfBudget);
  EXPECT_EQ(budget, 0u);
  EXPECT_EQ(search.expanded(), 1u);
  EXPECT_EQ(search.path_cost(), kUnreachable);
  EXPECT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 8 * kStraightStep);
}

TYPED_TEST(FixedGraphKernel, SaysNoPathOnlyWhenThereIsNone) {
  const auto [graph, at] = test::draw({"A.#B"});
  auto search = this->make(graph, at.at('A'), {at.at('B')});
  EXPECT_EQ(run(search), Progress::kNoPath);
  EXPECT_EQ(search.expanded(), 2u);
}

TYPED_TEST(FixedGraphKernel, AnEndIsReportedAgainForNothing) {
  const auto [graph, at] = test::draw({"A..B", "####", "C..."});
  for (const char goal : {'B', 'C'}) {
    auto search = this->make(graph, at.at('A'), {at.at(goal)});
    const Progress end = run(search);
    std::uint32_t nothing = 0;
    EXPECT_EQ(search.advance(&nothing), end);
  }
}

TYPED_TEST(FixedGraphKernel, StartOnAGoalCostsNothing) {
  const auto [graph, at] = test::draw({"#A.B"});
  auto search = this->make(graph, at.at('A'), {at.at('A'), at.at('B')});
  std::uint32_t nothing = 0;
  EXPECT_EQ(search.advance(&nothing), Progress::kPathFound);
  EXPECT_EQ(search.goal(), at.at('A'));
  EXPECT_EQ(search.path_cost(), 0u);
}

TYPED_TEST(FixedGraphKernel, ABlockedStartHasNoWayOut) {
  const test::AsciiGraph open(4, 4);
  test::AsciiGraph graph = open;
  graph.set_factor(1, 1, 0);
  auto search = this->make(graph, graph.node_at(1, 1), {graph.node_at(3, 3)});
  EXPECT_EQ(run(search), Progress::kNoPath);
}

TYPED_TEST(FixedGraphKernel, WithoutGoalsNothingIsFound) {
  const test::AsciiGraph graph(4, 4);
  auto search = this->make(graph, graph.node_at(1, 1), {});
  EXPECT_EQ(run(search), Progress::kNoPath);
  EXPECT_EQ(search.expanded(), 16u);
}

TYPED_TEST(FixedGraphKernel, ASmallSearchInAHugeWorldIsSmall) {
  const test::AsciiGraph graph(2048, 2048);
  auto search = this->make(graph, graph.node_at(1000, 1000), {graph.node_at(1003, 1000)});
  EXPECT_EQ(run(search), Progress::kPathFound);
  EXPECT_LE(search.bytes(), 64u * 1024u);
}

}  // namespace
}  // namespace repath
