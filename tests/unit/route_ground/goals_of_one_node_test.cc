// On graphs the nearest open node stands for a goal, however far it is. So one node may stand for
// several goals, and a node that opens or shuts may change which nodes stand for any.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "routes/graph_world.h"
#include "support/route_bed.h"

namespace repath {
namespace {

using test::kinds_of;
using test::nodes_of;
using test::RouteBed;

// Only node 2 can be reached from node 1. Nodes 3 and 4 stand for the goals (0, 50) and (25, 50).
std::unique_ptr<RouteWorld> two_ends() {
  GraphWorld::Source source{"ends", {}, {}};
  source.graph.nodes = {
      {.id = 1}, {.id = 2, .x = 30}, {.id = 3, .z = 45}, {.id = 4, .x = 25, .z = 50}};
  source.graph.edges = {{.from = 1, .to = 2, .both = true}};
  auto world = GraphWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

AgentSpec agent_to(std::initializer_list<MapPoint> goals, bool allow_partial) {
  AgentSpec spec;
  spec.id = RouteBed::kOne;
  spec.goals = goals;
  spec.allow_partial = allow_partial;
  return spec;
}

ChangeBatch of(GraphEdit edit) {
  ChangeBatch batch;
  batch.graph_edits.push_back(std::move(edit));
  return batch;
}

using Nodes = std::vector<std::uint64_t>;

TEST(GoalsOfOneNode, APartialPathIsMeasuredFromTheNodesThatAreLeft) {
  for (const bool is_removed : {false, true})
    for (const double radius : {0.0, 60.0}) {
      RouteBed bed(two_ends());
      AgentSpec spec = agent_to({{0, 50, 0}, {25, 50, 0}}, true);
      spec.goal_radius = radius;
      bed.put(spec);
      EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kPartial});
      EXPECT_EQ(nodes_of(bed.view()), Nodes{1});  // 45 from node 3
      bed.apply(is_removed ? of(RemoveGraphNode{3}) : of(SwitchGraphNode{3, false}));
      EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kPartial});
      EXPECT_EQ(nodes_of(bed.view()), (Nodes{1, 2}));  // node 4 stands for both goals
      bed.apply(is_removed ? of(GraphNode{.id = 3, .z = 45}) : of(SwitchGraphNode{3, true}));
      EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kPartial});
      EXPECT_EQ(nodes_of(bed.view()), Nodes{1});
    }
}

TEST(GoalsOfOneNode, WhoIsCutOffStaysSoInSilence) {
  RouteBed bed(two_ends());
  bed.put(agent_to({{0, 50, 0}, {25, 50, 0}}, false));
  EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kUnreachable});
  bed.apply(of(SwitchGraphNode{3, false}));
  EXPECT_TRUE(bed.settle().empty());
}

TEST(GoalsOfOneNode, APathToTheNodeThatIsLeftStaysInSilence) {
  RouteBed bed(two_ends());
  bed.put(agent_to({{0, 50, 0}, {30, 0, 0}}, true));
  EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
  EXPECT_EQ(nodes_of(bed.view()), (Nodes{1, 2}));
  bed.apply(of(SwitchGraphNode{3, false}));
  bed.apply(of(SwitchGraphNode{4, false}));  // node 2 stands for both goals, or node 1
  bed.settle();
  EXPECT_EQ(nodes_of(bed.view()), Nodes{1});
}

// Nodes straight above each other are different places, however near they are.
TEST(GoalsOfOneNode, ANodeStraightAboveIsAnotherPlace) {
  for (const bool allow_partial : {false, true}) {
    GraphWorld::Source source{"above", {}, {}};
    source.graph.nodes = {{.id = 1}, {.id = 2, .x = 10}, {.id = 3, .x = 10, .y = 0.5}};
    source.graph.edges = {{.from = 1, .to = 2, .cost = 20.0}, {.from = 1, .to = 3, .cost = 15.0}};
    RouteBed bed(*GraphWorld::create(std::move(source)));
    bed.put(agent_to({{10, 0, 0}}, allow_partial));
    bed.settle();
    EXPECT_EQ(nodes_of(bed.view()), (Nodes{1, 2}));
    bed.apply(of(SwitchGraphNode{2, false}));
    bed.settle();
    EXPECT_EQ(nodes_of(bed.view()), (Nodes{1, 3}));
    bed.apply(of(SwitchGraphNode{2, true}));
    bed.settle();
    EXPECT_EQ(nodes_of(bed.view()), (Nodes{1, 2}));
  }
}

}  // namespace
}  // namespace repath
