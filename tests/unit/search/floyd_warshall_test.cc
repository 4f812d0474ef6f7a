// Facts about Floyd-Warshall.
#include "search/classic/floyd_warshall.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/ascii_graph.h"
#include "support/directed_graph.h"

namespace repath {
namespace {

constexpr NodeId kA{0}, kB{1}, kC{2};

constexpr Cost kDearest = Cost{1} << 48;

struct Edge {
  NodeId from, to;
  Cost cost;
};

test::DirectedGraph graph_of(std::size_t nodes, const std::vector<Edge>& edges) {
  test::DirectedGraph graph{std::vector<test::DirectedGraph::Point>(nodes)};
  for (const Edge& e : edges) graph.set_cost(e.from, e.to, e.cost);
  return graph;
}

std::vector<NodeId> first_nodes(std::uint32_t count) {
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < count; ++n) nodes.push_back(NodeId{n});
  return nodes;
}

FloydWarshall run(std::uint32_t nodes, const std::vector<Edge>& edges) {
  FloydWarshall pairs(graph_of(nodes, edges), first_nodes(nodes));
  std::uint32_t plenty = 200'000'000;
  EXPECT_EQ(pairs.advance(&plenty), Progress::kNoPath);
  return pairs;
}

// Runs the jobs of one run from the last to the first.
class Backwards final : public Executor {
 public:
  void run(std::size_t count, Job job, void* context) override {
    most = std::max(most, count);
    while (count > 0) job(context, --count);
  }
  std::size_t most = 0;
};

TEST(FloydWarshall, StatesTheMemoryOfItsTableBeforeItTakesIt) {
  const FloydWarshall small(test::AsciiGraph(50, 50), first_nodes(2500));
  constexpr std::uint64_t kTable = 2560u * 2560 * 4;
  EXPECT_EQ(small.bytes_needed(), kTable + small.bytes());
  EXPECT_LT(small.bytes(), std::size_t{1} << 20);
  EXPECT_EQ(FloydWarshall::nodes_for(kTable), 2560u);
  EXPECT_EQ(FloydWarshall::nodes_for(kTable - 1), 2496u);
  EXPECT_EQ(FloydWarshall::nodes_for(100), 0u);
  FloydWarshall pairs(graph_of(2, {{kA, kB, kDearest}, {kB, kA, kDearest - 1}}), {kA, kB});
  EXPECT_GT(pairs.bytes_needed(), 64u * 64 * 8);
  std::uint32_t plenty = 100;
  EXPECT_EQ(pairs.advance(&plenty), Progress::kNoPath);
  EXPECT_EQ(pairs.bytes(), pairs.bytes_needed());
}

TEST(FloydWarshall, CommonFactorsOfCostsDoNotWidenTheTable) {
  const FloydWarshall pairs = run(3, {{kA, kB, 3 * kDearest}, {kB, kC, 2 * kDearest}});
  EXPECT_LT(pairs.bytes_needed(), 64u * 64 * 8);
  EXPECT_EQ(pairs.cost(kA, kC), 5 * kDearest);
}

TEST(FloydWarshall, StripsOfARoundMayRunInAnyOrder) {
  const test::AsciiGraph graph(20, 20);
  FloydWarshall one(graph, first_nodes(400));
  FloydWarshall other(graph, first_nodes(400));
  std::uint32_t plenty = 1'000'000;
  EXPECT_EQ(one.advance(&plenty), Progress::kNoPath);
  Backwards backwards;
  EXPECT_EQ(other.advance(&plenty, backwards), Progress::kNoPath);
  EXPECT_EQ(backwards.most, 6u);  // of seven, the round's own one alone
  for (std::uint32_t a = 0; a < 400; ++a)
    for (std::uint32_t b = 0; b < 400; ++b)
      ASSERT_EQ(one.cost(NodeId{a}, NodeId{b}), other.cost(NodeId{a}, NodeId{b}));
}

TEST(FloydWarshall, NamesACycleThatCostsLessThanNothing) {
  const FloydWarshall pairs(5, {{0, 1, 4}, {1, 2, -3}, {2, 3, 1}, {3, 1, 1}, {3, 4, 9}});
  const std::vector<NodeId> cycle(pairs.negative_cycle().begin(), pairs.negative_cycle().end());
  EXPECT_EQ(cycle, (std::vector{NodeId{1}, NodeId{2}, NodeId{3}}));
  EXPECT_EQ(find_negative_cycle(1, std::vector{PairEdge{0, 0, -1}}), std::vector<std::uint32_t>{0});
  EXPECT_TRUE(find_negative_cycle(3, std::vector{PairEdge{0, 1, -5}, PairEdge{1, 0, 5}}).empty());
}

TEST(FloydWarshallDeathTest, ATableWithANegativeCycleIsNotMade) {
  FloydWarshall pairs(2, {{0, 1, -2}, {1, 0, 1}});
  std::uint32_t plenty = 100;
  EXPECT_DEATH((void)pairs.advance(&plenty), "negative_cycle_");
}

TEST(FloydWarshall, NegativeEdgesAloneAreFollowed) {
  FloydWarshall pairs(5, {{0, 1, 4}, {1, 2, -3}, {2, 1, 3}, {0, 2, 2}, {2, 3, -7}});
  EXPECT_TRUE(pairs.negative_cycle().empty());
  std::uint32_t plenty = 100;
  EXPECT_EQ(pairs.advance(&plenty), Progress::kNoPath);
  EXPECT_EQ(pairs.signed_cost(kA, kC), 1);
  EXPECT_EQ(pairs.signed_cost(kA, NodeId{3}), -6);
  EXPECT_EQ(pairs.signed_cost(kA, NodeId{4}), PairTable::kNoCost);
  EXPECT_EQ(pairs.signed_cost(NodeId{3}, kA), PairTable::kNoCost);
  std::vector<NodeId> path;
  EXPECT_TRUE(pairs.append_path(kA, NodeId{3}, &path));
  EXPECT_EQ(path, (std::vector{kA, kB, kC, NodeId{3}}));
}

TEST(FloydWarshall, FindsTheNearestGoalOverTheNodesGiven) {
  const test::DirectedGraph graph =
      graph_of(4, {{kA, kB, 1}, {kB, kC, 1}, {kA, kC, 9}, {kA, NodeId{3}, 20}});
  FloydWarshall pairs(graph, {kA, kC, NodeId{3}}, kA, {kB, kC, NodeId{3}});
  std::uint32_t plenty = 100;
  EXPECT_EQ(pairs.goal(), kNoNode);
  ASSERT_EQ(pairs.advance(&plenty), Progress::kPathFound);
  EXPECT_EQ(pairs.goal(), kC);
  EXPECT_EQ(pairs.path_cost(), 9u);
  std::vector<NodeId> path;
  pairs.append_path(&path);
  EXPECT_EQ(path, (std::vector{kA, kC}));
}

TEST(FloydWarshall, GoesThroughOthersWhereThatIsCheaper) {
  const FloydWarshall pairs = run(3, {{kA, kC, 10}, {kA, kB, 2}, {kB, kC, 3}});
  EXPECT_EQ(pairs.cost(kA, kC), 5u);
  EXPECT_EQ(pairs.cost(kC, kA), kUnreachable);
  EXPECT_EQ(pairs.cost(kB, kB), 0u);
  std::vector<NodeId> path;
  EXPECT_TRUE(pairs.append_path(kA, kC, &path));
  EXPECT_EQ(path, (std::vector{kA, kB, kC}));
  EXPECT_FALSE(pairs.append_path(kC, kA, &path));
  EXPECT_EQ(path.size(), 3u);
  path.clear();
  EXPECT_TRUE(pairs.append_path(kB, kB, &path));
  EXPECT_EQ(path, std::vector{kB});
}

TEST(FloydWarshall, TheDearestPathIsStillACost) {
  constexpr std::uint32_t kChain = 500;
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i + 1 < kChain; ++i)
    edges.push_back({NodeId{i}, NodeId{i + 1}, kDearest});
  const FloydWarshall pairs = run(kChain, edges);
  EXPECT_EQ(pairs.cost(kA, NodeId{kChain - 1}), (kChain - 1) * kDearest);
  EXPECT_EQ(pairs.cost(NodeId{kChain - 1}, kA), kUnreachable);
}

TEST(FloydWarshall, AnUnfinishedTableIsNotCalledDone) {
  FloydWarshall pairs(graph_of(3, {{kA, kB, 1}, {kB, kC, 1}}), {kA, kB, kC}, kA, {kC});
  std::uint32_t rows = 8;
  EXPECT_EQ(pairs.advance(&rows), Progress::kOutOfBudget);
  EXPECT_EQ(rows, 0u);
  rows = 5;
  EXPECT_EQ(pairs.advance(&rows), Progress::kPathFound);
  EXPECT_EQ(rows, 4u);
  EXPECT_EQ(pairs.advance(&rows), Progress::kPathFound);
  EXPECT_EQ(rows, 4u);
}

TEST(FloydWarshall, WithoutNodesItIsDone) {
  FloydWarshall pairs(graph_of(0, {}), {});
  std::uint32_t rows = 0;
  EXPECT_EQ(pairs.advance(&rows), Progress::kNoPath);
}

}  // namespace
}  // namespace repath
