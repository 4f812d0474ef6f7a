// Goal fields against Dijkstra without memory: random worlds, batches of edits, and budgets that
// cut them anywhere. Grids with pruning are in tests/property/grid.
#include "search/incremental/goal_field.h"

#include <gtest/gtest.h>

#include "model.h"
#include "random_worlds.h"
#include "support/seed.h"

namespace repath {
namespace {

template <class World>
class GoalFieldProperty : public ::testing::Test {};
using Worlds = ::testing::Types<test::GridWorld, test::DirectedWorld>;
TYPED_TEST_SUITE(GoalFieldProperty, Worlds);

constexpr int kWorlds = 80;
constexpr int kSteps = 60;

// Returns the least cost that random_worlds.h gives an edge.
Cost edge_min(const test::GridWorld&) { return kStraightStep; }
Cost edge_min(const test::DirectedWorld&) { return 1; }

template <class World>
void edit(World& world, Random& random, std::uint32_t edits,
          GoalField<typename World::Graph>& field) {
  for (; edits > 0; --edits)
    world.edit(
        random, [&](NodeId n) { field.on_edges_changed(n); }, [](NodeId) {});
}

// Directed graphs do not know the cost between two nodes, and then no path is straight.
std::vector<NodeId> path_by_model(const test::AsciiGraph& graph, NodeId from,
                                  const std::vector<Cost>& to_goal) {
  return test::straight_on_path(graph, from, to_goal);
}
std::vector<NodeId> path_by_model(const auto& graph, NodeId from,
                                  const std::vector<Cost>& to_goal) {
  return test::least_id_path(graph, from, to_goal);
}

// Checks that every proved node has its true cost and an optimal path. Returns the number of proved
// nodes.
template <class Graph>
int check_all_proofs(const Graph& graph, const GoalField<Graph>& field) {
  const std::vector<Cost> truth = test::distances_to(graph, field.goals().nodes());
  int proved = 0;
  std::vector<NodeId> path;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    const NodeId n{i};
    path.clear();
    const bool has_path = field.append_path(n, &path);
    if (has_path) {
      EXPECT_EQ(test::cost_along(graph, path), field.cost(n)) << "node " << i;
      EXPECT_TRUE(field.goals().contains(path.back())) << "node " << i;
    }
    if (!field.proves(n)) continue;
    ++proved;
    EXPECT_EQ(field.cost(n), truth[i]) << "node " << i;
    EXPECT_EQ(has_path, truth[i] != kUnreachable) << "node " << i;
    if (has_path) {
      EXPECT_EQ(path, path_by_model(graph, n, truth)) << "node " << i;
    }
  }
  return proved;
}

TYPED_TEST(GoalFieldProperty, WhateverItProvesIsTrue) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int proved_half_way = 0;
  for (int w = 0; w < kWorlds; ++w) {
    TypeParam world(random);
    GoalField field(world.graph, test::random_goals(random, world.graph), edge_min(world));
    for (int step = 0; step < kSteps; ++step) {
      SCOPED_TRACE(::testing::Message() << "world " << w << " step " << step);
      edit(world, random, random.below(6), field);
      std::uint32_t slice = random.below(world.graph.node_count() / 2 + 1);
      const NodeId target = test::random_node(random, world.graph);
      const Progress progress = field.advance_to(target, &slice);
      ASSERT_EQ(field.proves(target), progress != Progress::kOutOfBudget);
      const int proved = check_all_proofs(world.graph, field);
      if (progress == Progress::kOutOfBudget) proved_half_way += proved;
      if (this->HasFailure()) return;
    }
  }
  EXPECT_GT(proved_half_way, 300);
}

// With an unlimited budget a field proves all targets in turn, with little more than three looks at
// a node.
TYPED_TEST(GoalFieldProperty, ReachesEveryTargetAfterAnyBatch) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  for (int w = 0; w < kWorlds; ++w) {
    TypeParam world(random);
    GoalField field(world.graph, test::random_goals(random, world.graph), edge_min(world));
    for (int batch = 0; batch < 30; ++batch) {
      SCOPED_TRACE(::testing::Message() << "world " << w << " batch " << batch);
      const std::uint32_t edits = random.below(20);
      edit(world, random, edits, field);
      const std::uint32_t plenty = 5 * world.graph.node_count() + 20 * edits;
      std::uint32_t left = plenty;
      for (int i = 0; i < 5; ++i) {
        const NodeId target = test::random_node(random, world.graph);
        ASSERT_NE(field.advance_to(target, &left), Progress::kOutOfBudget);
      }
      check_all_proofs(world.graph, field);
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(GoalFieldProperty, CutIntoSlicesItDoesTheSameWork) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 2);
  for (int w = 0; w < kWorlds; ++w) {
    TypeParam world(random);
    const GoalSet goals = test::random_goals(random, world.graph);
    GoalField cut(world.graph, goals, edge_min(world));
    GoalField uncut(world.graph, goals, edge_min(world));
    for (int batch = 0; batch < 20; ++batch) {
      world.edit(
          random, [&](NodeId n) { cut.on_edges_changed(n), uncut.on_edges_changed(n); },
          [](NodeId) {});
      const NodeId target = test::random_node(random, world.graph);
      std::uint32_t plenty = ~std::uint32_t{0};
      const Progress whole = uncut.advance_to(target, &plenty);
      Progress progress = Progress::kOutOfBudget;
      while (progress == Progress::kOutOfBudget) {
        std::uint32_t slice = 1 + random.below(10);
        progress = cut.advance_to(target, &slice);
      }
      ASSERT_EQ(progress, whole);
      ASSERT_EQ(cut.expanded(), uncut.expanded());
      ASSERT_EQ(cut.cost(target), uncut.cost(target));
    }
  }
}

}  // namespace
}  // namespace repath
