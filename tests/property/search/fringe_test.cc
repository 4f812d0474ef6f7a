// Fringe search against Dijkstra without memory on random worlds.
#include "search/classic/fringe.h"

#include <gtest/gtest.h>

#include "model.h"
#include "random_worlds.h"
#include "slices.h"
#include "support/seed.h"

namespace repath {
namespace {

template <class World>
class FringeProperty : public ::testing::Test {};
using Worlds = ::testing::Types<test::GridWorld, test::DirectedWorld>;
TYPED_TEST_SUITE(FringeProperty, Worlds);

TYPED_TEST(FringeProperty, FindsTheNearestGoalAtDijkstrasCostHoweverItIsCut) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int unreachable = 0;
  for (int w = 0; w < 200; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const GoalSet goals = test::random_goals(random, world.graph);
    const Cost truth = test::nearest(test::distances_from(world.graph, start), goals);
    FringeSearch search(world.graph, start, goals);
    const Progress progress = test::run_in_slices(random, search);
    ASSERT_EQ(progress == Progress::kPathFound, truth != kUnreachable);
    ASSERT_EQ(search.path_cost(), truth);
    ASSERT_LE(search.expanded(), world.graph.node_count());
    FringeSearch uncut(world.graph, start, goals);
    ASSERT_EQ(test::run_uncut(uncut), progress);
    ASSERT_EQ(uncut.expanded(), search.expanded());
    ASSERT_EQ(uncut.passed(), search.passed());
    unreachable += truth == kUnreachable ? 1 : 0;
    if (truth == kUnreachable) continue;
    const std::vector<NodeId> path = test::path_of(search);
    ASSERT_EQ(path, test::path_of(uncut));
    ASSERT_EQ(path.front(), start);
    ASSERT_EQ(path.back(), search.goal());
    ASSERT_TRUE(goals.contains(search.goal()));
    ASSERT_EQ(test::cost_along(world.graph, path), truth);
  }
  EXPECT_GT(unreachable, 5);
}

// Every node's g is the cost of a real path, and the waiting nodes are those not yet expanded.
TYPED_TEST(FringeProperty, HoldsNoCostThatIsTooSmall) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  for (int w = 0; w < 100; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const std::vector<Cost> truth = test::distances_from(world.graph, start);
    FringeSearch search(world.graph, start, test::random_goals(random, world.graph));
    Progress progress = Progress::kOutOfBudget;
    while (progress == Progress::kOutOfBudget) {
      std::uint32_t slice = 1 + random.below(30);
      progress = search.advance(&slice);
      search.for_each_touched([&](const TouchedNode& t) {
        EXPECT_GE(t.g, truth[index(t.node)]);
        EXPECT_TRUE(t.is_open || progress != Progress::kNoPath || t.g == truth[index(t.node)]);
      });
    }
    if (this->HasFailure()) return;
  }
}

}  // namespace
}  // namespace repath
