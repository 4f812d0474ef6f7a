// Searches that agents on a graph keep and repair.
#include "route_ground/kept_searches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "support/route_bed.h"
#include "support/street_graph.h"

namespace repath {
namespace {

using test::agent_from;
using test::kinds_of;
using test::RouteBed;
using test::StreetGraph;
using ::testing::ElementsAre;

constexpr AgentId kOne{1};
constexpr WorkUnits kPlenty = 100'000;

StrategyStats stats_of(const RouteBed& bed, SearchKind kind) {
  return bed.stats().strategies[static_cast<std::size_t>(kind)];
}

class KeptSearch : public ::testing::TestWithParam<Strategy> {
 protected:
  KeptSearch() : bed_(streets_.make(), {.strategy = GetParam()}) {
    bed_.put(agent_from(1, StreetGraph::point(1, 10), StreetGraph::point(18, 10)));
    bed_.settle();
  }
  SearchKind kind() const {
    switch (GetParam()) {
      case Strategy::kLpa:
        return SearchKind::kLpa;
      case Strategy::kField:
        return SearchKind::kField;
      default:
        return SearchKind::kDStarLite;
    }
  }
  double length() const { return units_from_route_cost(bed_.view_of(kOne).held_cost); }

  StreetGraph streets_;
  RouteBed bed_;
};

// Of the many shortest ways one loses a node, near the end that the search did not begin at.
TEST_P(KeptSearch, IsRepairedAfterAChange) {
  bed_.put(agent_from(2, StreetGraph::point(1, 2), StreetGraph::point(18, 18)));
  bed_.settle();
  const StrategyStats before = stats_of(bed_, kind());
  ASSERT_EQ(before.searches, 2u);
  ASSERT_EQ(before.repairs, 0u);
  const std::vector<RoutePoint> route = bed_.view_of(AgentId{2}).verdict.path->points;
  const std::uint64_t shut = route[is_goal_rooted(kind()) ? 3 : route.size() - 4].node;
  bed_.apply(StreetGraph::edit(SwitchGraphNode{shut, false}));
  EXPECT_THAT(kinds_of(bed_.settle()), ElementsAre(EventType::kInvalidated, EventType::kReplanned));
  EXPECT_EQ(units_from_route_cost(bed_.view_of(AgentId{2}).held_cost), 330);
  const StrategyStats after = stats_of(bed_, kind());
  EXPECT_EQ(after.searches, 3u);
  EXPECT_EQ(after.repairs, 1u);
  EXPECT_EQ(after.capped, 0u);
  EXPECT_LT(after.expansions - before.expansions, 64u);
  EXPECT_EQ(stats_of(bed_, SearchKind::kAStar).searches, 0u);
}

// The frame's budget is used up by the first slice; then the ground changes under the search.
TEST_P(KeptSearch, TakesInWhatChangesWhileItRuns) {
  bed_.apply(streets_.shut(17, 10));
  bed_.step(1);
  bed_.apply(streets_.shut(17, 9));
  bed_.apply(streets_.shut(17, 11));
  bed_.settle();
  EXPECT_EQ(length(), 210);
}

// A node that is put in makes another shape of the graph: nothing that was kept may go on.
TEST_P(KeptSearch, BeginsAnewOnceTheGraphHasAnotherShape) {
  ChangeBatch batch = StreetGraph::edit(GraphNode{.id = 9000, .x = 95, .y = 0, .z = 300});
  bed_.apply(batch);
  bed_.apply(streets_.shut(17, 10));
  bed_.settle();
  EXPECT_EQ(length(), 190);
  EXPECT_EQ(stats_of(bed_, kind()).repairs, 0u);
}

TEST_P(KeptSearch, BeginsAnewOnceEdgesMayBeCheaperThanTheBound) {
  bed_.apply(StreetGraph::edit(PriceGraphEdge{streets_.id(5, 9), streets_.id(6, 9), 1}));
  bed_.settle();
  EXPECT_EQ(stats_of(bed_, kind()).repairs, 0u);
  bed_.apply(StreetGraph::edit(PriceGraphEdge{streets_.id(7, 9), streets_.id(8, 9), 1}));
  bed_.settle();
  bed_.apply(StreetGraph::edit(PriceGraphEdge{streets_.id(9, 9), streets_.id(10, 9), 1}));
  bed_.settle();
  EXPECT_EQ(length(), 170 + 20 - 27);
  EXPECT_GT(stats_of(bed_, kind()).repairs, 0u);
}

TEST_P(KeptSearch, IsNotUsedForOtherGoals) {
  bed_.put(agent_from(1, StreetGraph::point(1, 10), StreetGraph::point(18, 18)));
  bed_.settle();
  EXPECT_EQ(length(), 250);
  EXPECT_EQ(stats_of(bed_, kind()).repairs, 0u);
}

// On a graph a shut goal is replaced by the nearest open node.
TEST_P(KeptSearch, IsNotUsedForAnotherPlaceOfTheSameGoal) {
  bed_.apply(streets_.shut(18, 10));
  bed_.settle();
  const double x = bed_.view_of(kOne).verdict.path->points.back().at.x;
  EXPECT_EQ(length(), x == 170 ? 160 : x == 190 ? 200 : 180);
  EXPECT_EQ(stats_of(bed_, kind()).repairs, 0u);
}

INSTANTIATE_TEST_SUITE_P(Strategies, KeptSearch,
                         ::testing::Values(Strategy::kLpa, Strategy::kDStarLite, Strategy::kField),
                         [](const auto& test) {
                           return test.param == Strategy::kLpa     ? "Lpa"
                                  : test.param == Strategy::kField ? "Field"
                                                                   : "DStarLite";
                         });

TEST(KeptSearches, OfDStarLiteServeAnAgentThatWasPutElsewhere) {
  const StreetGraph streets;
  RouteBed bed(streets.make(), {.strategy = Strategy::kDStarLite});
  bed.put(agent_from(1, StreetGraph::point(1, 10), StreetGraph::point(18, 10)));
  bed.settle();
  bed.report(StreetGraph::point(3, 12));
  bed.settle();
  EXPECT_EQ(stats_of(bed, SearchKind::kDStarLite).repairs, 1u);
  EXPECT_EQ(units_from_route_cost(bed.view().held_cost), 170);
}

TEST(KeptSearches, OfLpaServeOneStart) {
  const StreetGraph streets;
  RouteBed bed(streets.make(), {.strategy = Strategy::kLpa});
  bed.put(agent_from(1, StreetGraph::point(1, 10), StreetGraph::point(18, 10)));
  bed.settle();
  bed.report(StreetGraph::point(3, 12));
  bed.settle();
  EXPECT_EQ(stats_of(bed, SearchKind::kLpa).repairs, 0u);
  EXPECT_EQ(units_from_route_cost(bed.view().held_cost), 170);
}

TEST(KeptSearches, AFieldServesAllThatShareTheGoal) {
  const StreetGraph streets;
  RouteBed bed(streets.make(), {.strategy = Strategy::kField});
  for (std::uint64_t id = 1; id <= 12; ++id)
    bed.put(agent_from(id, StreetGraph::point(static_cast<std::uint32_t>(id), 2),
                       StreetGraph::point(18, 10)));
  bed.settle();
  const StrategyStats stats = stats_of(bed, SearchKind::kField);
  EXPECT_EQ(stats.searches, 12u);
  EXPECT_EQ(stats.repairs, 11u);
  EXPECT_LE(stats.expansions, 400u) << "each node is settled once";
  EXPECT_EQ(bed.stats().fields, 1u);
  for (std::uint64_t id = 1; id <= 12; ++id)
    EXPECT_EQ(units_from_route_cost(bed.view_of(AgentId{id}).held_cost),
              10.0 * static_cast<double>(18 - id + 8));
}

TEST(KeptSearches, AProfileHasItsOwn) {
  const StreetGraph streets;
  const Profile slow{.name = "slow", .areas = {{0, 2.0}}};
  RouteBed bed(streets.make({slow}), {.strategy = Strategy::kDStarLite});
  AgentSpec spec = agent_from(1, StreetGraph::point(1, 10), StreetGraph::point(18, 10));
  bed.put(spec);
  bed.settle();
  spec.profile = "slow";
  bed.put(spec);
  bed.settle();
  EXPECT_EQ(units_from_route_cost(bed.view().held_cost), 340);
  EXPECT_EQ(stats_of(bed, SearchKind::kDStarLite).repairs, 0u);
}

TEST(KeptSearches, StayWithinTheirMemory) {
  constexpr std::uint64_t kBytesMax = 200'000;
  const StreetGraph streets{.side = 40};
  RouteBed bed(streets.make(),
               {.strategy = Strategy::kDStarLite, .search_memory_bytes = kBytesMax});
  for (std::uint64_t id = 1; id <= 30; ++id)
    bed.put(agent_from(id, StreetGraph::point(1, static_cast<std::uint32_t>(id)),
                       StreetGraph::point(38, static_cast<std::uint32_t>(40 - id))));
  bed.settle();
  EXPECT_LE(bed.stats().search_state_bytes, kBytesMax);
  for (std::uint64_t id = 1; id <= 30; ++id)
    EXPECT_EQ(units_from_route_cost(bed.view_of(AgentId{id}).held_cost),
              10.0 * (37 + std::abs(40 - 2 * static_cast<int>(id))));
  for (std::uint32_t x = 4; x < 36; x += 2) {
    bed.apply(streets.shut(x, 20));
    bed.settle();
    EXPECT_LE(bed.stats().search_state_bytes, kBytesMax);
  }
  EXPECT_GT(bed.stats().search_state_bytes, 0u);
  EXPECT_GT(bed.stats().evictions, 0u);
}

// Runs frames until no agent waits. Returns the peak of the memory for search state.
std::uint64_t peak_bytes(RouteBed* bed, const StreetGraph& streets, std::uint32_t agents) {
  for (std::uint32_t id = 1; id <= agents; ++id)
    bed->put(agent_from(id, StreetGraph::point(1, id),
                        StreetGraph::point(streets.side - 2, streets.side - id)));
  std::uint64_t peak = 0;
  std::uint64_t served = 0;
  for (int frame = 0; frame < 10'000 && served < agents; ++frame) {
    bed->step(600);
    peak = std::max(peak, bed->stats().search_state_bytes);
    served += bed->events().size();
  }
  EXPECT_EQ(served, agents);
  return peak;
}

TEST(KeptSearches, ExceedTheirMemoryByOneSearchAtTheMost) {
  const StreetGraph streets{.side = 150};
  for (const Strategy strategy :
       {Strategy::kAStar, Strategy::kLpa, Strategy::kDStarLite, Strategy::kField}) {
    SCOPED_TRACE(static_cast<int>(strategy));
    RouteBed alone(streets.make(), {.strategy = strategy});
    const std::uint64_t one = peak_bytes(&alone, streets, 1);
    EXPECT_GT(one, 10'000u);
    RouteBed bed(streets.make(), {.strategy = strategy, .search_memory_bytes = one});
    EXPECT_LE(peak_bytes(&bed, streets, 20), 2 * one + one / 4);  // a round's part above
    EXPECT_LE(bed.stats().search_state_bytes, one);
  }
}

// A search that every frame interrupts reaches its cap, and one on a copy ends.
TEST(KeptSearches, EndWhateverIsEdited) {
  const StreetGraph streets{.side = 60};
  for (const Strategy strategy : {Strategy::kLpa, Strategy::kDStarLite, Strategy::kField}) {
    RouteBed bed(streets.make(), {.strategy = strategy});
    bed.put(agent_from(1, StreetGraph::point(1, 30), StreetGraph::point(58, 30)));
    int frame = 0;
    for (; frame < 1000 && bed.view().verdict.path == std::nullopt; ++frame) {
      bed.step(20);
      bed.apply(streets.shut(30, static_cast<std::uint32_t>(2 + frame % 50), frame % 100 >= 50));
    }
    EXPECT_LT(frame, 1000) << static_cast<int>(strategy);
  }
}

TEST(RouteSearchCosts, RepairsPayAsLongAsTheySaveMoreThanTheyCost) {
  RouteSearchCosts costs(10'000);
  costs.note_fresh(SearchKind::kAStar, 1000);
  EXPECT_TRUE(costs.repairs_pay());
  for (int i = 0; i < 200; ++i) costs.note_repair(250, false);
  EXPECT_FALSE(costs.repairs_pay());
  for (int i = 0; i < 2000; ++i) costs.note_repair(20, true);
  EXPECT_TRUE(costs.repairs_pay());
}

TEST(RouteSearchCosts, AFieldPaysForAsManyAsWouldCostMoreOneByOne) {
  RouteSearchCosts costs(10'000);
  costs.note_single(300, true);
  costs.note_fresh(SearchKind::kField, 3000);
  EXPECT_FALSE(costs.new_field_pays(9));
  EXPECT_TRUE(costs.new_field_pays(10));
  costs.note_field(100, 1);
  EXPECT_TRUE(costs.field_pays(1, 3));
  EXPECT_FALSE(costs.field_pays(1, 4));
}

}  // namespace
}  // namespace repath
