// Golden numbers of HPA*'s expansions and of the facts found again after edits, and a hash of the
// paths. A change here need not be wrong, but it is a change of the algorithm: the commit must
// explain it.
#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "grid/hpa/hpa_search.h"
#include "support/random_layers.h"

namespace repath {
namespace {

struct Totals {
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
  std::uint64_t made = 0;   // clusters, after edits
  std::uint64_t paths = 0;  // hash
  bool operator==(const Totals&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Totals& t) {
  return out << "{" << t.expanded << "u, " << t.generated << "u, " << t.made << "u, " << t.paths
             << "u}";
}

std::uint64_t made_by(const HpaMap& map) {
  std::uint64_t made = 0;
  for (int level = 1; level <= map.shape().levels; ++level)
    for (std::uint32_t c = 0; c < map.cluster_count(level); ++c) map.facts(level, c, &made);
  return made;
}

// 20 queries on each of 30 layers; the layers change between them.
Totals totals(const HpaShape& shape, CornerRule rule) {
  Random random(20261122);
  Totals totals;
  Hasher paths;
  for (int round = 0; round < 30; ++round) {
    GridLayer layer = test::random_layer(&random);
    HpaMap map(layer, Topology::k8, rule, shape);
    made_by(map);
    for (int query = 0; query < 20; ++query) {
      HpaSearch search(map, NodeId{random.below(layer.node_count())},
                       GoalSet{NodeId{random.below(layer.node_count())}});
      std::uint32_t plenty = 10'000'000;
      std::vector<NodeId> path;
      if (search.advance(&plenty) == Progress::kPathFound) search.append_path(&path);
      totals.expanded += search.expanded();
      totals.generated += search.generated();
      for (const NodeId node : path) paths.add(std::uint64_t{index(node)});
      paths.add(path.size());
      test::flip(&layer, test::random_cells(&random, layer));
      map.update(layer);
      totals.made += made_by(map);
    }
  }
  totals.paths = paths.value();
  return totals;
}

TEST(HpaGolden, OneLevel) {
  EXPECT_EQ(totals({}, CornerRule::kNone), (Totals{43191u, 10598u, 1088u, 2502423992074598005u}));
}

TEST(HpaGolden, ThreeLevels) {
  const HpaShape shape{.side = 8, .factor = 3, .levels = 3};
  EXPECT_EQ(totals(shape, CornerRule::kOne), (Totals{30662u, 20222u, 3341u, 4279243940199257178u}));
}

}  // namespace
}  // namespace repath
