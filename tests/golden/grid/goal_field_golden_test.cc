// Golden counts of the work of goal fields over grids, and a hash of their costs. A change here
// need not be wrong, but it is a change of the algorithm: the commit must explain it.
#include "search/incremental/goal_field.h"

#include <gtest/gtest.h>

#include <ostream>

#include "base/hash.h"
#include "base/random.h"
#include "grid/cells/graph.h"
#include "support/random_layers.h"

namespace repath {
namespace {

struct Totals {
  std::uint64_t expanded = 0;
  std::uint64_t raised = 0;
  std::uint64_t rebuilds = 0;
  std::uint64_t costs = 0;  // hash
  bool operator==(const Totals&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Totals& t) {
  return out << "{" << t.expanded << "u, " << t.raised << "u, " << t.rebuilds << "u, " << t.costs
             << "u}";
}

// 30 edits of each of 40 layers; three agents ask after each edit.
Totals totals(Topology topology, CornerRule rule) {
  Random random(20261122);
  Totals totals;
  Hasher costs;
  for (int round = 0; round < 40; ++round) {
    GridLayer layer = test::random_layer(&random);
    const GridGraph graph(&layer, topology, rule);
    GoalField field(graph, {NodeId{random.below(layer.node_count())}}, kStraightStep);
    for (int edit = 0; edit < 30; ++edit) {
      for (int agent = 0; agent < 3; ++agent) {
        const NodeId from{random.below(layer.node_count())};
        std::uint32_t plenty = 10'000'000;
        EXPECT_NE(field.advance_to(from, &plenty), Progress::kOutOfBudget);
        costs.add(field.cost(from));
      }
      const std::vector<NodeId> cells = test::random_cells(&random, layer);
      test::flip(&layer, cells);
      for (const NodeId cell : cells)
        for (std::int32_t i = 0; i < 9; ++i) {
          const std::int32_t x = layer.x_of(cell) + i % 3 - 1;
          const std::int32_t y = layer.y_of(cell) + i / 3 - 1;
          if (layer.contains(x, y)) field.on_edges_changed(layer.node_at(x, y));
        }
    }
    totals.expanded += field.expanded();
    totals.raised += field.raised();
    totals.rebuilds += field.rebuilds();
  }
  totals.costs = costs.value();
  return totals;
}

TEST(GoalFieldGolden, EightNeighbours) {
  EXPECT_EQ(totals(Topology::k8, CornerRule::kNone),
            (Totals{952664u, 32482u, 26u, 6755083006738716360u}));
  EXPECT_EQ(totals(Topology::k8, CornerRule::kOne),
            (Totals{956793u, 31391u, 24u, 3153454136498945025u}));
}

TEST(GoalFieldGolden, FourNeighbours) {
  EXPECT_EQ(totals(Topology::k4, CornerRule::kNone),
            (Totals{1034442u, 27821u, 20u, 1892891751293812862u}));
}

}  // namespace
}  // namespace repath
