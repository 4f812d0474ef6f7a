// First legs: which agents are sent one, what it claims, and how the exact path follows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "grid_ground/state.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::SmallWorld;
using test::types;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int32_t kLegSide = 160;
constexpr WorkUnits kThinBudget = 400;  // a search takes about fifty frames

EngineOptions leading(Strategy strategy = Strategy::kAStar) {
  EngineOptions options;
  options.strategy = strategy;
  options.first_leg_cells = ReplanOptions::kLegsAlways;
  return options;
}

// Open ground of many costs.
GridMap rough_map() {
  GridMap map = test::open_map(kLegSide, kLegSide);
  Random random(5);
  for (TerrainId& cell : map.cells)
    if (random.below(2) == 0) cell = TerrainId{static_cast<std::uint8_t>(6 + random.below(9))};
  return map;
}

AgentSpec far_walker() {
  return SmallWorld::walker(1, SmallWorld::centre(3, 5), SmallWorld::centre(150, 140));
}

// Returns the events of the first frame that has any. No frame exceeds the budget.
std::vector<AgentEvent> next_events(SmallWorld& world) {
  for (int frame = 0; frame < 2000; ++frame) {
    EXPECT_LE(world->step(kThinBudget, world.now += 16'000).used, kThinBudget);
    std::vector<AgentEvent> events = world.events();
    if (!events.empty()) return events;
  }
  ADD_FAILURE() << "nothing is told";
  return {};
}

// Returns the path of the one event that comes next.
AgentPath next_path(SmallWorld& world, EventType type) {
  const std::vector<AgentEvent> events = next_events(world);
  EXPECT_THAT(types(events), ElementsAre(type));
  return events.empty() || !events[0].path ? AgentPath{} : *events[0].path;
}

Cost optimum(GridMap map, const AgentSpec& spec) {
  SmallWorld world(std::move(map));
  world.put(spec);
  world.settle();
  return world->agent(spec.id)->held_cost;
}

TEST(FirstLeg, ComesSoonIsBoundedAndSettlesNobody) {
  SmallWorld world(rough_map(), leading());
  world.put(far_walker());
  const AgentPath leg = next_path(world, EventType::kNewPath);
  EXPECT_EQ(leg.optimality, Optimality::kBounded);
  const Cost best = optimum(rough_map(), far_walker());
  EXPECT_GT(leg.cost, best);
  EXPECT_GE(leg.weight * static_cast<double>(best), static_cast<double>(leg.cost));
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{0});
  EXPECT_TRUE(world->agent(AgentId{1})->waiting);
  EXPECT_EQ(world->agent(AgentId{1})->verdict.path->optimality, Optimality::kBounded);
  EXPECT_EQ(world->stats().first_legs, 1u);
}

TEST(FirstLeg, IsFollowedByTheCheapestPathAsAnImprovement) {
  SmallWorld world(rough_map(), leading());
  world.put(far_walker());
  const AgentPath leg = next_path(world, EventType::kNewPath);
  const std::vector<AgentEvent> events = world.settle(kThinBudget);
  ASSERT_THAT(types(events), ElementsAre(EventType::kImproved));
  EXPECT_EQ(events[0].old_cost, leg.cost);
  EXPECT_EQ(events[0].cost, optimum(rough_map(), far_walker()));
  EXPECT_EQ(events[0].path->optimality, Optimality::kOptimal);
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{1});
}

// Hysteresis applies only after the exact path.
TEST(FirstLeg, IsNoReasonToKeepADearerPath) {
  SmallWorld world(rough_map(), leading());
  AgentSpec spec = far_walker();
  spec.min_improvement_ratio = 0.5;
  world.put(spec);
  next_path(world, EventType::kNewPath);
  EXPECT_THAT(types(world.settle(kThinBudget)), ElementsAre(EventType::kImproved));
}

// One winding path: no path is cheaper, but the bound does not show it.
GridMap winding_map() {
  GridMap map = test::open_map(48, 48);
  for (int y = 1; y < 48; y += 2)
    for (int x = 0; x < 47; ++x)
      map.cells[static_cast<std::size_t>(y * 48 + (y % 4 == 1 ? x : x + 1))] = TerrainId{1};
  return map;
}
AgentSpec winding_walker() {
  return SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(0, 46));
}

