// Events on graphs, where the cost of an edge can change and nodes close under agents.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/queries.h"
#include "support/query_ground.h"
#include "unit/engine/route_bed.h"

namespace repath {
namespace {

using test::length_of;
using test::RouteBed;
using test::types_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Two paths from 1 to 4: over 2 for 20, over 3 for 30. Node 9 is separate.
//     2
//   1   4 - 5
//     3       9
std::unique_ptr<RouteWorld> diamond() {
  GraphWorld::Source source{"diamond", {}, {}};
  source.graph.nodes = {{.id = 1, .x = 0},  {.id = 2, .x = 5, .z = 8}, {.id = 3, .x = 5, .z = -8},
                        {.id = 4, .x = 10}, {.id = 5, .x = 20},        {.id = 9, .x = 40, .z = -8}};
  source.graph.edges = {{.from = 1, .to = 2, .cost = 10, .both = true},
                        {.from = 2, .to = 4, .cost = 10, .both = true},
                        {.from = 1, .to = 3, .cost = 15, .both = true},
                        {.from = 3, .to = 4, .cost = 15, .both = true},
                        {.from = 4, .to = 5, .cost = 10, .both = true}};
  auto world = GraphWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

AgentSpec crosser() { return RouteBed::walker(7, {0.4, 0.3, 0}, {10, 1, 0}); }

std::vector<std::uint64_t> nodes_of(const AgentEvent& event) {
  std::vector<std::uint64_t> nodes;
  for (const RoutePoint& point : event.path->points) nodes.push_back(point.node);
  return nodes;
}

TEST(RouteGraphEvents, APathLeadsFromNodeToNode) {
  RouteBed bed(diamond());
  bed.put(crosser());
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
  EXPECT_THAT(nodes_of(events[0]), ElementsAre(1u, 2u, 4u));
  EXPECT_NEAR(length_of(events[0].cost), 20, 1e-5);
  EXPECT_EQ(events[0].spot, Spot{});
  EXPECT_EQ(events[0].path->optimality, Optimality::kOptimal);
}

TEST(RouteGraphEvents, ADearerEdgeIsToldAtOnceWithItsCost) {
  RouteBed bed(diamond());
  bed.put(crosser());
  bed.settle();
  bed.edit(PriceGraphEdge{2, 4, 18});
  auto events = bed.events();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kCostChanged));
  EXPECT_NEAR(length_of(events[0].old_cost), 20, 1e-5);
  EXPECT_NEAR(length_of(events[0].cost), 28, 1e-5);
  EXPECT_THAT(bed.settle(), IsEmpty()) << "still the cheapest";
  bed.edit(PriceGraphEdge{2, 4, 30});
  EXPECT_THAT(types_of(bed.events()), ElementsAre(EventType::kCostChanged));
  events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kReplanned));
  EXPECT_THAT(nodes_of(events[0]), ElementsAre(1u, 3u, 4u));
  EXPECT_NEAR(length_of(events[0].old_cost), 40, 1e-5);
}

TEST(RouteGraphEvents, ACheaperEdgeOfThePathNeedsNoSearch) {
  RouteBed bed(diamond());
  bed.put(crosser());
  bed.settle();
  bed.edit(PriceGraphEdge{2, 4, 9});
  const auto events = bed.events();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kCostChanged));
  EXPECT_NEAR(length_of(events[0].cost), 19, 1e-5);
  EXPECT_THAT(bed.settle(), IsEmpty());
}

TEST(RouteGraphEvents, ACheaperEdgeElsewhereImproves) {
  RouteBed bed(diamond());
  bed.put(crosser());
  bed.settle();
  bed.edit(PriceGraphEdge{3, 4, 1});
  EXPECT_THAT(bed.events(), IsEmpty());
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kImproved));
  EXPECT_NEAR(length_of(events[0].cost), 16, 1e-5);
}

TEST(RouteGraphEvents, AClosedEdgeBreaksThePath) {
  RouteBed bed(diamond());
  bed.put(crosser());
  bed.settle();
  bed.edit(SwitchGraphEdge{2, 4, false});
  const auto events = bed.events();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kInvalidated));
  EXPECT_EQ(events[0].first_invalid_waypoint, 2u);
  EXPECT_THAT(types_of(bed.settle()), ElementsAre(EventType::kReplanned));
  bed.edit(SwitchGraphEdge{2, 4, true});
  EXPECT_THAT(types_of(bed.settle()), ElementsAre(EventType::kImproved));
}

