// HPA* against Dijkstra on random layers of every shape. It finds a path exactly if there is one,
// at least as dear as the cheapest and within its own bound. Slices, edits and copies without later
// edits give the same results.
#include "grid/hpa/hpa_search.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/random.h"
#include "search/classic/dijkstra.h"
#include "support/random_layers.h"
#include "support/seed.h"

namespace repath {
namespace {

Progress run_to_end(HpaSearch* search, std::uint32_t slice) {
  Progress progress = Progress::kOutOfBudget;
  while (progress == Progress::kOutOfBudget) {
    std::uint32_t expansions = slice;
    progress = search->advance(&expansions);
  }
  return progress;
}

HpaShape random_shape(Random* random) {
  HpaShape shape;
  shape.side = 2 + static_cast<std::int32_t>(random->below(random->below(2) == 0 ? 6 : 30));
  shape.factor = 2 + static_cast<std::int32_t>(random->below(4));
  shape.levels = 1 + static_cast<int>(random->below(3));
  return shape;
}

void add_weights(Random* random, GridLayer* layer) {
  for (std::uint32_t n = 0; n < 20; ++n) {
    const std::int32_t tx =
        static_cast<std::int32_t>(random->below(static_cast<std::uint32_t>(layer->tiles_x())));
    const std::int32_t ty =
        static_cast<std::int32_t>(random->below(static_cast<std::uint32_t>(layer->tiles_y())));
    TileRef ref(new Tile(layer->tile(tx, ty)));
    Tile& tile = ref.writable();
    const std::size_t cell = random->below(kTileSide * kTileSide);
    if ((tile.free[cell / kTileSide] >> (cell % kTileSide) & 1u) == 0) continue;
    if (!tile.factors) {
      tile.factors = std::make_unique<Tile::Factors>();
      tile.factors->fill(kFactorOne);
    }
    (*tile.factors)[cell] = to_factor(1.5 + random->below(9));
    layer->replace_tile(tx, ty, std::move(ref));
  }
}

GoalSet random_goals(Random* random, const GridLayer& layer) {
  std::vector<NodeId> goals;
  const std::uint32_t count = random->below(3) != 0 ? 1 : random->below(20);
  for (std::uint32_t n = 0; n < count; ++n)
    goals.push_back(NodeId{random->below(layer.node_count())});
  return GoalSet(goals);
}

NodeId random_start(Random* random, const GridLayer& layer) {
  NodeId start{};
  for (int tries = 0; tries < 8; ++tries) {
    start = NodeId{random->below(layer.node_count())};
    if (layer.is_free(start)) break;
  }
  return start;
}

struct Answer {
  Progress progress{};
  Cost cost = kUnreachable;
  std::uint64_t expanded = 0;
  std::vector<NodeId> path;
  bool operator==(const Answer&) const = default;
};

Answer answer_of(const HpaMap& map, NodeId start, const GoalSet& goals, std::uint32_t slice) {
  HpaSearch search(map, start, goals);
  Answer answer;
  answer.progress = run_to_end(&search, slice);
  answer.cost = search.path_cost();
  answer.expanded = search.expanded();
  if (answer.progress == Progress::kPathFound) search.append_path(&answer.path);
  return answer;
}

// Checks an answer at any weight; a larger weight may make the path dearer.
void expect_right(const HpaMap& map, NodeId start, const GoalSet& goals, double weight) {
  const GridGraph graph = map.graph();
  const Source source{start, 0};
  Dijkstra plain(graph, {&source, 1}, goals);
  std::uint32_t plenty = 100'000'000;
  const bool has_path = plain.advance(&plenty) == Progress::kPathFound;
  HpaSearch search(map, start, goals, AStarWeight(weight));
  ASSERT_EQ(run_to_end(&search, ~std::uint32_t{0}) == Progress::kPathFound, has_path);
  if (!has_path) return;
  EXPECT_GE(search.path_cost(), plain.path_cost());
  EXPECT_LE(search.lower_bound(), plain.path_cost());
  std::vector<NodeId> path;
  search.append_path(&path);
  ASSERT_EQ(path.front(), start);
  EXPECT_TRUE(goals.contains(path.back()));
  EXPECT_EQ(path.back(), search.goal());
  Cost sum = 0;
  for (std::size_t i = 1; i < path.size(); ++i)
    sum = saturating_add(sum, graph.cost_between(path[i - 1], path[i]));
  EXPECT_EQ(sum, search.path_cost());
}

class Hpa : public testing::TestWithParam<std::pair<Topology, CornerRule>> {};

TEST_P(Hpa, FindsAPathWhereThereIsOne) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    GridLayer layer = test::random_layer(&random);
    const HpaShape shape = random_shape(&random);
    const bool weighted = random.below(3) == 0;
    HpaMap map(layer, GetParam().first, GetParam().second, shape);
    for (int edit = 0; edit < 5; ++edit) {
      for (int query = 0; query < 4; ++query)
        expect_right(map, random_start(&random, layer), random_goals(&random, layer),
                     query < 2 ? 1 : 1 + random.below(3) * 0.75);
      if (HasFailure()) return;
      if (weighted) {
        add_weights(&random, &layer);
      } else {
        test::flip(&layer, test::random_cells(&random, layer));
      }
      map.update(layer);
    }
  }
}

