// LPA* against Dijkstra without memory: random worlds, edits, and budgets that cut it anywhere.
#include "search/incremental/lpa_star.h"

#include <gtest/gtest.h>

#include "model.h"
#include "random_worlds.h"
#include "support/seed.h"

namespace repath {
namespace {

template <class World>
class LpaStarProperty : public ::testing::Test {};
using Worlds = ::testing::Types<test::GridWorld, test::DirectedWorld>;
TYPED_TEST_SUITE(LpaStarProperty, Worlds);

Cost nearest(const std::vector<Cost>& distance, const GoalSet& goals) {
  Cost least = kUnreachable;
  for (const NodeId goal : goals.nodes()) least = std::min(least, distance[index(goal)]);
  return least;
}

TYPED_TEST(LpaStarProperty, PathIsDijkstrasAfterAnyEditsAndCuts) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int w = 0; w < 80; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const GoalSet goals = test::random_goals(random, world.graph);
    LpaStar search(world.graph, start, goals);
    for (int step = 0; step < 60; ++step) {
      for (std::uint32_t edits = random.below(5); edits > 0; --edits)
        world.edit(
            random, [](NodeId) {}, [&](NodeId n) { search.on_edges_changed(n); });
      // The last slice suffices, because each node is expanded at most twice.
      std::uint32_t slice = step == 59 ? 2 * world.graph.node_count() : random.below(40);
      const Progress progress = search.advance(&slice);
      if (progress == Progress::kOutOfBudget) {
        ASSERT_NE(step, 59) << "never finishes";
        continue;
      }
      const Cost truth = nearest(test::distances_from(world.graph, start), goals);
      ASSERT_EQ(search.path_cost(), truth) << "step " << step;
      std::vector<NodeId> path;
      ASSERT_EQ(search.append_path(&path), progress == Progress::kPathFound) << "step " << step;
      if (progress == Progress::kNoPath) continue;
      ASSERT_EQ(path.front(), start);
      ASSERT_TRUE(goals.contains(path.back()));
      ASSERT_EQ(test::cost_along(world.graph, path), truth) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace repath
