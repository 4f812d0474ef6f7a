// An agent's place follows the point that it reported. A place that opens nearer to that point
// becomes the agent's place, and a place that closes is given up.
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "routes/graph_world.h"
#include "routes/nav_world.h"
#include "support/route_bed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

using test::kinds_of;
using test::nodes_of;
using test::RouteBed;

// Nodes 0 to 4 on a line, 10 apart, and a side path from node 1 to node 3.
std::unique_ptr<RouteWorld> line(bool has_side_way = false) {
  GraphWorld::Source source{"line", {}, {}};
  for (std::uint64_t id = 0; id < 5; ++id)
    source.graph.nodes.push_back({.id = id, .x = 10.0 * static_cast<double>(id)});
  for (std::uint64_t id = 0; id < 4; ++id)
    source.graph.edges.push_back({.from = id, .to = id + 1, .both = true});
  if (has_side_way) source.graph.edges.push_back({.from = 1, .to = 3, .cost = 50.0, .both = true});
  auto world = GraphWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

ChangeBatch of_node(std::uint64_t id, bool enabled) {
  ChangeBatch batch;
  batch.graph_edits.push_back(SwitchGraphNode{id, enabled});
  return batch;
}

double cost_of(const AgentView& view) { return units_from_route_cost(view.verdict.path->cost); }

TEST(PlaceFollows, ANodeThatOpensAgainIsItsPlaceAgain) {
  RouteBed bed(line());
  bed.put({20, 0, 0}, {40, 0, 0});
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{2, 3, 4}));
  bed.apply(of_node(2, false));
  EXPECT_EQ(kinds_of(bed.settle()),
            (std::vector{EventType::kInvalidated, EventType::kUnreachable}));
  bed.apply(of_node(2, true));
  const auto events = bed.settle();
  ASSERT_EQ(kinds_of(events), std::vector{EventType::kNewPath});
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{2, 3, 4}));
  EXPECT_EQ(cost_of(bed.view()), 20);
  EXPECT_EQ(bed.view().spot, (Spot{20, 0, 0}));
}

TEST(PlaceFollows, ARouteFromAnotherNodeGivesWayToOneFromItsOwn) {
  RouteBed bed(line(true));
  bed.put({20, 0, 0}, {40, 0, 0});
  bed.settle();
  bed.apply(of_node(2, false));
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{1, 3, 4}));
  bed.apply(of_node(2, true));
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{2, 3, 4}));
  EXPECT_EQ(cost_of(bed.view()), 20);
}

TEST(PlaceFollows, ANodeShutAndOpenedInOneBreathChangesNothing) {
  RouteBed bed(line());
  bed.put({20, 0, 0}, {40, 0, 0});
  bed.settle();
  bed.apply(of_node(2, false));
  bed.apply(of_node(2, true));
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{2, 3, 4}));
  EXPECT_EQ(cost_of(bed.view()), 20);
}

TEST(PlaceFollows, ANewNodeThatIsNearerIsItsPlace) {
  RouteBed bed(line());
  bed.put({14, 0, 0}, {40, 0, 0});
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{1, 2, 3, 4}));
  ChangeBatch batch;
  batch.graph_edits.push_back(GraphNode{.id = 9, .x = 15});
  batch.graph_edits.push_back(GraphEdge{.from = 9, .to = 2, .both = true});
  bed.apply(batch);
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{9, 2, 3, 4}));
  EXPECT_EQ(cost_of(bed.view()), 25);
}

TEST(PlaceFollows, ANewNodeThatLeadsNowhereIsItsPlaceAllTheSame) {
  RouteBed bed(line());
  bed.put({14, 0, 0}, {40, 0, 0});
  bed.settle();
  ChangeBatch batch;
  batch.graph_edits.push_back(GraphNode{.id = 9, .x = 15});
  bed.apply(batch);
  const auto events = bed.settle();
  EXPECT_TRUE(nodes_of(bed.view()).empty());
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().type, EventType::kUnreachable);
  batch.graph_edits = {RemoveGraphNode{9}};
  bed.apply(batch);
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