TEST(FirstLeg, ThatNothingUndercutsIsConfirmedBySilenceOrAWord) {
  for (const bool confirm : {false, true}) {
    SmallWorld world(winding_map(), leading());
    AgentSpec spec = winding_walker();
    spec.confirm = confirm;
    world.put(spec);
    const AgentPath leg = next_path(world, EventType::kNewPath);
    EXPECT_EQ(leg.optimality, Optimality::kBounded);
    const std::vector<AgentEvent> events = world.settle(kThinBudget);
    if (confirm)
      EXPECT_THAT(types(events), ElementsAre(EventType::kConfirmed));
    else
      EXPECT_THAT(events, IsEmpty());
    const AgentView agent = *world->agent(AgentId{1});
    EXPECT_EQ(agent.verdict.path->optimality, Optimality::kOptimal);
    EXPECT_EQ(agent.held_cost, leg.cost);
    EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{1});
  }
}

// A hole in the last wall saves 74 of the 1,174 steps of the whole leg, of which a half is walked.
TEST(FirstLeg, KeepsItsHysteresisWhileItIsWalked) {
  GridMap map = winding_map();
  map.cells[45 * 48 + 10] = TerrainId{0};
  SmallWorld world(std::move(map), leading());
  world.block(1, {10, 45, 11, 46});
  AgentSpec spec = winding_walker();
  spec.min_improvement_ratio = 0.1;
  world.put(spec);
  const AgentPath leg = next_path(world, EventType::kNewPath);
  ASSERT_EQ(leg.optimality, Optimality::kBounded);
  const auto node = static_cast<std::int32_t>(index(leg.nodes[leg.nodes.size() / 2]));
  world.report(1, SmallWorld::centre(node % 48, node / 48), leg.version);
  ASSERT_THAT(world.settle(kThinBudget), IsEmpty());
  world.shut(1, false);
  EXPECT_THAT(world.settle(), IsEmpty());
  EXPECT_GT(leg.cost / 10, 74 * kStraightStep);
  EXPECT_LT(world->agent(AgentId{1})->held_cost / 10, 74 * kStraightStep);
}

// A first leg that costs no more than its bound is proved.
TEST(FirstLeg, OnOpenGroundIsOptimalAndSettles) {
  SmallWorld world(test::open_map(kLegSide, kLegSide), leading(Strategy::kDStarLite));
  world.put(SmallWorld::walker(1, SmallWorld::centre(3, 0), SmallWorld::centre(150, 0)));
  const AgentPath path = next_path(world, EventType::kNewPath);
  EXPECT_EQ(path.optimality, Optimality::kOptimal);
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{1});
  EXPECT_THAT(world.settle(kThinBudget), IsEmpty());
}

TEST(FirstLeg, IsForBrokenPathsToo) {
  SmallWorld world(rough_map(), leading());
  world.put(far_walker());
  world.settle();
  const std::vector<NodeId> path = world->agent(AgentId{1})->verdict.path->nodes;
  const auto at = static_cast<std::int32_t>(index(path[path.size() / 2]));
  world.block(3, {at % kLegSide, at / kLegSide, at % kLegSide + 1, at / kLegSide + 1});
  EXPECT_THAT(types(world.events()), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(next_path(world, EventType::kReplanned).optimality, Optimality::kBounded);
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{1});
  world.settle(kThinBudget);
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{2});
}

TEST(FirstLeg, ThatBreaksIsToldAtOnceAndFollowedByAnother) {
  SmallWorld world(rough_map(), leading());
  world.put(far_walker());
  const AgentPath leg = next_path(world, EventType::kNewPath);
  const auto at = static_cast<std::int32_t>(index(leg.nodes[leg.nodes.size() / 2]));
  world.block(3, {at % kLegSide, at / kLegSide, at % kLegSide + 1, at / kLegSide + 1});
  EXPECT_THAT(types(world.events()), ElementsAre(EventType::kInvalidated));
  const AgentPath other = next_path(world, EventType::kReplanned);
  EXPECT_EQ(other.optimality, Optimality::kBounded);
  EXPECT_THAT(other.nodes, Each(testing::Ne(NodeId{static_cast<std::uint32_t>(at)})));
  world.settle(kThinBudget);
  EXPECT_EQ(world->stats().first_legs, 2u);
}

