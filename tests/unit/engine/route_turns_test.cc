// Agents on a mesh that keep a turning radius: what they are sent, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "property/engine/turn_radius.h"
#include "routes/places.h"
#include "unit/engine/route_bed.h"

namespace repath {
namespace {

using test::PlaneBlock;
using test::RouteBed;
using test::types_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// An agent goes round the lower end of a wall. Its arcs leave the wall's edge by up to 0.15.
constexpr double kRadius = 1;
const PlaneBlock kWallOfTurns{50, 10, 52, 35};
// Below the wall, beside the straight way along its edge but on the arcs.
const PlaneBlock kUnderArcs{50.2, 9, 51.8, 9.95};

std::unique_ptr<RouteWorld> plane_of_cars() {
  test::PlaneGround ground;
  ground.width = 100;
  ground.depth = 40;
  return std::make_unique<test::PlaneWorld>(std::move(ground), Profile{.turning_radius = kRadius});
}

AgentSpec car() {
  AgentSpec spec = RouteBed::walker(7, {45, 20, 0}, {57, 20, 0});
  spec.curves = true;
  return spec;
}

bool keeps_its_radius(const AgentPath& path) {
  for (std::size_t i = 2; i < path.points.size(); ++i) {
    const auto at = [&](std::size_t k) { return point_of(path.points[k].at); };
    if (!test::keeps_radius(at(i - 2), at(i - 1), at(i), kRadius, kRadius / 32, false))
      return false;
  }
  return true;
}

TEST(RouteTurns, ANewAgentIsSentArcsWithABound) {
  RouteBed bed(plane_of_cars());
  bed.put_block(1, kWallOfTurns);
  AgentSpec walker = car();
  walker.curves = false;
  bed.put(walker);
  const AgentPath planned = *bed.settle().back().path;
  EXPECT_EQ(planned.points.size(), 4u);
  EXPECT_FALSE(keeps_its_radius(planned));
  bed.put(car());
  const auto events = bed.settle();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().reason, EventReason::kAgentChanged);
  const AgentPath& driven = *events.back().path;
  EXPECT_GT(driven.points.size(), 6u);
  EXPECT_TRUE(keeps_its_radius(driven));
  EXPECT_FALSE(driven.turn_too_tight);
  EXPECT_EQ(driven.optimality, Optimality::kBounded);
  EXPECT_GT(driven.cost, planned.cost);
  EXPECT_NEAR(driven.weight, static_cast<double>(driven.cost) / static_cast<double>(planned.cost),
              1e-9);
  EXPECT_EQ(driven.points.front().at, planned.points.front().at);
  EXPECT_EQ(driven.points.back().at, planned.points.back().at);
}

TEST(RouteTurns, AStraightWayIsOptimal) {
  RouteBed bed(plane_of_cars());
  bed.put(car());
  const AgentPath path = *bed.settle().back().path;
  EXPECT_EQ(path.points.size(), 2u);
  EXPECT_EQ(path.optimality, Optimality::kOptimal);
  EXPECT_FALSE(path.turn_too_tight);
}

TEST(RouteTurns, WhatMeetsTheArcsAloneBreaksThePath) {
  RouteBed bed(plane_of_cars());
  bed.put_block(1, kWallOfTurns);
  AgentSpec walker = car();
  walker.id = AgentId{8};
  walker.curves = false;
  bed.put(walker);
  bed.put(car());
  bed.settle();
  EXPECT_EQ(bed.put_block(2, kUnderArcs).invalidated_agents, 1u);
  const auto at_once = bed.events();
  ASSERT_THAT(types_of(at_once), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(at_once[0].agent, AgentId{7});
  EXPECT_THAT(at_once[0].cause_obstacles, ElementsAre(ObstacleId{2}));
  ASSERT_TRUE(at_once[0].first_invalid_waypoint);
  EXPECT_GT(*at_once[0].first_invalid_waypoint, 1u);
  const auto later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kReplanned));
  EXPECT_EQ(later[0].agent, AgentId{7});
}

