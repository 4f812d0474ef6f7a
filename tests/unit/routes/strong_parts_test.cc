// Strong parts against a plain search from every node of random graphs.
#include "routes/strong_parts.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
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
    StrongParts parts(ways);
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
  StrongParts parts(ways);
  EXPECT_TRUE(parts.leads(0, kNodes - 1));
  EXPECT_FALSE(parts.leads(kNodes - 1, 0));
}

}  // namespace
}  // namespace repath
