// IDA* against Dijkstra without memory on random worlds, with much and with little memory.
#include "search/classic/ida_star.h"

#include <gtest/gtest.h>

#include "model.h"
#include "random_worlds.h"
#include "slices.h"
#include "support/seed.h"

namespace repath {
namespace {

template <class World>
class IdaStarProperty : public ::testing::Test {};
using Worlds = ::testing::Types<test::GridWorld, test::DirectedWorld>;
TYPED_TEST_SUITE(IdaStarProperty, Worlds);

// Checks the answer. Returns whether a limit ended the search.
template <class Graph>
bool check_answer(const Graph& graph, NodeId start, const GoalSet& goals,
                  const IdaStar<Graph>& search, LimitedProgress end) {
  const Cost truth = test::nearest(test::distances_from(graph, start), goals);
  EXPECT_LE(search.lower_bound(), truth);
  if (end == LimitedProgress::kNoPath) {
    EXPECT_EQ(truth, kUnreachable);
  }
  if (end != LimitedProgress::kPathFound) {
    EXPECT_EQ(search.path_cost(), kUnreachable);
    EXPECT_EQ(search.goal(), kNoNode);
    return end != LimitedProgress::kNoPath;
  }
  EXPECT_EQ(search.path_cost(), truth);
  const std::vector<NodeId> path = test::path_of(search);
  EXPECT_EQ(path.front(), start);
  EXPECT_EQ(path.back(), search.goal());
  EXPECT_TRUE(goals.contains(search.goal()));
  EXPECT_EQ(test::cost_along(graph, path), truth);
  return false;
}

TYPED_TEST(IdaStarProperty, FindsTheNearestGoalAtDijkstrasCostHoweverItIsCut) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int w = 0; w < 100; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const GoalSet goals = test::random_goals(random, world.graph);
    IdaStar search(world.graph, start, goals, {});
    const auto end = test::run_in_slices(random, search, 500, [] {});
    ASSERT_FALSE(check_answer(world.graph, start, goals, search, end));
    IdaStar uncut(world.graph, start, goals, {});
    ASSERT_EQ(test::run_uncut(uncut), end);
    ASSERT_EQ(uncut.expanded(), search.expanded());
    ASSERT_EQ(uncut.generated(), search.generated());
    if (end == LimitedProgress::kPathFound) {
      ASSERT_EQ(test::path_of(uncut), test::path_of(search));
    }
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(IdaStarProperty, KeepsItsLimitsAndSaysNothingThatIsNotProved) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  int found = 0, refused = 0;
  for (int w = 0; w < 150; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const GoalSet goals = test::random_goals(random, world.graph);
    const SearchLimits limits{.bytes_max = random.below(12'000), .expansions_max = 20'000};
    IdaStar search(world.graph, start, goals, limits);
    const auto end = test::run_in_slices(random, search, 500, [&] {
      EXPECT_LE(search.bytes(), limits.bytes_max);
      EXPECT_LE(search.expanded(), limits.expansions_max);
    });
    (check_answer(world.graph, start, goals, search, end) ? refused : found) += 1;
    if (this->HasFailure()) return;
  }
  EXPECT_GT(found, 10);
  EXPECT_GT(refused, 10);
}

// The table's bound of a node never exceeds the true cost.
TYPED_TEST(IdaStarProperty, LearnsNoBoundThatIsTooLarge) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 2);
  std::uint64_t learned = 0;
  for (int w = 0; w < 60; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const GoalSet goals = test::random_goals(random, world.graph);
    const std::vector<Cost> truth = test::distances_to(world.graph, goals.nodes());
    const NearestGoalBound bound(world.graph, goals);
    IdaStar search(world.graph, test::random_node(random, world.graph), goals,
                   {.bytes_max = 8'000 + random.below(30'000), .expansions_max = 5'000});
    test::run_in_slices(random, search, 100, [&] {
      search.for_each_touched([&](const TouchedNode& t) {
        EXPECT_LE(t.h, truth[index(t.node)]);
        learned += t.h > bound(t.node) ? 1 : 0;
      });
    });
    if (this->HasFailure()) return;
  }
  EXPECT_GT(learned, 10u);
}

}  // namespace
}  // namespace repath
