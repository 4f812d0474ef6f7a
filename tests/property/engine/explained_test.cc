// What ExplainPath tells of a search: its order and the parents, for every algorithm, on random
// grids.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>

#include "property/engine/plain_queries.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr std::array kAlgorithms{
    QueryAlgorithm::kBfs,    QueryAlgorithm::kDijkstra,  QueryAlgorithm::kAStar,
    QueryAlgorithm::kLpa,    QueryAlgorithm::kDStarLite, QueryAlgorithm::kJps,
    QueryAlgorithm::kFringe, QueryAlgorithm::kIdaStar,   QueryAlgorithm::kSmaStar,
    QueryAlgorithm::kDStar,  QueryAlgorithm::kHpa,       QueryAlgorithm::kFloydWarshall};

const TouchedNode* find(std::span<const TouchedNode> touched, NodeId node) {
  const auto found = std::ranges::lower_bound(touched, node, {}, &TouchedNode::node);
  return found == touched.end() || found->node != node ? nullptr : &*found;
}

// Searches by jump points and over clusters pass over cells, so a parent may be far.
bool takes_single_steps(QueryAlgorithm algorithm) {
  return algorithm != QueryAlgorithm::kJps && algorithm != QueryAlgorithm::kHpa;
}
bool searches_from_the_goal(QueryAlgorithm algorithm) {
  return algorithm == QueryAlgorithm::kDStarLite || algorithm == QueryAlgorithm::kDStar;
}

void expect_told(const Snapshot& world, const PathQuery& query, const PathAnswer& answer) {
  if (query.algorithm == QueryAlgorithm::kFloydWarshall) {
    EXPECT_TRUE(answer.expansions.empty());
  } else if (query.algorithm == QueryAlgorithm::kHpa) {
    EXPECT_LE(answer.expansions.size(), answer.touched.size() + answer.expanded);
  } else {
    EXPECT_EQ(answer.expansions.size(), answer.expanded);
  }
  const bool forgets =
      query.algorithm == QueryAlgorithm::kSmaStar || query.algorithm == QueryAlgorithm::kIdaStar;
  for (const NodeId node : answer.expansions)
    EXPECT_TRUE(forgets || find(answer.touched, node) != nullptr);
  std::size_t without = 0;
  for (const TouchedNode& node : answer.touched) {
    if (node.parent == kNoNode) {
      ++without;
      continue;
    }
    const TouchedNode* parent = find(answer.touched, node.parent);
    ASSERT_NE(parent, nullptr);
    if (!takes_single_steps(query.algorithm)) continue;
    bool is_step = false;
    const auto look = [&](NodeId to, Cost step) {
      is_step = is_step || (to == node.node && parent->g + step == node.g);
    };
    if (searches_from_the_goal(query.algorithm)) {
      world.graph().for_each_predecessor(node.parent, look);
    } else {
      world.graph().for_each_successor(node.parent, look);
    }
    EXPECT_TRUE(is_step || query.algorithm == QueryAlgorithm::kIdaStar)
        << "a parent is one step away";
  }
  // IDA* overwrites entries of its table, so the parent of a node may be gone from it.
  const bool has_all =
      query.algorithm != QueryAlgorithm::kIdaStar && query.algorithm != QueryAlgorithm::kHpa;
  EXPECT_LE(without, has_all ? 1u : answer.touched.size());
}

TEST(ExplainedSearches, TellEveryExpansionAndTheParents) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 200; ++round) {
    const Snapshot world = test::random_world(random, random.below(2) == 0);
    PathQuery query;
    query.from = test::random_point(random, world.layer);
    query.goals = {test::random_point(random, world.layer)};
    query.snap_start = true;
    for (const QueryAlgorithm algorithm : kAlgorithms) {
      if (!suits(algorithm, world)) continue;
      query.algorithm = algorithm;
      SCOPED_TRACE("round " + std::to_string(round) + ", algorithm " +
                   std::to_string(static_cast<int>(algorithm)));
      query.explain = false;
      const PathAnswer plain = find_path(world, query, {});
      query.explain = true;
      const PathAnswer told = find_path(world, query, {});
      EXPECT_TRUE(plain.expansions.empty());
      ASSERT_EQ(told.nodes, plain.nodes) << "to look does not change the answer";
      ASSERT_EQ(told.cost, plain.cost);
      if (told.state == QueryState::kComplete) expect_told(world, query, told);
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace repath
