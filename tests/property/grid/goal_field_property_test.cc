// Goal fields over grids, where a node hands its label to some of its neighbours only. Both corner
// rules, four and eight neighbours, hexagons, uniform and rough ground, and edits at any moment.
#include "search/incremental/goal_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "base/random.h"
#include "grid/cells/graph.h"
#include "support/random_layers.h"
#include "support/seed.h"

namespace repath {
namespace {

static_assert(ArrivalGraph<GridGraph>);

constexpr std::uint32_t kPlenty = 100'000'000;

std::vector<Cost> plain_distances(const GridGraph& graph, const GoalSet& goals) {
  using Entry = std::pair<Cost, NodeId>;
  std::vector<Cost> costs(graph.node_count(), kUnreachable);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (const NodeId goal : goals.nodes()) open.push({costs[index(goal)] = 0, goal});
  while (!open.empty()) {
    const auto [cost, at] = open.top();
    open.pop();
    if (cost != costs[index(at)]) continue;
    graph.for_each_successor(at, [&, so_far = cost](NodeId next, Cost step) {
      if (so_far + step >= costs[index(next)]) return;
      open.push({costs[index(next)] = so_far + step, next});
    });
  }
  return costs;
}

// Blocks, frees and paves cells; on uniform ground only the first two.
struct Ground {
  explicit Ground(Random* from)
      : random(from),
        layer(test::random_layer(from)),
        is_rough(from->below(3) == 0),
        graph(&layer, topology(from->below(6)),
              from->below(2) == 0 ? CornerRule::kNone : CornerRule::kOne) {}

  void edit(GoalField<GridGraph>* field) {
    const std::vector<NodeId> cells = test::random_cells(random, layer);
    if (is_rough && random->below(2) == 0) {
      for (const NodeId cell : cells) pave(cell, 1 + random->below(4));
    } else {
      test::flip(&layer, cells);
    }
    for (const NodeId cell : cells) tell(cell, field);
  }

  static Topology topology(std::uint32_t drawn) {
    return drawn == 0 ? Topology::k4 : drawn == 1 ? Topology::kHex : Topology::k8;
  }
  std::uint32_t nodes() const { return layer.node_count(); }
  NodeId any() { return NodeId{random->below(nodes())}; }
  GoalSet goals() {
    std::vector<NodeId> goals(1 + (random->below(3) == 0 ? random->below(9) : 0));
    for (NodeId& goal : goals) goal = any();
    return GoalSet(goals);
  }

  void pave(NodeId cell, std::uint32_t factor) {
    const std::int32_t x = layer.x_of(cell);
    const std::int32_t y = layer.y_of(cell);
    if (!layer.is_free(x, y)) return;
    TileRef ref(new Tile(layer.tile(x >> kTileBits, y >> kTileBits)));
    Tile& tile = ref.writable();
    if (!tile.factors) {
      tile.factors = std::make_unique<Tile::Factors>();
      tile.factors->fill(kFactorOne);
    }
    (*tile.factors)[static_cast<std::size_t>((y & kTileMask) * kTileSide + (x & kTileMask))] =
        to_factor(factor);
    layer.replace_tile(x >> kTileBits, y >> kTileBits, std::move(ref));
  }
  void tell(NodeId cell, GoalField<GridGraph>* field) {
    for (std::int32_t dy = -1; dy <= 1; ++dy)
      for (std::int32_t dx = -1; dx <= 1; ++dx) {
        const std::int32_t x = layer.x_of(cell) + dx;
        const std::int32_t y = layer.y_of(cell) + dy;
        if (layer.contains(x, y)) field->on_edges_changed(layer.node_at(x, y));
      }
  }