TEST_P(Hpa, AnswersTheSameInSlicesAndAfterEditsAsAnew) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::uint64_t held = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    GridLayer layer = test::random_layer(&random);
    const HpaShape shape = random_shape(&random);
    const auto [topology, rule] = GetParam();
    HpaMap map(layer, topology, rule, shape);
    for (int edit = 0; edit < 5; ++edit) {
      const HpaMap old = map;
      test::flip(&layer, test::random_cells(&random, layer));
      map.update(layer);
      const HpaMap anew(layer, topology, rule, shape, Cow<FactMemory>(new FactMemory(0)));
      for (int query = 0; query < 3; ++query) {
        const NodeId start = random_start(&random, layer);
        const GoalSet goals = random_goals(&random, layer);
        // May be the first call that needs facts of the old layer.
        expect_right(old, start, goals, 1);
        const Answer whole = answer_of(map, start, goals, ~std::uint32_t{0});
        ASSERT_EQ(whole, answer_of(anew, start, goals, ~std::uint32_t{0}));
        ASSERT_EQ(whole, answer_of(map, start, goals, 1 + random.below(40)));
      }
    }
    held += map.memory().bytes;
  }
  EXPECT_GT(held, 0u);
}

// The counted memory is the memory held: 0 once all maps are gone.
TEST_P(Hpa, MemoryIsGivenBack) {
  Random random(test::seed());
  const Cow<FactMemory> memory(new FactMemory);
  {
    GridLayer layer = test::random_layer(&random);
    HpaMap map(layer, GetParam().first, GetParam().second, random_shape(&random), memory);
    for (int edit = 0; edit < 10; ++edit) {
      const HpaMap copy = map;
      copy.make_all();
      test::flip(&layer, test::random_cells(&random, layer));
      map.update(layer);
    }
  }
  EXPECT_EQ(memory->bytes, 0u);
}

TEST_P(Hpa, ManyThreadsMayAskOneMap) {
  Random random(test::seed());
  for (int round = 0; round < 10; ++round) {
    const GridLayer layer = test::random_layer(&random);
    const HpaMap map(layer, GetParam().first, GetParam().second, random_shape(&random));
    const NodeId start = random_start(&random, layer);
    const GoalSet goals = random_goals(&random, layer);
    std::vector<Answer> answers(4);
    std::vector<std::thread> threads;
    for (Answer& answer : answers)
      threads.emplace_back([&] { answer = answer_of(map, start, goals, ~std::uint32_t{0}); });
    for (std::thread& thread : threads) thread.join();
    for (const Answer& answer : answers) EXPECT_EQ(answer, answers.front());
  }
}

INSTANTIATE_TEST_SUITE_P(Ground, Hpa,
                         testing::Values(std::pair(Topology::k8, CornerRule::kNone),
                                         std::pair(Topology::k8, CornerRule::kOne),
                                         std::pair(Topology::k4, CornerRule::kNone)));

}  // namespace
}  // namespace repath
