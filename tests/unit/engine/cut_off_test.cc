// Queries whose goal cannot be reached: their expansions before labels answer them, and after.
#include "engine/cut_off.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::SmallWorld;

constexpr std::int32_t kWidth = 1100;
constexpr std::int32_t kHeight = 600;
constexpr CellRect kWall{700, 0, 701, kHeight};
constexpr std::uint64_t kFlood = 700 * kHeight;  // cells to the left of the wall

PathQuery across(QueryAlgorithm algorithm) {
  PathQuery query;
  query.from = SmallWorld::centre(10, 10);
  query.goals = {SmallWorld::centre(1090, 590), SmallWorld::centre(710, 5)};
  query.algorithm = algorithm;
  return query;
}

class WallAcross : public testing::Test {
 protected:
  WallAcross() : world(test::open_map(kWidth, kHeight)) { world.block(1, kWall); }

  Snapshot snapshot() { return *world->capture("default", TeamId{})->grid; }
  static std::uint64_t expanded(const Snapshot& world, const PathQuery& query,
                                QueryState state = QueryState::kUnreachable) {
    const PathAnswer answer = find_path(world, query, QueryLimits{});
    EXPECT_EQ(answer.state, state);
    return answer.expanded;
  }
  static void find_everything(const Snapshot& world) {
    for (std::uint32_t block = 0; block < world.components->block_count(); ++block)
      ASSERT_TRUE(world.components->label(block));
    ASSERT_TRUE(world.components->join());
  }

  SmallWorld world;
};

// The cost of searches before labels are made is golden. A larger cost loses time; a smaller one
// slows down searches that have a path.
TEST_F(WallAcross, OnceItIsKnownNothingIsExpanded) {
  const PathQuery query = across(QueryAlgorithm::kAStar);
  EXPECT_EQ(expanded(snapshot(), query), 20'992u);
  EXPECT_EQ(expanded(snapshot(), query), 0u);
  EXPECT_EQ(expanded(snapshot(), across(QueryAlgorithm::kAuto)), 0u);
  // A stone moves on the far side; the labels of its tile and the groups must be found again.
  world.block(2, {900, 300, 901, 301});
  EXPECT_EQ(expanded(snapshot(), query), 512u);
  EXPECT_EQ(expanded(snapshot(), query), 0u);
}

TEST_F(WallAcross, AfterFloodsThatFoundNothingLabelsComeSooner) {
  PathQuery query = across(QueryAlgorithm::kAStar);
  Snapshot here = snapshot();
  // As if each of these searches had ended just before labels were worth their cost.
  here.components->demand().in_vain = 10'000;
  EXPECT_EQ(expanded(here, query), 8'704u);
}

TEST_F(WallAcross, APathThatIsThereIsNotSearchedLonger) {
  const Snapshot here = snapshot();
  PathQuery query = across(QueryAlgorithm::kAStar);
  query.goals = {SmallWorld::centre(690, 590)};
  const std::uint64_t before = expanded(here, query, QueryState::kComplete);
  find_everything(here);
  EXPECT_EQ(expanded(here, query, QueryState::kComplete), before);
}

TEST_F(WallAcross, PartialFloodsOnceInsteadOfTwice) {
  const Snapshot here = snapshot();
  find_everything(here);
  PathQuery query = across(QueryAlgorithm::kAStar);
  query.allow_partial = true;
  EXPECT_EQ(expanded(here, query, QueryState::kPartial), kFlood);
}

TEST_F(WallAcross, ExplainingShowsWhatASearchWouldLookAt) {
  const Snapshot here = snapshot();
  find_everything(here);
  PathQuery query = across(QueryAlgorithm::kAStar);
  query.explain = true;
  EXPECT_EQ(find_path(here, query, QueryLimits{}).touched.size(), kFlood);
}

TEST_F(WallAcross, TheNearestOfGoalsThatNobodyReachesIsKnownToo) {
  const Snapshot here = snapshot();
  const std::vector<MapPoint> goals{SmallWorld::centre(1090, 590), SmallWorld::centre(700, 5)};
  find_everything(here);
  const NearestGoal nearest =
      find_nearest_goal(here, SmallWorld::centre(10, 10), goals, QueryLimits{});
  EXPECT_EQ(nearest.state, QueryState::kUnreachable);
  EXPECT_EQ(nearest.path.expanded, 0u);
}

TEST_F(WallAcross, ABudgetThatIsSpentFirstProvesNothing) {
  QueryLimits limits;
  limits.max_expansions = 512;
  const Snapshot here = snapshot();
  here.components->demand().in_vain = 1'000'000;
  EXPECT_EQ(find_path(here, across(QueryAlgorithm::kAStar), limits).state,
            QueryState::kOutOfBudget);
  EXPECT_FALSE(here.components->is_joined());
}

// A snapshot keeps its answer while the world changes, whichever query finds the labels first.
TEST_F(WallAcross, AnOlderSnapshotStaysRight) {
  const Snapshot shut = snapshot();
  world.shut(1, false);
  const Snapshot open = snapshot();
  find_everything(open);
  const PathQuery query = across(QueryAlgorithm::kAStar);
  EXPECT_GT(expanded(open, query, QueryState::kComplete), 0u);
  EXPECT_GT(expanded(shut, query), 0u);
  EXPECT_EQ(expanded(shut, query), 0u);
  EXPECT_GT(expanded(open, query, QueryState::kComplete), 0u);
}

// A query whose start is in a closed room only needs its own block and the goal's.
TEST_F(WallAcross, ARoomIsKnownByItsOwnBlock) {
  world.block(2, {100, 100, 301, 101});
  world.block(3, {100, 300, 301, 301});
  world.block(4, {100, 100, 101, 301});
  world.block(5, {300, 100, 301, 301});
  const Snapshot here = snapshot();
  PathQuery query = across(QueryAlgorithm::kAStar);
  query.from = SmallWorld::centre(200, 200);
  EXPECT_EQ(expanded(here, query), 12'800u);
  EXPECT_EQ(expanded(here, query), 0u);
  EXPECT_FALSE(here.components->is_joined());
}

// Without labels a closed room in the area would make the field flood everything that its goals can
// reach.
TEST_F(WallAcross, AFlowFieldDoesNotLookForTheWayIntoAClosedRoom) {
  world.block(2, {100, 100, 111, 101});
  world.block(3, {100, 110, 111, 111});
  world.block(4, {100, 100, 101, 111});
  world.block(5, {110, 100, 111, 111});
  FlowQuery query;
  query.goals = {SmallWorld::centre(80, 80)};
  query.area = {90, 90, 119, 119};
  const Snapshot here = snapshot();
  Snapshot bare = here;
  bare.components.reset();
  const FlowField flood = find_flow_field(bare, query, QueryLimits{});
  const FlowField first = find_flow_field(here, query, QueryLimits{});
  const FlowField known = find_flow_field(here, query, QueryLimits{});
  EXPECT_EQ(flood.expanded, kFlood - 40 - 81);
  EXPECT_EQ(first.expanded, 20'480u);
  EXPECT_EQ(known.expanded, 12'288u);
  for (const FlowField& field : {first, known}) {
    EXPECT_EQ(field.state, QueryState::kComplete);
    EXPECT_EQ(field.costs, flood.costs);
    EXPECT_EQ(field.directions, flood.directions);
  }
}

}  // namespace
}  // namespace repath
