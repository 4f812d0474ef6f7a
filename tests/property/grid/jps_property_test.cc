// Jump point search against Dijkstra on random layers: the same cost and a valid path, also in
// slices.
#include "grid/jps/jps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/random.h"
#include "grid/cells/graph.h"
#include "search/classic/dijkstra.h"
#include "support/node_goals.h"
#include "support/random_layers.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr std::uint32_t kPlenty = 100'000'000;

// Returns one cell, a few anywhere, or one or two discs.
GoalSet random_goals(Random* random, const GridLayer& layer) {
  std::vector<NodeId> goals;
  const std::uint32_t kind = random->below(5);
  if (kind < 2) return {NodeId{random->below(layer.node_count())}};
  if (kind == 2) {
    for (std::uint32_t n = random->below(20); n > 0; --n)
      goals.push_back(NodeId{random->below(layer.node_count())});
    return GoalSet(goals);
  }
  for (std::uint32_t discs = 1 + random->below(3); discs > 0; --discs) {
    const NodeId centre{random->below(layer.node_count())};
    const auto radius = static_cast<std::int32_t>(random->below(20));
    for (std::int32_t dy = -radius; dy <= radius; ++dy)
      for (std::int32_t dx = -radius; dx <= radius; ++dx) {
        const std::int32_t x = layer.x_of(centre) + dx;
        const std::int32_t y = layer.y_of(centre) + dy;
        if (layer.contains(x, y) && dx * dx + dy * dy <= radius * radius)
          goals.push_back(layer.node_at(x, y));
      }
  }
  return GoalSet(goals);
}

// Returns a cell, mostly a free one.
NodeId random_start(Random* random, const GridLayer& layer) {
  NodeId start{};
  for (int tries = 0; tries < 8; ++tries) {
    start = NodeId{random->below(layer.node_count())};
    if (layer.is_free(start)) break;
  }
  return start;
}

Cost least_cost(const GridGraph& graph, NodeId start, const GoalSet& goals) {
  const Source source{start, 0};
  Dijkstra plain(graph, {&source, 1}, goals);
  std::uint32_t plenty = kPlenty;
  return plain.advance(&plenty) == Progress::kPathFound ? plain.path_cost() : kUnreachable;
}

void expect_path(const GridGraph& graph, const std::vector<NodeId>& path, NodeId start,
                 const GoalSet& goals, Cost cost) {
  ASSERT_FALSE(path.empty());
  EXPECT_EQ(path.front(), start);
  EXPECT_TRUE(goals.contains(path.back()));
  Cost sum = 0;
  for (std::size_t i = 1; i < path.size(); ++i)
    sum = saturating_add(sum, graph.cost_between(path[i - 1], path[i]));
  EXPECT_EQ(sum, cost);
}

class JumpPoints : public testing::TestWithParam<CornerRule> {};

TEST_P(JumpPoints, FindWhatDijkstraFinds) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::optional<JumpPointSearch> again;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    GridLayer layer = test::random_layer(&random);
    const GridGraph graph(&layer, Topology::k8, GetParam());
    JumpMap map(layer, GetParam());
    for (int query = 0; query < 8; ++query) {
      SCOPED_TRACE(query);
      const NodeId start = random_start(&random, layer);
      const GoalSet goals = random.below(20) == 0 ? GoalSet{start} : random_goals(&random, layer);
      const Cost cost = least_cost(graph, start, goals);
      const test::NodeGoals targets(layer, goals);
      JumpPointSearch search = targets.search(layer, map, start);
      std::uint32_t plenty = kPlenty;
      const Progress progress = search.advance(&plenty);
      ASSERT_EQ(progress == Progress::kPathFound, cost != kUnreachable);
      ASSERT_NE(progress, Progress::kOutOfBudget);
      ASSERT_EQ(search.path_cost(), cost);
      ASSERT_EQ(kPlenty - plenty, search.expanded());
      // A search object that has searched other maps, and may have been given up half-way.
      if (!again) again.emplace(search);
      again->begin_anew(layer, map, start, goals, targets.bound());
      std::uint32_t few = random.below(2) == 0 ? kPlenty : random.below(20);
      if (again->advance(&few) != Progress::kOutOfBudget) {
        ASSERT_EQ(again->path_cost(), cost);
        ASSERT_EQ(again->expanded(), search.expanded());
      }
      if (cost == kUnreachable) continue;
      std::vector<NodeId> path;
      search.append_path(&path);
      expect_path(graph, path, start, goals, cost);
      ASSERT_EQ(search.goal(), path.back());

      // In slices, also with a bound of zero.
      JumpPointSearch sliced = targets.search(layer, map, start);
      std::uint32_t slice = 0;
      while (sliced.advance(&slice) == Progress::kOutOfBudget) {
        ASSERT_EQ(slice, 0u);
        slice = random.below(4);
      }
      ASSERT_EQ(sliced.expanded(), search.expanded());
      std::vector<NodeId> same;
      sliced.append_path(&same);
      ASSERT_EQ(same, path);
      const GoalsCellBound nothing(PlaceBox{0, 0, layer.width(), layer.height()});
      JumpPointSearch blind(layer, map, start, goals, nothing);
      ASSERT_EQ(blind.advance(&plenty), Progress::kPathFound);
      ASSERT_EQ(blind.path_cost(), cost);
      if (HasFailure()) return;
    }
    const std::vector<NodeId> cells = test::random_cells(&random, layer);
    test::flip(&layer, cells);
    map.update(layer, cells);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryRule, JumpPoints,
                         testing::Values(CornerRule::kNone, CornerRule::kOne),
                         [](const auto& test) {
                           return test.param == CornerRule::kNone ? "NoCorners" : "OneFlank";
                         });

}  // namespace
}  // namespace repath