TEST(RouteGraphEvents, AnAgentWhoseNodeClosesGoesOnFromTheNextOne) {
  RouteBed bed(diamond());
  bed.put(crosser());
  bed.settle();
  bed.report(7, {5, 8, 0});
  ASSERT_EQ(bed->agent(AgentId{7})->spot, (Spot{5, 0, 8}));
  bed.edit(SwitchGraphNode{2, false});
  EXPECT_THAT(types_of(bed.events()), ElementsAre(EventType::kInvalidated));
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kReplanned));
  EXPECT_THAT(nodes_of(events[0]), ElementsAre(1u, 3u, 4u));
  EXPECT_EQ(events[0].spot, Spot{});
}

TEST(RouteGraphEvents, AGoalThatAnotherNodeStandsForIsReplanned) {
  RouteBed bed(diamond());
  bed.put(crosser());
  bed.settle();
  bed.edit(GraphNode{.id = 6, .x = 10, .z = 1});
  EXPECT_EQ(bed->waiting(std::nullopt, bed.now).agents, 1u)
      << "it is nearer, and no way leads there";
  auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kUnreachable));
  bed.edit(GraphEdge{.from = 2, .to = 6, .cost = 1});
  events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kReachableAgain);
  bed.edit(RemoveGraphNode{6});
  EXPECT_THAT(types_of(bed.events()), ElementsAre(EventType::kInvalidated));
  EXPECT_THAT(nodes_of(bed.settle()[0]), ElementsAre(1u, 2u, 4u));
}

