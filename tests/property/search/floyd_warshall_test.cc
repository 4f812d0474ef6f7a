// Floyd-Warshall against one Dijkstra without memory for each node, on random worlds.
#include "search/classic/floyd_warshall.h"

#include <gtest/gtest.h>

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
    FloydWarshall pairs(world.graph);
    for (bool is_done = false; !is_done;) {
      std::uint32_t rows = random.below(3 * n);
      const std::uint32_t granted = rows;
      const std::uint64_t before = pairs.expanded();
      is_done = pairs.advance(&rows);
      ASSERT_EQ(pairs.expanded() - before, granted - rows);
      ASSERT_EQ(is_done, pairs.is_done());
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

// No SearchGraph has edges of cost 0, and a loop of them must not trap a path.
TEST(FloydWarshallProperty, PathsOverEdgesOfCostZeroEnd) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  for (int w = 0; w < 300; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const std::uint32_t n = 2 + random.below(20);
    std::vector<ListedEdge> edges(random.below(4 * n));
    std::vector<std::vector<Cost>> truth(n, std::vector<Cost>(n, kUnreachable));
    for (ListedEdge& e : edges)
      e = {NodeId{random.below(n)}, NodeId{random.below(n)}, random.below(3)};
    FloydWarshall pairs(n, edges);
    std::uint32_t plenty = n * n;
    ASSERT_TRUE(pairs.advance(&plenty));
    for (std::uint32_t i = 0; i < n; ++i)
      truth[i] = test::plain_dijkstra(n, std::vector{NodeId{i}}, [&](NodeId from, auto&& visit) {
        for (const ListedEdge& e : edges)
          if (e.from == from) visit(e.to, static_cast<Cost>(e.cost));
      });
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j) {
        ASSERT_EQ(pairs.cost(NodeId{i}, NodeId{j}), truth[i][j]);
        std::vector<NodeId> path;
        if (!pairs.append_path(NodeId{i}, NodeId{j}, &path)) continue;
        ASSERT_LE(path.size(), n) << i << " to " << j;
        ASSERT_EQ(path.back(), NodeId{j});
      }
  }
}

}  // namespace
}  // namespace repath
