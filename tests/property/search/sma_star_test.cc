// SMA* against Dijkstra without memory on random worlds, with plenty of memory and with little.
#include "search/classic/sma_star.h"

#include <gtest/gtest.h>

#include "model.h"
#include "random_worlds.h"
#include "slices.h"
#include "support/seed.h"

namespace repath {
namespace {

template <class World>
class SmaStarProperty : public ::testing::Test {};
using Worlds = ::testing::Types<test::GridWorld, test::DirectedWorld>;
TYPED_TEST_SUITE(SmaStarProperty, Worlds);

// Checks the answer. Returns whether a limit ended the search.
template <class Graph>
bool check_answer(const Graph& graph, NodeId start, const GoalSet& goals,
                  const SmaStar<Graph>& search, LimitedProgress end) {
  const Cost truth = test::nearest(test::distances_from(graph, start), goals);
  EXPECT_LE(search.lower_bound(), truth);
  if (end == LimitedProgress::kNoPath) {
    EXPECT_EQ(truth, kUnreachable);
  }
  const bool is_refused =
      end == LimitedProgress::kMemoryLimit || end == LimitedProgress::kWorkLimit;
  EXPECT_EQ(search.path_cost() == kUnreachable, search.goal() == kNoNode);
  if (search.goal() == kNoNode) {
    EXPECT_NE(end, LimitedProgress::kPathFound);
    return is_refused;
  }
  if (!is_refused) {
    EXPECT_EQ(search.path_cost(), truth);
  }
  const std::vector<NodeId> path = test::path_of(search);
  EXPECT_EQ(path.front(), start);
  EXPECT_EQ(path.back(), search.goal());
  EXPECT_TRUE(goals.contains(search.goal()));
  EXPECT_EQ(test::cost_along(graph, path), search.path_cost());
  return is_refused;
}

TYPED_TEST(SmaStarProperty, FindsTheNearestGoalAtDijkstrasCostHoweverItIsCut) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int w = 0; w < 100; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const GoalSet goals = test::random_goals(random, world.graph);
    SmaStar search(world.graph, start, goals, {});
    const auto end = test::run_in_slices(random, search, 500, [] {});
    ASSERT_FALSE(check_answer(world.graph, start, goals, search, end));
    SmaStar uncut(world.graph, start, goals, {});
    ASSERT_EQ(test::run_uncut(uncut), end);
    ASSERT_EQ(uncut.expanded(), search.expanded());
    ASSERT_EQ(uncut.generated(), search.generated());
    if (end == LimitedProgress::kPathFound) {
      ASSERT_EQ(test::path_of(uncut), test::path_of(search));
    }
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(SmaStarProperty, KeepsItsLimitsAndSaysNothingThatIsNotProved) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  int found = 0, refused = 0;
  std::uint64_t forgotten = 0;
  for (int w = 0; w < 150; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    const TypeParam world(random);
    const NodeId start = test::random_node(random, world.graph);
    const GoalSet goals = test::random_goals(random, world.graph);
    // Half of the time there is room for exactly 64 nodes.
    const std::size_t bytes = random.below(2) == 0 ? random.below(12'000) : 5'000;
    const SearchLimits limits{.bytes_max = bytes, .expansions_max = 20'000};
    SmaStar search(world.graph, start, goals, limits);
    const auto end = test::run_in_slices(random, search, 500, [&] {
      EXPECT_LE(search.bytes(), limits.bytes_max);
      EXPECT_LE(search.expanded(), limits.expansions_max);
    });
    (check_answer(world.graph, start, goals, search, end) ? refused : found) += 1;
    forgotten += search.forgotten();
    if (this->HasFailure()) return;
  }
  EXPECT_GT(found, 10);
  EXPECT_GT(refused, 10);
  if (std::same_as<TypeParam, test::GridWorld>) {
    EXPECT_GT(forgotten, 100u);
  }
}

}  // namespace
}  // namespace repath