TEST(RouteGraphEvents, ANodeThatOpensNearerIsAnAgentsPlace) {
  RouteBed bed(diamond());
  bed.put(crosser());
  bed.settle();
  const MapPoint at = bed->agent(AgentId{7})->spec.position;
  bed.edit(GraphNode{.id = 6, .x = at.x, .z = at.y});
  ASSERT_THAT(types_of(bed.settle()), ElementsAre(EventType::kUnreachable));
  EXPECT_EQ(bed->agent(AgentId{7})->spot, (Spot{at.x, 0, at.y}));
  bed.edit(RemoveGraphNode{.id = 6});
  ASSERT_THAT(types_of(bed.settle()), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(bed->agent(AgentId{7})->spot, Spot{});
}

TEST(RouteGraphEvents, AReportOnAnEdgeIsItsNearerEnd) {
  RouteBed bed(diamond());
  bed.put(crosser());
  bed.settle();
  bed.report(7, {2, 3.2, 0});
  EXPECT_EQ(bed->agent(AgentId{7})->spot, Spot{});
  bed.report(7, {4, 6.4, 0});
  EXPECT_EQ(bed->agent(AgentId{7})->spot, (Spot{5, 0, 8}));
  EXPECT_NEAR(length_of(bed->agent(AgentId{7})->held_cost), 10, 1e-5);
  EXPECT_EQ(bed->waiting(std::nullopt, bed.now).agents, 0u);
}

// Nodes at 0, 10, 12, 30 and 40.
std::unique_ptr<RouteWorld> line() {
  GraphWorld::Source source{"line", {}, {}};
  source.graph.nodes = {
      {.id = 1}, {.id = 2, .x = 10}, {.id = 3, .x = 12}, {.id = 4, .x = 30}, {.id = 5, .x = 40}};
  source.graph.edges = {{.from = 1, .to = 2, .both = true},
                        {.from = 2, .to = 5, .both = true},
                        {.from = 3, .to = 5, .both = true},
                        {.from = 4, .to = 5, .cost = 100, .both = true}};
  auto world = GraphWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

TEST(RouteGraphEvents, AWalkerWhoseNodeClosedIsAtTheNearestNodeAsAnyAgent) {
  RouteBed bed(line());
  bed.put(RouteBed::walker(7, {0, 0, 0}, {40, 0, 0}));
  bed.settle();
  bed.report(7, {10, 0, 0});
  const auto place_after = [&](std::uint64_t node, bool opens) {
    bed.edit(SwitchGraphNode{node, opens});
    bed.settle();
    const auto agent = bed->agent(AgentId{7});
    EXPECT_EQ(agent->held_cost != kUnreachable, node != 3 || opens) << "node " << node;
    return agent->spot.x;
  };
  EXPECT_EQ(place_after(2, false), 12);
  EXPECT_EQ(place_after(3, false), 0);
  EXPECT_EQ(place_after(3, true), 12);
  EXPECT_EQ(place_after(2, true), 10);
}

// The report lies on a path that the agent had, at a node that is shut by now.
TEST(RouteGraphEvents, AReportAtAShutNodeIsAtTheNearestNodeFromThenOn) {
  RouteBed bed(line());
  bed.put(RouteBed::walker(7, {0, 0, 0}, {10, 0, 0}));
  bed.settle();
  bed.edit(SwitchGraphEdge{1, 2, false});
  bed.settle();
  bed.edit(SwitchGraphNode{2, false});
  bed.settle();
  bed.report(7, {10, 0, 0});
  bed.settle();
  EXPECT_EQ(bed->agent(AgentId{7})->spot.x, 12);
  bed.edit(GraphNode{.id = 6, .x = 9});
  bed.settle();
  EXPECT_EQ(bed->agent(AgentId{7})->spot.x, 9);
  EXPECT_EQ(bed->agent(AgentId{7})->held_cost, 0u) << "it is the node of its goal, too";
}

TEST(RouteGraphEvents, OneWayEdgesAreSearchedBeforeUnreachableIsSaid) {
  RouteBed bed(diamond());
  bed.put(RouteBed::walker(8, {10, 0, 0}, {40, -8, 0}));
  bed.edit(GraphEdge{.from = 9, .to = 5});
  ASSERT_THAT(types_of(bed.settle()), ElementsAre(EventType::kUnreachable));
  bed.edit(GraphEdge{.from = 5, .to = 9});
  EXPECT_THAT(types_of(bed.settle()), ElementsAre(EventType::kNewPath));
}

TEST(RouteGraphEvents, PartialEndsAtTheNearestNode) {
  RouteBed bed(diamond());
  AgentSpec modest = RouteBed::walker(8, {0, 0, 0}, {40, -8, 0});
  modest.allow_partial = true;
  bed.put(modest);
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kPartial));
  EXPECT_THAT(nodes_of(events[0]), ElementsAre(1u, 2u, 4u, 5u));
  bed.edit(SwitchGraphEdge{4, 5, false});
  EXPECT_THAT(types_of(bed.settle()), ElementsAre(EventType::kInvalidated, EventType::kPartial));
}

// The goal lies nearest to node 3, from which node 2 is not as far as node 1 is. From the goal
// itself it is the other way round.
TEST(RouteGraphEvents, PartialIsMeasuredFromTheNodeThatStandsForTheGoal) {
  GraphWorld::Source source{"islands", {}, {}};
  source.graph.nodes = {{.id = 1}, {.id = 2, .x = 10}, {.id = 3, .x = 11, .z = 14}};
  source.graph.edges = {{.from = 1, .to = 2, .both = true}};
  auto world = GraphWorld::create(std::move(source));
  ASSERT_TRUE(world.ok()) << world.status();
  AgentSpec modest = RouteBed::walker(8, {0, 0, 0}, {4, 20, 0});
  PathQuery query;
  query.from = modest.position;
  query.goals = modest.goals;
  query.allow_partial = true;
  const RouteViewId view = *(*world)->acquire_view("default", TeamId{0});
  const PathAnswer found = find_path(test::query_ground(**world, view), query, {});
  EXPECT_EQ(found.state, QueryState::kPartial);
  EXPECT_EQ(found.route.back().node, 2u);
  RouteBed bed(*std::move(world));
  modest.allow_partial = true;
  bed.put(modest);
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kPartial));
  EXPECT_THAT(nodes_of(events[0]), ElementsAre(1u, 2u));
}

