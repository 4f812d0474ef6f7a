// Strong parts against a plain search from every node of random graphs.
#include "routes/strong_parts.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/random.h"
#include "base/work_meter.h"
#include "support/counted_stop.h"
#include "support/node_ways.h"
#include "support/seed.h"

namespace repath {
namespace {

TEST(StrongParts, LeadWhereAPlainSearchGets) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int one_way = 0;
  for (int round = 0; round < 300; ++round) {
    const NodeWays ways = test::random_ways(&random, 1 + random.below(40), 1 + random.below(2));
    const std::unique_ptr<StrongParts> found = test::parts_of(ways);
    StrongParts& parts = *found;
    std::vector<std::vector<bool>> met;
    for (std::uint32_t n = 0; n < ways.node_count(); ++n) met.push_back(test::flood(ways, n));
    for (std::uint32_t a = 0; a < ways.node_count(); ++a)
      for (std::uint32_t b = 0; b < ways.node_count(); ++b) {
        ASSERT_EQ(parts.leads(a, b), met[a][b]) << a << " to " << b;
        ASSERT_EQ(parts.part_of(a) == parts.part_of(b), met[a][b] && met[b][a]);
        one_way += met[a][b] && !met[b][a] ? 1 : 0;
      }
  }
  EXPECT_GT(one_way, 1000);
}

TEST(StrongParts, ALongWayNeedsNoDeepStack) {
  constexpr std::uint32_t kNodes = 300'000;
  NodeWays ways;
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    if (n + 1 < kNodes) ways.targets.push_back(n + 1);
    ways.end_node();
  }
  const std::unique_ptr<StrongParts> found = test::parts_of(ways);
  StrongParts& parts = *found;
  EXPECT_TRUE(parts.leads(0, kNodes - 1));
  EXPECT_FALSE(parts.leads(kNodes - 1, 0));
}

// Each node leads to the next two, and the last ones to the first.
NodeWays ring(std::uint32_t nodes) {
  NodeWays ways;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    ways.targets.push_back((n + 1) % nodes);
    ways.targets.push_back((n + 2) % nodes);
    ways.end_node();
  }
  return ways;
}

TEST(StrongParts, TheMeterCountsNodesAndWays) {
  constexpr std::uint64_t kUnits =
      (StrongParts::kUnitsToPart + StrongParts::kUnitsToStep) * 3 * 1000;
  const NodeWays ways = ring(1000);
  WorkMeter enough({kUnits, 0, 0});
  EXPECT_NE(StrongParts::find(ways, &enough), nullptr);
  EXPECT_EQ(enough.spent(), kUnits);
  WorkMeter little({kUnits - 1, 0, 0});
  EXPECT_EQ(StrongParts::find(ways, &little), nullptr);
  EXPECT_TRUE(little.is_over());
  EXPECT_FALSE(little.is_stopped());
}

TEST(StrongParts, FindingThemEndsWhenItIsStopped) {
  const NodeWays ways = ring(100'000);  // the token is asked 22 times
  for (const int after : {1, 2, 10, 20}) {
    const test::CountedStop stop(after);
    WorkMeter meter(kNoWorkLimits, 0, &stop);
    EXPECT_EQ(StrongParts::find(ways, &meter), nullptr) << after;
    EXPECT_TRUE(meter.is_stopped());
    EXPECT_EQ(stop.asked(), after);
  }
}

}  // namespace
}  // namespace repath