TEST(RouteTurns, ATurnWithoutRoomIsSaidUntilItHasRoom) {
  RouteBed bed(plane_of_cars());
  bed.put_block(1, kWallOfTurns);
  bed.put_block(2, kUnderArcs);
  bed.put(car());
  const auto first = bed.settle();
  ASSERT_THAT(types_of(first), ElementsAre(EventType::kNewPath));
  EXPECT_TRUE(first[0].path->turn_too_tight);
  EXPECT_EQ(first[0].path->optimality, Optimality::kOptimal);
  EXPECT_EQ(first[0].path->points.size(), 4u);
  EXPECT_TRUE(bed->latest_verdict(AgentId{7})->path->turn_too_tight);
  bed.put_block(3, {90, 1, 92, 3});
  bed.shut(3, false);  // somewhere else
  EXPECT_EQ(bed->waiting(std::nullopt, bed.now).agents, 1u) << "it might have made room";
  EXPECT_THAT(bed.settle(), IsEmpty());
  bed.shut(2, false);
  EXPECT_THAT(bed.events(), IsEmpty());
  const auto later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kReplanned));
  EXPECT_FALSE(later[0].path->turn_too_tight);
  EXPECT_TRUE(keeps_its_radius(*later[0].path));
  EXPECT_GT(later[0].cost, later[0].old_cost);
  EXPECT_FALSE(bed->latest_verdict(AgentId{7})->path->turn_too_tight);
}

// The way round the shorter wall saves about 3.5 of 28.
TEST(RouteTurns, AWayThatHasRoomIsNoImprovementUnlessItSavesMoreThanTheHysteresis) {
  for (const double ratio : {0.1, 0.2}) {
    RouteBed bed(plane_of_cars());
    bed.put_block(1, kWallOfTurns);
    bed.put_block(2, {50, 8, 52, 11});
    bed.put_block(3, {50.2, 7, 51.8, 7.95});
    AgentSpec spec = car();
    spec.min_improvement_ratio = ratio;
    bed.put(spec);
    const auto first = bed.settle();
    ASSERT_THAT(types_of(first), ElementsAre(EventType::kNewPath));
    ASSERT_TRUE(first[0].path->turn_too_tight);
    bed.shut(2, false);
    const auto later = bed.settle();
    ASSERT_THAT(types_of(later),
                ElementsAre(ratio < 0.15 ? EventType::kImproved : EventType::kReplanned));
    EXPECT_FALSE(later[0].path->turn_too_tight);
    EXPECT_LT(later[0].cost, later[0].old_cost);
  }
}

TEST(RouteTurns, AnAgentOnAnArcIsOnItsPath) {
  RouteBed bed(plane_of_cars());
  bed.put_block(1, kWallOfTurns);
  bed.put(car());
  const AgentPath path = *bed.settle().back().path;
  Cost before = path.cost;
  for (std::size_t i = 1; i + 1 < path.points.size(); ++i) {
    const Spot& a = path.points[i].at;
    const Spot& b = path.points[i + 1].at;
    bed.report(7, {(a.x + b.x) / 2, (a.z + b.z) / 2, 0}, path.version);
    const AgentView view = *bed->agent(AgentId{7});
    ASSERT_FALSE(view.waiting) << i;
    ASSERT_LT(view.held_cost, before) << i;
    before = view.held_cost;
  }
  EXPECT_THAT(bed.events(), IsEmpty());
  bed.report(7, {50, 9, 0}, path.version);
  EXPECT_TRUE(bed->agent(AgentId{7})->waiting) << "the arcs stay nearer to the wall";
}

// An arc is off its chords by less than a report may be off the path.
TEST(RouteTurns, AnAgentThatDrivesTheArcItselfIsOnItsPath) {
  RouteBed bed(plane_of_cars());
  bed.put_block(1, kWallOfTurns);
  bed.put(car());
  const AgentPath path = *bed.settle().back().path;
  for (std::size_t i = 2; i + 1 < path.points.size(); ++i) {
    const Spot& a = path.points[i - 1].at;
    const Spot& b = path.points[i].at;
    const double chord = std::hypot(b.x - a.x, b.z - a.z);
    if (chord > kRadius / 2) continue;  // a straight line
    const double off = kRadius - std::sqrt(kRadius * kRadius - chord * chord / 4);
    const Spot beside{(a.x + b.x) / 2 + off * (b.z - a.z) / chord, 0,
                      (a.z + b.z) / 2 - off * (b.x - a.x) / chord};
    bed.report(7, point_of(beside), path.version);
    EXPECT_FALSE(bed->agent(AgentId{7})->waiting) << i;
  }
}