TEST(RouteGraphEvents, WithoutAnOpenNodeNobodyStands) {
  RouteBed bed(diamond());
  bed.put(crosser());
  bed.settle();
  ChangeBatch batch;
  for (const std::uint64_t id : {1, 2, 3, 4, 5, 9})
    batch.graph_edits.push_back(SwitchGraphNode{id, false});
  bed.apply(batch);
  EXPECT_THAT(types_of(bed.events()), ElementsAre(EventType::kStartBlocked));
  EXPECT_THAT(bed.settle(), IsEmpty());
  bed.edit(SwitchGraphNode{9, true});
  const auto events = bed.settle();
  ASSERT_THAT(types_of(events), ElementsAre(EventType::kNewPath)) << "it is where its goal is";
  EXPECT_THAT(nodes_of(events[0]), ElementsAre(9u));
}

// 100 agents cross a node with 2,000 edges. Each search expands two nodes; a frame of 1,000 units
// holds the work of eight such nodes.
TEST(RouteGraphEvents, SearchesOverAHubArePaidForInWorkUnits) {
  constexpr std::uint64_t kLeaves = 2'000;
  constexpr std::uint64_t kAgents = 100;
  constexpr WorkUnits kUnitsOfHub = kLeaves / EdgeWork::kEdgesPerUnit;
  constexpr WorkUnits kBudget = 1'000;
  GraphWorld::Source source{"star", {}, {}};
  source.graph.nodes.push_back({.id = 0, .z = 10});
  for (std::uint64_t i = 1; i <= kLeaves; ++i) {
    source.graph.nodes.push_back({.id = i, .x = static_cast<double>(i)});
    source.graph.edges.push_back({.from = 0, .to = i, .cost = 2'000, .both = true});
  }
  RouteBed bed(*GraphWorld::create(std::move(source)), {.strategy = Strategy::kAStar});
  for (std::uint64_t i = 1; i <= kAgents; ++i)
    bed.put(RouteBed::walker(i, {static_cast<double>(i), 0, 0},
                             {static_cast<double>(kLeaves - i), 0, 0}));
  std::size_t served = 0;
  WorkUnits units = 0;
  bool is_idle = false;
  for (int frame = 0; frame < 1'000 && !is_idle; ++frame) {
    is_idle = bed->step(kBudget, bed.now += 16'000).idle;
    const std::vector<AgentEvent> events = bed.events();
    served += events.size();
    units += kBudget;
    EXPECT_LE(served * kUnitsOfHub, units);
    for (const AgentEvent& event : events) EXPECT_EQ(nodes_of(event).size(), 3u);
  }
  EXPECT_EQ(served, kAgents);
  EXPECT_TRUE(is_idle);
}

// 30 agents share one goal, 4,000 nodes away. The first search serves all of them, but each is sent
// a route of its own.
TEST(RouteGraphEvents, LongRoutesArePaidForInWorkUnits) {
  constexpr std::uint64_t kNodes = 4'000;
  constexpr std::uint64_t kAgents = 30;
  constexpr WorkUnits kUnitsOfRoute = kNodes / 8;
  constexpr WorkUnits kBudget = 1'000;
  constexpr WorkUnits kOneRound = 8 * kUnitsOfRoute;
  GraphWorld::Source source{"chain", {}, {}};
  for (std::uint64_t i = 0; i < kNodes; ++i) {
    source.graph.nodes.push_back({.id = i, .x = static_cast<double>(i)});
    if (i > 0) source.graph.edges.push_back({.from = i - 1, .to = i, .both = true});
  }
  RouteBed bed(*GraphWorld::create(std::move(source)), {.strategy = Strategy::kField});
  for (std::uint64_t i = 1; i <= kAgents; ++i)
    bed.put(RouteBed::walker(i, {}, {kNodes - 1.0, 0, 0}));
  std::size_t served = 0;
  WorkUnits units = 0;
  for (int frame = 0; frame < 1'000 && served < kAgents; ++frame) {
    bed->step(kBudget, bed.now += 16'000);
    const std::vector<AgentEvent> events = bed.events();
    served += events.size();
    units += kBudget;
    EXPECT_LE(served * kUnitsOfRoute, units + kOneRound);
    for (const AgentEvent& event : events) EXPECT_EQ(event.path->points.size(), kNodes);
  }
  EXPECT_EQ(served, kAgents);
}

}  // namespace
}  // namespace repath