  Random* random;
  GridLayer layer;
  bool is_rough;
  GridGraph graph;
};

// Returns the number of proved nodes.
std::uint32_t check_all(const Ground& ground, const GoalField<GridGraph>& field) {
  const std::vector<Cost> truth = plain_distances(ground.graph, field.goals());
  std::uint32_t proved = 0;
  for (std::uint32_t i = 0; i < ground.nodes(); ++i) {
    if (!field.proves(NodeId{i})) continue;
    ++proved;
    EXPECT_EQ(field.cost(NodeId{i}), truth[i]) << "node " << i;
    if (field.cost(NodeId{i}) != truth[i]) break;
  }
  return proved;
}

void check_path(const Ground& ground, const GoalField<GridGraph>& field, NodeId from) {
  std::vector<NodeId> path;
  ASSERT_EQ(field.append_path(from, &path), field.cost(from) != kUnreachable);
  Cost sum = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    sum += ground.graph.cost_between(path[i], path[i + 1]);
  if (!path.empty()) {
    ASSERT_EQ(sum, field.cost(from));
  }
}

// Cell by cell: every cell of a run but the last hands on only to the next one, and the run stops
// only where it must, or at the end of a word.
TEST(GridGoalFieldProperty, RunsAreWhatSingleStepsSay) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 3);
  std::uint64_t cells = 0;
  for (int w = 0; w < 60; ++w) {
    const GridLayer layer = test::random_layer(&random);
    const GridGraph graph(&layer, Topology::k8,
                          random.below(2) == 0 ? CornerRule::kNone : CornerRule::kOne);
    for (std::uint32_t i = 0; i < layer.node_count(); ++i)
      for (const std::uint32_t arrival : {1u, 3u, 4u, 6u}) {
        const auto [dx, dy] = kDirections[arrival];
        NodeId at{i};
        if (!layer.is_free(at) || !layer.is_free(layer.x_of(at) - dx, layer.y_of(at) - dy))
          continue;
        const FieldRun run = graph.run_from(at, arrival);
        ASSERT_LE(run.nodes, kFieldRunMax);
        const auto onward = [&](bool* straight) {
          std::uint32_t others = 0;
          *straight = false;
          graph.for_each_predecessor_after(at, arrival, [&](NodeId m, Cost step, std::uint32_t a) {
            *straight |= a == arrival;
            others += a != arrival;
            if (a != arrival || run.nodes == 0) return;
            EXPECT_EQ(index(m), index(at) + run.stride);
            EXPECT_EQ(step, run.step);
          });
          return others;
        };
        bool straight = true;
        for (std::uint32_t n = 0; n < run.nodes; ++n) {
          ASSERT_TRUE(straight) << "node " << i << " arrival " << arrival;
          ASSERT_EQ(onward(&straight), 0u) << "node " << i << " arrival " << arrival;
          at = NodeId{index(at) + run.stride};
        }
        ASSERT_EQ(run.ends, !straight);
        cells += run.nodes;
        const std::int32_t x = layer.x_of(at) & kTileMask;
        if (run.ends || run.nodes == kFieldRunMax || x == 0 || x == kTileMask) continue;
        const bool stops_for_one = onward(&straight) > 0;
        const bool may_stop = layer.x_of(at) == 0 || layer.y_of(at) == 0 || dx != 0;
        ASSERT_TRUE(stops_for_one || may_stop) << "node " << i << " arrival " << arrival;
      }
  }
  EXPECT_GT(cells, 100'000u);
}

TEST(GridGoalFieldProperty, WhateverItProvesIsTrueWhereverItIsCut) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::uint64_t proved_half_way = 0;
  for (int w = 0; w < 150; ++w) {
    Ground ground(&random);
    GoalField field(ground.graph, ground.goals(), kStraightStep);
    // In some worlds slices have few nodes, so that edits come in the middle of a bucket.
    const std::uint32_t slice_max = 1 + random.below(random.below(2) == 0 ? 30 : ground.nodes());
    for (int step = 0; step < 40; ++step) {
      SCOPED_TRACE(::testing::Message() << "world " << w << " step " << step);
      if (random.below(3) != 0) ground.edit(&field);
      const NodeId target = ground.any();
      std::uint32_t slice = random.below(slice_max);
      const Progress progress = field.advance_to(target, &slice);
      ASSERT_EQ(field.proves(target), progress != Progress::kOutOfBudget);
      if (progress == Progress::kPathFound) check_path(ground, field, target);
      const std::uint32_t proved = check_all(ground, field);
      if (progress == Progress::kOutOfBudget) proved_half_way += proved;
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(proved_half_way, 10'000u);
}

TEST(GridGoalFieldProperty, EveryNodeIsRightAfterEveryBatch) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  std::uint64_t rebuilds = 0;
  for (int w = 0; w < 100; ++w) {
    Ground ground(&random);
    GoalField field(ground.graph, ground.goals(), kStraightStep);
    for (int batch = 0; batch < 30; ++batch) {
      SCOPED_TRACE(::testing::Message() << "world " << w << " batch " << batch);
      for (std::uint32_t edits = random.below(4); edits > 0; --edits) ground.edit(&field);
      for (std::uint32_t i = 0; i < ground.nodes(); ++i) {
        std::uint32_t plenty = kPlenty;
        ASSERT_NE(field.advance_to(NodeId{i}, &plenty), Progress::kOutOfBudget);
      }
      ASSERT_EQ(check_all(ground, field), ground.nodes());
      if (::testing::Test::HasFailure()) return;
    }
    rebuilds += field.rebuilds();
  }
  EXPECT_GT(rebuilds, 20u);
}

// The field continues, finished or not, and its final result is right.
TEST(GridGoalFieldProperty, EditsInTheMiddleOfABucketLoseNothing) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 2);
  for (int w = 0; w < 400; ++w) {
    SCOPED_TRACE(::testing::Message() << "world " << w);
    Ground ground(&random);
    GoalField field(ground.graph, ground.goals(), kStraightStep);
    for (std::uint32_t cuts = 1 + random.below(4); cuts > 0; --cuts) {
      std::uint32_t slice = random.below(ground.nodes());
      (void)field.advance_to(ground.any(), &slice);
      ground.edit(&field);
    }
    for (std::uint32_t i = 0; i < ground.nodes(); ++i) {
      std::uint32_t plenty = kPlenty;
      ASSERT_NE(field.advance_to(NodeId{i}, &plenty), Progress::kOutOfBudget);
    }
    ASSERT_EQ(check_all(ground, field), ground.nodes());
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace repath
