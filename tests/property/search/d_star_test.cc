// D* against Dijkstra without memory: random worlds, edits, moves of the start, and budgets that
// cut it anywhere.
#include "search/incremental/d_star.h"

#include <gtest/gtest.h>

#include "model.h"
#include "proofs.h"
#include "random_worlds.h"
#include "support/seed.h"

namespace repath {
namespace {

template <class World>
class DStarProperty : public ::testing::Test {};
using Worlds = ::testing::Types<test::GridWorld, test::DirectedWorld>;
TYPED_TEST_SUITE(DStarProperty, Worlds);

constexpr int kWorlds = 80;
constexpr int kSteps = 60;

// Enough for any of these worlds. D* Lite expands a node at most twice; D* has no such bound, but
// it ends.
std::uint32_t plenty_for(const SearchGraph auto& graph) { return 10 * graph.node_count(); }

TYPED_TEST(DStarProperty, PathIsDijkstrasAfterAnyEditsMovesAndCuts) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    TypeParam world(random);
    const GoalSet goals = test::random_goals(random, world.graph);
    DStar search(world.graph, test::random_node(random, world.graph), goals);
    for (int step = 0; step < kSteps; ++step) {
      test::edit(world, random, random.below(6), search);
      if (random.below(4) == 0) search.move_start(test::random_node(random, world.graph));
      std::uint32_t slice = random.below(40);
      const Progress progress = search.advance(&slice);
      if (progress == Progress::kOutOfBudget) continue;
      const Cost truth = test::distances_to(world.graph, goals.nodes())[index(search.start())];
      ASSERT_EQ(search.path_cost(), truth) << "step " << step;
      ASSERT_EQ(progress == Progress::kNoPath, truth == kUnreachable) << "step " << step;
    }
    // From any state, a few passes over the world are enough to finish.
    std::uint32_t plenty = plenty_for(world.graph);
    ASSERT_NE(search.advance(&plenty), Progress::kOutOfBudget);
  }
}

// proves() is checked for every node in every state, above all in half-done ones.
TYPED_TEST(DStarProperty, WhateverItProvesIsTrue) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  int proved_half_way = 0;
  for (int w = 0; w < kWorlds; ++w) {
    TypeParam world(random);
    DStar search(world.graph, test::random_node(random, world.graph),
                 test::random_goals(random, world.graph));
    for (int step = 0; step < kSteps; ++step) {
      SCOPED_TRACE(::testing::Message() << "world " << w << " step " << step);
      test::edit(world, random, random.below(3), search);
      if (random.below(4) == 0) search.move_start(test::random_node(random, world.graph));
      std::uint32_t slice = random.below(world.graph.node_count() / 2 + 1);
      const NodeId target = test::random_node(random, world.graph);
      const Progress progress = search.advance_to(target, &slice);
      ASSERT_EQ(search.proves(target), progress != Progress::kOutOfBudget);
      const int proved = test::check_all_proofs(world.graph, search);
      if (progress == Progress::kOutOfBudget) proved_half_way += proved;
      if (this->HasFailure()) return;
    }
  }
  EXPECT_GT(proved_half_way, 1000);
}

// One search proves all targets in turn.
TYPED_TEST(DStarProperty, ReachesEveryTarget) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 2);
  for (int w = 0; w < kWorlds; ++w) {
    TypeParam world(random);
    const GoalSet goals = test::random_goals(random, world.graph);
    DStar search(world.graph, goals.nodes().front(), goals);
    test::edit(world, random, 20, search);
    const std::vector<Cost> truth = test::distances_to(world.graph, goals.nodes());
    for (int i = 0; i < 20; ++i) {
      const NodeId target = test::random_node(random, world.graph);
      std::uint32_t plenty = plenty_for(world.graph);
      ASSERT_NE(search.advance_to(target, &plenty), Progress::kOutOfBudget) << "world " << w;
      ASSERT_EQ(search.cost(target), truth[index(target)]) << "world " << w;
    }
  }
}

}  // namespace
}  // namespace repath
