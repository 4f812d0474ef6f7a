// Floyd-Warshall against one Dijkstra without memory for each node, on random worlds.
#include "search/classic/floyd_warshall.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "model.h"
#include "random_worlds.h"
#include "support/seed.h"

namespace repath {
namespace {

template <class World>
class FloydWarshallWorlds : public ::testing::Test {};
using Worlds = ::testing::Types<test::GridWorld, test::DirectedWorld>;
TYPED_TEST_SUITE(FloydWarshallWorlds, Worlds);

TYPED_TEST(FloydWarshallWorlds, HasDijkstrasCostOfEveryPairHoweverItIsCut) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int w = 0; w < 20; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const std::uint32_t n = world.graph.node_count();
    if (n > 250) continue;
    std::vector<NodeId> nodes;
    for (std::uint32_t i = 0; i < n; ++i) nodes.push_back(NodeId{i});
    FloydWarshall pairs(world.graph, nodes);
    for (bool is_done = false; !is_done;) {
      std::uint32_t rows = random.below(3 * n);
      const std::uint32_t granted = rows;
      const std::uint64_t before = pairs.expanded();
      is_done = pairs.advance(&rows) != Progress::kOutOfBudget;
      ASSERT_EQ(pairs.expanded() - before, granted - rows);
      ASSERT_EQ(is_done, pairs.expanded() == std::uint64_t{n} * n);
    }
    ASSERT_EQ(pairs.expanded(), std::uint64_t{n} * n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::vector<Cost> truth = test::distances_from(world.graph, NodeId{i});
      for (std::uint32_t j = 0; j < n; ++j) {
        ASSERT_EQ(pairs.cost(NodeId{i}, NodeId{j}), truth[j]) << i << " to " << j;
        std::vector<NodeId> path;
        ASSERT_EQ(pairs.append_path(NodeId{i}, NodeId{j}, &path), truth[j] != kUnreachable);
        if (path.empty()) continue;
        ASSERT_EQ(path.front(), NodeId{i});
        ASSERT_EQ(path.back(), NodeId{j});
        ASSERT_EQ(test::cost_along(world.graph, path), truth[j]) << i << " to " << j;
      }
    }
  }
}

// Bellman and Ford's method from one node, over edges of any sign.
std::vector<std::int64_t> plain_costs_from(std::uint32_t start, std::uint32_t nodes,
                                           const std::vector<PairEdge>& edges) {
  std::vector<std::int64_t> costs(nodes, PairTable::kNoCost);
  costs[start] = 0;
  for (std::uint32_t round = 0; round < nodes; ++round)
    for (const PairEdge& edge : edges)
      if (costs[edge.from] != PairTable::kNoCost)
        costs[edge.to] = std::min(costs[edge.to], costs[edge.from] + edge.cost);
  return costs;
}

// Whether some edge can still lower a cost after so many rounds that only a cycle can be why.
bool has_negative_cycle(std::uint32_t nodes, const std::vector<PairEdge>& edges) {
  std::vector<std::int64_t> costs(nodes, 0);
  bool falls = false;
  for (std::uint32_t round = 0; round <= nodes; ++round) {
    falls = false;
    for (const PairEdge& edge : edges) {
      if (costs[edge.from] + edge.cost >= costs[edge.to]) continue;
      costs[edge.to] = costs[edge.from] + edge.cost;
      falls = true;
    }
  }
  return falls;
}

std::int64_t least_edge(NodeId from, NodeId to, const std::vector<PairEdge>& edges) {
  std::int64_t least = PairTable::kNoCost;
  for (const PairEdge& edge : edges)
    if (NodeId{edge.from} == from && NodeId{edge.to} == to) least = std::min(least, edge.cost);
  return least;
}

TEST(FloydWarshallSigned, FindsTheCostsOrACycleBelowZero) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int cycles = 0;
  for (int g = 0; g < 120; ++g) {
    SCOPED_TRACE(::testing::Message() << "graph " << g);
    const std::uint32_t n = 1 + random.below(g % 10 == 0 ? 140 : 20);
    const std::int64_t scale = random.below(2) == 0 ? 1 : std::int64_t{1} << 33;
    std::vector<PairEdge> edges;
    for (std::uint32_t e = random.below(4 * n); e > 0; --e)
      edges.push_back({random.below(n), random.below(n),
                       scale * (std::int64_t{random.below(40)} - (g % 3 == 0 ? 0 : 2)) +
                           (g % 4 == 0 ? random.below(3) : 0)});
    FloydWarshall pairs(n, edges);
    ASSERT_EQ(pairs.negative_cycle().empty(), !has_negative_cycle(n, edges));
    if (const auto cycle = pairs.negative_cycle(); !cycle.empty()) {
      ++cycles;
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const std::int64_t step = least_edge(cycle[i], cycle[(i + 1) % cycle.size()], edges);
        ASSERT_NE(step, PairTable::kNoCost);
        sum += step;
      }
      ASSERT_LT(sum, 0);
      continue;
    }
    std::uint32_t plenty = ~std::uint32_t{0};
    ASSERT_EQ(pairs.advance(&plenty), Progress::kNoPath);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::vector<std::int64_t> truth = plain_costs_from(i, n, edges);
      for (std::uint32_t j = 0; j < n; ++j) {
        ASSERT_EQ(pairs.signed_cost(NodeId{i}, NodeId{j}), truth[j]) << i << " to " << j;
        std::vector<NodeId> path;
        ASSERT_EQ(pairs.append_path(NodeId{i}, NodeId{j}, &path), truth[j] != PairTable::kNoCost);
        if (path.empty()) continue;
        ASSERT_EQ(path.front(), NodeId{i});
        ASSERT_EQ(path.back(), NodeId{j});
        std::int64_t sum = 0;
        for (std::size_t s = 0; s + 1 < path.size(); ++s)
          sum += least_edge(path[s], path[s + 1], edges);
        ASSERT_EQ(sum, truth[j]);
      }
    }
  }
  EXPECT_GT(cycles, 5);
}

}  // namespace
}  // namespace repath