// An agent that walks along a leg stays on its route, whatever opens beside it.
TEST(PlaceFollows, WhoWalksAlongALegStaysOnItsRoute) {
  RouteBed bed(line());
  bed.put({10, 0, 0}, {40, 0, 0});
  bed.settle();
  bed.report({14, 0, 0});
  ChangeBatch batch;
  batch.graph_edits.push_back(GraphNode{.id = 9, .x = 14});
  bed.apply(batch);
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

// Edges from node 1 to 5, one after the other; node 4 lies beside the first edge.
std::unique_ptr<RouteWorld> loop() {
  GraphWorld::Source source{"loop", {}, {}};
  source.graph.nodes = {{.id = 1},
                        {.id = 2, .x = 10},
                        {.id = 3, .x = 10, .z = 5},
                        {.id = 4, .x = 5, .z = 0.08},
                        {.id = 5, .x = 5, .z = 9}};
  for (std::uint64_t id = 1; id < 5; ++id) source.graph.edges.push_back({.from = id, .to = id + 1});
  auto world = GraphWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

TEST(PlaceFollows, WhoIsAtANodeOfItsRouteIsThereThoughAnEdgeLiesNear) {
  RouteBed bed(loop());
  bed.put({0, 0, 0}, {5, 9, 0});
  bed.settle();
  bed.report({5, 0.08, 0});
  EXPECT_EQ(bed.view().spot, (Spot{5, 0, 0.08}));
  EXPECT_NEAR(units_from_route_cost(bed.view().held_cost), 8.92, 1e-5);
  ChangeBatch batch;
  batch.graph_edits.push_back(SwitchGraphEdge{2, 3, false});  // behind it
  bed.apply(batch);
  EXPECT_TRUE(bed.settle().empty());
}

TEST(PlaceFollows, WhoPassesANodeThatItComesToLaterIsNotPutAhead) {
  RouteBed bed(loop());
  bed.put({0, 0, 0}, {5, 9, 0});
  bed.settle();
  for (const double x : {4.0, 4.98, 5.02, 5.05, 8.0}) {
    bed.report({x, 0, 0});
    EXPECT_EQ(bed.view().spot, (Spot{x > 5 ? 10.0 : 0.0, 0, 0})) << x;
  }
  EXPECT_TRUE(bed.events().empty());
}

TEST(PlaceFollows, AGoalsNodeThatShutsAndOpensIsFollowed) {
  RouteBed bed(line());
  bed.put({0, 0, 0}, {31, 0, 0});
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{0, 1, 2, 3}));
  bed.apply(of_node(3, false));
  bed.settle();
  EXPECT_TRUE(nodes_of(bed.view()).empty());  // node 4 is nearest to the goal, and cut off
  bed.apply(of_node(4, false));
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{0, 1, 2}));
  bed.apply(of_node(4, true));
  bed.settle();
  EXPECT_TRUE(nodes_of(bed.view()).empty());
  bed.apply(of_node(3, true));
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST(PlaceFollows, AnEdgeThatShutsAndOpensKeepsThePlace) {
  RouteBed bed(line(true));
  bed.put({12, 0, 0}, {40, 0, 0});
  bed.settle();
  ChangeBatch batch;
  batch.graph_edits.push_back(SwitchGraphEdge{1, 2, false});
  bed.apply(batch);
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{1, 3, 4}));
  batch.graph_edits = {SwitchGraphEdge{1, 2, true}};
  bed.apply(batch);
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

// A slope of bent squares: their corners do not lie in a plane.
std::unique_ptr<RouteWorld> slope() {
  NavWorld::Source source;
  source.name = "slope";
  source.mesh = test::squares(std::vector<std::string>(3, std::string(3, '.')));
  for (auto& vertex : source.mesh.vertices) {
    vertex.at.x *= 8;
    vertex.at.z *= 8;
    const double x = to_point(vertex.at).x;
    const double z = to_point(vertex.at).z;
    vertex.y = x * z / 12;
  }
  auto world = NavWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// Carving cuts a bent square into triangles, whose heights differ from the square's by more than a
// unit. An agent with a height of theirs is not found on the square once the obstacle has gone.
TEST(PlaceFollows, AnObstacleThatGoesLeavesWhoStoodBesideItFree) {
  struct Case {
    Box box;
    MapPoint agent;
  };
  for (const Case& each :
       {Case{{{10.380486, 14.889807}, 2.803921, 3.175042, 2.666381},
             {4.909129, 9.842420, 4.501033}},
        Case{{{9.275527, 17.186635}, 2.495291, 0.912911, 0}, {2.538043, 20.965755, 5.076087}},
        Case{{{16.481920, 17.466883}, 1.907532, 2.767358, 0.825958},
             {10.361628, 9.832754, 9.351424}}}) {
    RouteBed bed(slope());
    bed.block(1, each.box);
    bed.put(each.agent, {23, 23, 44});
    EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
    EXPECT_NEAR(bed.view().spot.y, each.agent.height, 1e-5);
    bed.free(1);
    for (const AgentEvent& event : bed.settle()) {
      EXPECT_NE(event.type, EventType::kStartBlocked);
      EXPECT_NE(event.type, EventType::kInvalidated);
    }
    EXPECT_TRUE(bed.view().verdict.path && !bed.view().verdict.path->points.empty());
  }
}

}  // namespace
}  // namespace repath
