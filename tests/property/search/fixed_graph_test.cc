// BFS, Dijkstra and A*, the kernels that read one graph to its end, against plain models on random
// worlds.
#include <gtest/gtest.h>

#include "model.h"
#include "random_worlds.h"
#include "search/classic/a_star.h"
#include "search/classic/bfs.h"
#include "search/classic/dijkstra.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr int kWorlds = 200;

template <class World>
class FixedGraphProperty : public ::testing::Test {};
using Worlds = ::testing::Types<test::GridWorld, test::DirectedWorld>;
TYPED_TEST_SUITE(FixedGraphProperty, Worlds);

// Runs to the end in slices of random length.
Progress run_in_slices(Random& random, auto& search) {
  while (true) {
    std::uint32_t slice = random.below(20);
    const std::uint32_t granted = slice;
    const std::uint64_t before = search.expanded();
    const Progress progress = search.advance(&slice);
    EXPECT_EQ(search.expanded() - before, granted - slice);
    if (progress != Progress::kOutOfBudget) return progress;
    EXPECT_EQ(slice, 0u);
  }
}

Progress run_uncut(auto& search) {
  std::uint32_t plenty = ~std::uint32_t{0};
  return search.advance(&plenty);
}

Cost nearest(const std::vector<Cost>& distance, const GoalSet& goals) {
  Cost least = kUnreachable;
  for (const NodeId goal : goals.nodes()) least = std::min(least, distance[index(goal)]);
  return least;
}

TYPED_TEST(FixedGraphProperty, AStarFindsTheNearestGoalAtDijkstrasCost) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const GoalSet goals = test::random_goals(random, world.graph);
    const Cost truth = nearest(test::distances_from(world.graph, start), goals);
    AStar search(world.graph, start, goals);
    const Progress progress = run_in_slices(random, search);
    ASSERT_EQ(progress == Progress::kPathFound, truth != kUnreachable);
    ASSERT_EQ(search.path_cost(), truth);
    ASSERT_LE(search.expanded(), world.graph.node_count());
    AStar uncut(world.graph, start, goals);
    ASSERT_EQ(run_uncut(uncut), progress);
    ASSERT_EQ(uncut.expanded(), search.expanded());
    if (progress == Progress::kNoPath) continue;
    ASSERT_EQ(search.lower_bound(), truth);
    std::vector<NodeId> path, uncut_path;
    search.append_path(&path);
    uncut.append_path(&uncut_path);
    ASSERT_EQ(path, uncut_path);
    ASSERT_EQ(path.front(), start);
    ASSERT_EQ(path.back(), search.goal());
    ASSERT_TRUE(goals.contains(search.goal()));
    ASSERT_EQ(test::cost_along(world.graph, path), truth);
  }
}

TYPED_TEST(FixedGraphProperty, WeightedAStarKeepsItsBounds) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  int dearer = 0;
  for (int w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const GoalSet goals = test::random_goals(random, world.graph);
    const Cost truth = nearest(test::distances_from(world.graph, start), goals);
    const double weight = 1.0 + 3.0 * random.unit();
    AStar search(world.graph, start, goals, weight);
    ASSERT_EQ(run_in_slices(random, search) == Progress::kPathFound, truth != kUnreachable);
    if (truth == kUnreachable) continue;
    ASSERT_LE(search.weight(), weight);
    ASSERT_GE(search.path_cost(), truth);
    ASSERT_LE(static_cast<double>(search.path_cost()),
              static_cast<double>(truth) * search.weight());
    ASSERT_LE(search.lower_bound(), truth);
    std::vector<NodeId> path;
    search.append_path(&path);
    ASSERT_EQ(test::cost_along(world.graph, path), search.path_cost());
    dearer += search.path_cost() > truth ? 1 : 0;
  }
  EXPECT_GT(dearer, 0);
}

TYPED_TEST(FixedGraphProperty, DijkstraSettlesEverythingWithinItsBound) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 2);
  for (int w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const std::vector<Cost> truth = test::distances_from(world.graph, start);
    const Cost far = truth[index(test::random_node(random, world.graph))];
    const Source source{start, 0};
    Dijkstra search(world.graph, {&source, 1}, {}, far);
    ASSERT_EQ(run_in_slices(random, search), Progress::kNoPath);
    std::size_t within = 0;
    for (std::uint32_t i = 0; i < world.graph.node_count(); ++i) {
      const bool expected = truth[i] <= far && truth[i] != kUnreachable;
      ASSERT_EQ(search.is_settled(NodeId{i}), expected) << "node " << i;
      if (!expected) continue;
      ++within;
      ASSERT_EQ(search.cost(NodeId{i}), truth[i]) << "node " << i;
      std::vector<NodeId> path;
      search.append_path(NodeId{i}, &path);
      ASSERT_EQ(path.front(), start);
      ASSERT_EQ(test::cost_along(world.graph, path), truth[i]);
    }
    ASSERT_EQ(search.settled().size(), within);
    for (std::size_t i = 1; i < within; ++i) {
      const NodeId a = search.settled()[i - 1];
      const NodeId b = search.settled()[i];
      ASSERT_LT(std::pair(search.cost(a), a), std::pair(search.cost(b), b));
    }
  }
}

TYPED_TEST(FixedGraphProperty, DijkstraFindsTheNearestGoalOfTheCheapestSource) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 3);
  for (int w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const GoalSet goals = test::random_goals(random, world.graph);
    std::vector<Source> sources(1 + random.below(3));
    Cost truth = kUnreachable;
    for (Source& s : sources) {
      s = {test::random_node(random, world.graph), random.below(10)};
      const Cost rest = nearest(test::distances_from(world.graph, s.node), goals);
      truth = std::min(truth, saturating_add(s.cost, rest));
    }
    Dijkstra search(world.graph, sources, goals);
    ASSERT_EQ(run_in_slices(random, search) == Progress::kPathFound, truth != kUnreachable);
    ASSERT_EQ(search.path_cost(), truth);
  }
}

TYPED_TEST(FixedGraphProperty, BfsFindsTheFewestSteps) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 4);
  for (int w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const GoalSet goals = test::random_goals(random, world.graph);
    const Cost truth = nearest(test::plain_dijkstra(world.graph.node_count(), {&start, 1},
                                                    [&](NodeId n, auto&& visit) {
                                                      world.graph.for_each_successor(
                                                          n, [&](NodeId m, Cost) { visit(m, 1); });
                                                    }),
                               goals);
    Bfs search(world.graph, start, goals);
    ASSERT_EQ(run_in_slices(random, search) == Progress::kPathFound, truth != kUnreachable);
    if (truth == kUnreachable) continue;
    std::vector<NodeId> path;
    search.append_path(&path);
    ASSERT_EQ(path.size(), truth + 1);
    ASSERT_EQ(test::cost_along(world.graph, path), search.path_cost());
  }
}

}  // namespace
}  // namespace repath
