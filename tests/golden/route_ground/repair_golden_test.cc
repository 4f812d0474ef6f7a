// The work of agents on a graph of streets while streets are shut and opened, by strategy. Equal in
// Debug and Release, on every machine.
//
// Another hash of costs means that some agent has another route cost, which is wrong. More
// expansions mean wasted work. If they are intended, change the figures here, and explain it in the
// commit.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "base/hash.h"
#include "base/random.h"
#include "support/route_bed.h"
#include "support/street_graph.h"

namespace repath {
namespace {

using test::StreetGraph;

struct Golden {
  Strategy strategy;
  std::string name;
  std::uint64_t searches;
  std::uint64_t repairs;
  std::uint64_t capped;
  std::uint64_t expansions;
};
void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

class RepairsOfFixedGames : public testing::TestWithParam<Golden> {};

TEST_P(RepairsOfFixedGames, TakeAsManyExpansions) {
  const Golden& golden = GetParam();
  const StreetGraph streets{.side = 40};
  test::RouteBed bed(streets.make(), {.strategy = golden.strategy});
  Random random(7);
  const auto some = [&] { return random.below(40); };
  for (std::uint64_t id = 1; id <= 24; ++id) {
    const std::uint32_t goal = static_cast<std::uint32_t>(id % 3);  // eight agents share each
    bed.put(test::agent_from(id, StreetGraph::point(some(), some()),
                             StreetGraph::point(5 + 14 * goal, 20)));
  }
  bed.settle();
  Hasher costs;
  for (int act = 0; act < 150; ++act) {
    bed.apply(streets.shut(some(), some(), act % 3 == 2));
    bed.step(100 + random.below(2000));
    if (act % 4 == 0) bed.settle();
    if (act % 4 != 0) continue;
    for (std::uint64_t id = 1; id <= 24; ++id) costs.add(bed.view_of(AgentId{id}).held_cost);
  }
  StrategyStats sum;
  for (const StrategyStats& of : bed.stats().strategies) {
    sum.searches += of.searches;
    sum.repairs += of.repairs;
    sum.capped += of.capped;
    sum.expansions += of.expansions;
  }
  EXPECT_EQ(costs.value(), 1262040942902469973u);  // whatever the strategy
  EXPECT_EQ(sum.searches, golden.searches);
  EXPECT_EQ(sum.repairs, golden.repairs);
  EXPECT_EQ(sum.capped, golden.capped);
  EXPECT_EQ(sum.expansions, golden.expansions);
}

INSTANTIATE_TEST_SUITE_P(ByStrategy, RepairsOfFixedGames,
                         testing::Values(Golden{Strategy::kAuto, "Auto", 93, 59, 3, 16340},
                                         Golden{Strategy::kAStar, "AStar", 98, 0, 0, 27368},
                                         Golden{Strategy::kLpa, "Lpa", 97, 58, 2, 12646},
                                         Golden{Strategy::kDStarLite, "DStarLite", 98, 61, 3,
                                                13112},
                                         Golden{Strategy::kField, "Field", 96, 91, 1, 7893}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace repath
