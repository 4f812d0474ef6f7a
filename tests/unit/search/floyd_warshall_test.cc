// Facts about Floyd-Warshall.
#include "search/classic/floyd_warshall.h"

#include <gtest/gtest.h>

#include "support/ascii_graph.h"

namespace repath {
namespace {

constexpr NodeId kA{0}, kB{1}, kC{2};

FloydWarshall run(std::uint32_t nodes, const std::vector<ListedEdge>& edges) {
  FloydWarshall pairs(nodes, edges);
  std::uint32_t plenty = 1'000'000;
  EXPECT_TRUE(pairs.advance(&plenty));
  return pairs;
}

TEST(FloydWarshall, RefusesWhatItCannotWorkOnAndSaysWhy) {
  const auto fault = [](std::uint32_t nodes, std::vector<ListedEdge> edges) {
    return FloydWarshall::check(nodes, edges);
  };
  EXPECT_EQ(fault(2000, {}), EdgeListFault::kNone);
  EXPECT_EQ(fault(2001, {}), EdgeListFault::kTooManyNodes);
  EXPECT_EQ(fault(2, {{kA, kB, 0}, {kB, kA, 5}}), EdgeListFault::kNone);
  EXPECT_EQ(fault(2, {{kA, kC, 1}}), EdgeListFault::kUnknownNode);
  EXPECT_EQ(fault(2, {{kNoNode, kA, 1}}), EdgeListFault::kUnknownNode);
  EXPECT_EQ(fault(2, {{kA, kB, 3}, {kB, kA, -1}}), EdgeListFault::kNegativeCost);
  EXPECT_EQ(fault(2, {{kA, kA, -1}}), EdgeListFault::kNegativeCost);
  const std::int64_t most = FloydWarshall::kEdgeCostMax;
  EXPECT_EQ(fault(2, {{kA, kB, most}}), EdgeListFault::kNone);
  EXPECT_EQ(fault(2, {{kA, kB, most + 1}}), EdgeListFault::kCostTooLarge);
}

TEST(FloydWarshallDeathTest, AFaultyListIsAProgrammersErrorOnceItWasToBeChecked) {
  const std::vector<ListedEdge> edges{{kA, kB, -1}};
  EXPECT_DEATH(FloydWarshall(2, edges), "EdgeListFault::kNone");
  EXPECT_DEATH(FloydWarshall(test::AsciiGraph(50, 50)), "kPairNodesMax");
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

TEST(FloydWarshall, TakesTheCheapestOfEdgesBetweenTheSameNodes) {
  EXPECT_EQ(run(2, {{kA, kB, 7}, {kA, kB, 4}, {kA, kB, 9}}).cost(kA, kB), 4u);
}

TEST(FloydWarshall, LoopsOfCostZeroDoNotCatchAPath) {
  const FloydWarshall pairs = run(3, {{kA, kB, 0}, {kB, kA, 0}, {kB, kC, 0}, {kA, kA, 0}});
  std::vector<NodeId> path;
  EXPECT_TRUE(pairs.append_path(kA, kC, &path));
  EXPECT_EQ(path, (std::vector{kA, kB, kC}));
}

TEST(FloydWarshall, TheDearestPathIsStillACost) {
  constexpr std::uint32_t kChain = 500;
  std::vector<ListedEdge> edges;
  for (std::uint32_t i = 0; i + 1 < kChain; ++i)
    edges.push_back({NodeId{i}, NodeId{i + 1}, FloydWarshall::kEdgeCostMax});
  const FloydWarshall pairs = run(kChain, edges);
  EXPECT_EQ(pairs.cost(kA, NodeId{kChain - 1}), (kChain - 1) * Cost{1} << 48);
  EXPECT_EQ(pairs.cost(NodeId{kChain - 1}, kA), kUnreachable);
}

TEST(FloydWarshall, AnUnfinishedTableIsNotCalledDone) {
  const std::vector<ListedEdge> edges{{kA, kB, 1}, {kB, kC, 1}};
  FloydWarshall pairs(3, edges);
  std::uint32_t rows = 8;
  EXPECT_FALSE(pairs.advance(&rows));
  EXPECT_EQ(rows, 0u);
  rows = 5;
  EXPECT_TRUE(pairs.advance(&rows));
  EXPECT_EQ(rows, 4u);
  EXPECT_TRUE(pairs.advance(&rows));
  EXPECT_EQ(rows, 4u);
}

TEST(FloydWarshall, WithoutNodesItIsDone) {
  FloydWarshall pairs(0, {});
  std::uint32_t rows = 0;
  EXPECT_TRUE(pairs.advance(&rows));
}

}  // namespace
}  // namespace repath