TEST(RouteTurns, TheLatestVerdictIsTheRestOfTheArcs) {
  RouteBed bed(plane_of_cars());
  bed.put_block(1, kWallOfTurns);
  bed.put(car());
  const AgentPath path = *bed.settle().back().path;
  bed.report(7, point_of(path.points[3].at), path.version);
  const AgentPath rest = *bed->latest_verdict(AgentId{7})->path;
  ASSERT_EQ(rest.points.size(), path.points.size() - 3);
  EXPECT_EQ(rest.points[1].at, path.points[4].at);
  EXPECT_EQ(rest.optimality, Optimality::kBounded);
  EXPECT_EQ(rest.version, path.version);
  EXPECT_LT(rest.cost, path.cost);
}

TEST(RouteTurns, AnAgentThatIsRestoredDrivesAgain) {
  RouteBed before(plane_of_cars());
  before.put_block(1, kWallOfTurns);
  before.put(car());
  const AgentPath path = *before.settle().back().path;
  RouteBed after(plane_of_cars());
  after.put_block(1, kWallOfTurns);
  const RestoredAgent agent{car(), OwnerId{1}};
  ASSERT_TRUE(after->restore_agents(std::span(&agent, 1), after.now).ok());
  const auto events = after.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kRecovered);
  EXPECT_EQ(events[0].path->points, path.points);
}

// Not even for a shorter one: the agent could not drive that.
TEST(RouteTurns, AnOpenPathIsKeptBeforeOneWithATurnTooTight) {
  RouteBed bed(plane_of_cars());
  bed.put_block(1, kWallOfTurns);
  bed.put_block(2, kUnderArcs);          // no arcs below the wall
  bed.put_block(3, {49, -1, 53, 10.5});  // and for now no way there
  bed.put(car());
  const auto first = bed.settle();
  ASSERT_THAT(types_of(first), ElementsAre(EventType::kNewPath));
  ASSERT_FALSE(first[0].path->turn_too_tight) << "above the wall";
  bed.shut(3, false);
  const auto later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kReplanned));
  EXPECT_FALSE(later[0].path->turn_too_tight);
  EXPECT_EQ(later[0].cost, first[0].cost);
  EXPECT_GT(later[0].path->weight, first[0].path->weight);
  EXPECT_EQ(bed->waiting(std::nullopt, bed.now).agents, 0u);
}

TEST(RouteTurns, AnOpeningThatShortensThePathIsSent) {
  RouteBed bed(plane_of_cars());
  bed.put_block(1, kWallOfTurns);
  bed.put(car());
  bed.settle();
  bed.shut(1, false);
  const auto later = bed.settle();
  ASSERT_THAT(types_of(later), ElementsAre(EventType::kImproved));
  EXPECT_EQ(later[0].path->optimality, Optimality::kOptimal);
}

TEST(RouteTurns, ItIsRefusedWithoutATurningRadiusAndOnOtherKinds) {
  const AgentSpec spec = car();
  const auto refusal = [&spec](Engine& engine) {
    const auto status = engine.upsert_agents(std::span(&spec, 1), OwnerId{1}, 0);
    return error_reason(status) + " " + error_field(status);
  };
  RouteBed walkers(test::plane());
  EXPECT_EQ(refusal(*walkers), "SMOOTHING_UNSUITED agents[0].curves");
  GraphWorld::Source source{"graph", {}, {}};
  source.graph.nodes = {{.id = 1, .x = 0}, {.id = 2, .x = 9}};
  source.graph.edges = {{.from = 1, .to = 2, .cost = 9.0, .both = true}};
  auto graph = GraphWorld::create(std::move(source));
  ASSERT_TRUE(graph.ok()) << graph.status();
  RouteBed streets(*std::move(graph));
  EXPECT_EQ(refusal(*streets), "KIND_UNSUITED agents[0].curves");
}

}  // namespace
}  // namespace repath