// The leg was found before the wall was put up, and leads through it.
TEST(FirstLeg, ThatAWallCrossedMeanwhileIsNotTold) {
  SmallWorld world(rough_map(), leading());
  world.put(far_walker());
  const AgentPath leg = next_path(world, EventType::kNewPath);
  SmallWorld other(rough_map(), leading());
  other.put(far_walker());
  while (other->stats().leg_work_units == 0) other->step(kThinBudget, other.now += 16'000);
  const auto at = static_cast<std::int32_t>(index(leg.nodes[leg.nodes.size() / 2]));
  other.block(3, {at % kLegSide, at / kLegSide, at % kLegSide + 1, at / kLegSide + 1});
  const AgentPath later = next_path(other, EventType::kNewPath);
  EXPECT_THAT(later.nodes, Each(testing::Ne(NodeId{static_cast<std::uint32_t>(at)})));
}

TEST(FirstLeg, WhoWalksAlongItIsSettled) {
  for (const Strategy strategy : {Strategy::kAStar, Strategy::kDStarLite, Strategy::kLpa,
                                  Strategy::kField, Strategy::kAuto}) {
    SmallWorld world(rough_map(), leading(strategy));
    world.put(far_walker());
    AgentPath path = next_path(world, EventType::kNewPath);
    std::size_t at = 0;
    int frames = 0;
    for (; world->agent(AgentId{1})->waiting && at + 20 < path.nodes.size(); ++frames) {
      const auto node = static_cast<std::int32_t>(index(path.nodes[++at]));
      world.report(1, SmallWorld::centre(node % kLegSide, node / kLegSide), path.version);
      world->step(kThinBudget, world.now += 16'000);
      for (AgentEvent& event : world.events()) {
        if (!event.path) continue;
        path = *std::move(event.path);
        at = 0;
      }
    }
    EXPECT_FALSE(world->agent(AgentId{1})->waiting) << static_cast<int>(strategy);
  }
}

TEST(FirstLeg, IsNotForWorldsOfOrdinarySize) {
  EngineOptions options;
  options.strategy = Strategy::kAStar;
  SmallWorld world(rough_map(), options);
  world.put(far_walker());
  EXPECT_EQ(next_path(world, EventType::kNewPath).optimality, Optimality::kOptimal);
  EXPECT_EQ(world->stats().leg_work_units, 0u);
}

TEST(FirstLeg, IsNotForThoseWhoKeepClearOfOthers) {
  SmallWorld world(rough_map(), leading());
  AgentSpec spec = far_walker();
  spec.crowd = CrowdSpec{1, 4, 0.1};
  world.put(spec);
  EXPECT_EQ(next_path(world, EventType::kNewPath).optimality, Optimality::kOptimal);
  EXPECT_EQ(world->stats().leg_work_units, 0u);
}

TEST(FirstLeg, IsNotWhereJumpPointsAnswerSooner) {
  SmallWorld world(winding_map(), leading(Strategy::kAuto));
  world.put(winding_walker());
  EXPECT_EQ(next_path(world, EventType::kNewPath).optimality, Optimality::kOptimal);
  EXPECT_EQ(world->stats().leg_work_units, 0u);
}

// Facts about clusters count as memory and are evicted when there is too much.
TEST(FirstLeg, MemoryIsCountedAndGivenUp) {
  SmallWorld plenty(rough_map(), leading());
  plenty.put(far_walker());
  plenty.settle(kThinBudget);
  EXPECT_GT(plenty->stats().search_state_bytes, 10'000u);
  EngineOptions options = leading();
  options.search_memory_bytes = 1000;
  SmallWorld little(rough_map(), options);
  little.put(far_walker());
  EXPECT_EQ(next_path(little, EventType::kNewPath).optimality, Optimality::kBounded);
  little.settle(kThinBudget);
  EXPECT_GT(little->stats().evictions, 0u);
  EXPECT_LT(little->stats().search_state_bytes, plenty->stats().search_state_bytes / 2);
}

// The clusters of a view go with its last agent, because another view may get its number later.
TEST(FirstLeg, ClustersGoWithTheView) {
  SmallWorld world(rough_map(), leading());
  world.put(far_walker());
  world.settle(kThinBudget);
  const AgentId id{1};
  world->remove_agents(std::span(&id, 1), EventReason::kRemovedByClient);
  EXPECT_EQ(world->stats().search_state_bytes, 0u);
}

}  // namespace
}  // namespace repath
