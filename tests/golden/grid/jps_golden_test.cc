// Golden numbers of the expansions of jump point search, and a hash of the paths. A change here
// need not be wrong, but it is a change of the algorithm: the commit must explain it.
#include "grid/jps/jps.h"

#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "support/ascii_grid.h"
#include "support/node_goals.h"
#include "support/random_layers.h"
#include "support/totals.h"

namespace repath {
namespace {

using test::Totals;

// 60 queries on each of 40 layers; the layers change between them.
Totals totals(CornerRule rule, std::uint32_t goals_max) {
  Random random(20261122);
  Totals totals;
  Hasher paths;
  for (int round = 0; round < 40; ++round) {
    GridLayer layer = test::random_layer(&random);
    JumpMap map(layer, rule);
    for (int query = 0; query < 60; ++query) {
      std::vector<NodeId> goals;
      for (std::uint32_t n = 1 + random.below(goals_max); n > 0; --n)
        goals.push_back(NodeId{random.below(layer.node_count())});
      const test::NodeGoals targets(layer, GoalSet(goals));
      JumpPointSearch search = targets.search(layer, map, NodeId{random.below(layer.node_count())});
      std::uint32_t plenty = 1'000'000;
      const Progress progress = search.advance(&plenty);
      totals.expanded += search.expanded();
      totals.generated += search.generated();
      std::vector<NodeId> path;
      if (progress == Progress::kPathFound) search.append_path(&path);
      for (const NodeId node : path) paths.add(std::uint64_t{index(node)});
      paths.add(path.size());
      const std::vector<NodeId> cells = test::random_cells(&random, layer);
      test::flip(&layer, cells);
      map.update(layer, cells);
    }
  }
  totals.paths = paths.value();
  return totals;
}

TEST(JumpPointsGolden, OneGoal) {
  EXPECT_EQ(totals(CornerRule::kNone, 1), (Totals{23741u, 43675u, 12895629805471819743u}));
  EXPECT_EQ(totals(CornerRule::kOne, 1), (Totals{25757u, 49884u, 14909553474538492251u}));
}

TEST(JumpPointsGolden, ManyGoals) {
  EXPECT_EQ(totals(CornerRule::kNone, 20), (Totals{10679u, 20557u, 12985883459369371025u}));
  EXPECT_EQ(totals(CornerRule::kOne, 20), (Totals{9989u, 21076u, 16301169059093790907u}));
}

}  // namespace
}  // namespace repath
