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

}  // namespace
}  // namespace repath
