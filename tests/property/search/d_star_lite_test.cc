// D* Lite against Dijkstra without memory: random worlds, edits, moves of the start, and budgets
// that cut it anywhere.
#include "search/incremental/d_star_lite.h"

#include <gtest/gtest.h>

#include "model.h"
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

template <class World>
void edit(World& world, Random& random, std::uint32_t edits,
          DStarLite<typename World::Graph>& search) {
  for (; edits > 0; --edits)
    world.edit(
        random, [&](NodeId n) { search.on_edges_changed(n); }, [](NodeId) {});
}

// Checks that every proved node has its true cost and an optimal path. Returns the number of proved
// nodes.
template <class Graph>
int check_all_proofs(const Graph& graph, const DStarLite<Graph>& search) {
  const std::vector<Cost> truth = test::distances_to(graph, search.goals().nodes());
  EXPECT_LE(search.lower_bound(), truth[index(search.start())]);
  if (search.proves(search.start())) {
    EXPECT_EQ(search.lower_bound(), search.path_cost());
  }
  int proved = 0;
  std::vector<NodeId> path;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    const NodeId n{i};
    path.clear();
    const bool has_path = search.append_path(n, &path);
    if (has_path) {
      EXPECT_EQ(test::cost_along(graph, path), search.cost(n)) << "node " << i;
      EXPECT_TRUE(search.goals().contains(path.back())) << "node " << i;
    }
    if (!search.proves(n)) continue;
    ++proved;
    EXPECT_EQ(search.cost(n), truth[i]) << "node " << i;
    EXPECT_EQ(has_path, truth[i] != kUnreachable) << "node " << i;
    if (has_path) {
      EXPECT_EQ(path, test::least_id_path(graph, n, truth)) << "node " << i;
    }
  }
  return proved;
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
      edit(world, random, random.below(6), search);
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
      edit(world, random, random.below(3), search);
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
    edit(world, random, 20, field);
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
