// D* Lite against Dijkstra without memory: random worlds, edits, moves of the start, and budgets
// that cut it anywhere.
#include "search/incremental/d_star_lite.h"

#include <gtest/gtest.h>

#include "model.h"
#include "proofs.h"
#include "random_worlds.h"
#include "support/seed.h"

namespace repath {
namespace {

template <class World>
class DStarLiteProperty : public ::testing::Test {};
using Worlds = ::testing::Types<test::GridWorld, test::DirectedWorld>;
TYPED_TEST_SUITE(DStarLiteProperty, Worlds);

constexpr int kWorlds = 80;
constexpr int kSteps = 60;

// Checks the lower bound too.
template <class Graph>
int check_all_proofs(const Graph& graph, const DStarLite<Graph>& search) {
  const std::vector<Cost> truth = test::distances_to(graph, search.goals().nodes());
  EXPECT_LE(search.lower_bound(), truth[index(search.start())]);
  if (search.proves(search.start())) {
    EXPECT_EQ(search.lower_bound(), search.path_cost());
  }
  return test::check_all_proofs(graph, search);
}

TYPED_TEST(DStarLiteProperty, PathIsDijkstrasAfterAnyEditsMovesAndCuts) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    TypeParam world(random);
    const GoalSet goals = test::random_goals(random, world.graph);
    DStarLite search(world.graph, test::random_node(random, world.graph), goals);
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
    std::uint32_t plenty = 4 * world.graph.node_count();
    ASSERT_NE(search.advance(&plenty), Progress::kOutOfBudget);
  }
}

// proves() is checked for every node in every state, above all in half-done ones.
TYPED_TEST(DStarLiteProperty, WhateverItProvesIsTrue) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  int proved_half_way = 0;
  int bounded_half_way = 0;
  for (int w = 0; w < kWorlds; ++w) {
    const Focus focus = w % 2 == 0 ? Focus::kStart : Focus::kNone;
    TypeParam world(random);
    DStarLite search(world.graph, test::random_node(random, world.graph),
                     test::random_goals(random, world.graph), focus);
    for (int step = 0; step < kSteps; ++step) {
      SCOPED_TRACE(::testing::Message() << "world " << w << " step " << step);
      test::edit(world, random, random.below(3), search);
      if (random.below(4) == 0) search.move_start(test::random_node(random, world.graph));
      std::uint32_t slice = random.below(world.graph.node_count() / 2 + 1);
      const NodeId target = test::random_node(random, world.graph);
      const Progress progress = search.advance_to(target, &slice);
      ASSERT_EQ(search.proves(target), progress != Progress::kOutOfBudget);
      const int proved = check_all_proofs(world.graph, search);
      if (progress == Progress::kOutOfBudget) proved_half_way += proved;
      if (!search.proves(search.start()) && search.lower_bound() > 0) ++bounded_half_way;
      if (this->HasFailure()) return;
    }
  }
  EXPECT_GT(proved_half_way, 1000);
  EXPECT_GT(bounded_half_way, 100);
}

// With an unlimited budget a field proves all targets in turn.
TYPED_TEST(DStarLiteProperty, FieldReachesEveryTarget) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 2);
  for (int w = 0; w < kWorlds; ++w) {
    TypeParam world(random);
    const GoalSet goals = test::random_goals(random, world.graph);
    DStarLite field(world.graph, goals.nodes().front(), goals, Focus::kNone);
    test::edit(world, random, 20, field);
    const std::vector<Cost> truth = test::distances_to(world.graph, goals.nodes());
    for (int i = 0; i < 20; ++i) {
      const NodeId target = test::random_node(random, world.graph);
      std::uint32_t plenty = 4 * world.graph.node_count();
      ASSERT_NE(field.advance_to(target, &plenty), Progress::kOutOfBudget) << "world " << w;
      ASSERT_EQ(field.cost(target), truth[index(target)]) << "world " << w;
    }
  }
}

}  // namespace
}  // namespace repath
