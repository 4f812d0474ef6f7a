// Facts about Floyd-Warshall.
#include "search/classic/floyd_warshall.h"

#include <gtest/gtest.h>

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

TEST(FloydWarshallDeathTest, TooManyNodesAreAProgrammersError) {
  EXPECT_DEATH(FloydWarshall(test::AsciiGraph(50, 50), first_nodes(2001)), "kPairNodesMax");
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
