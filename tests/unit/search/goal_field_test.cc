// Facts about goal fields.
#include "search/incremental/goal_field.h"

#include <gtest/gtest.h>

#include "support/ascii_graph.h"
#include "support/directed_graph.h"

namespace repath {
namespace {

using test::AsciiGraph;
using Field = GoalField<AsciiGraph>;

Progress run(auto& field, NodeId target) {
  std::uint32_t plenty = 1'000'000;
  return field.advance_to(target, &plenty);
}

void toggle(AsciiGraph& graph, Field& field, NodeId cell) {
  graph.toggle(graph.x_of(cell), graph.y_of(cell));
  graph.for_each_affected(graph.x_of(cell), graph.y_of(cell),
                          [&](NodeId n) { field.on_edges_changed(n); });
}

TEST(GoalField, TakesTheDetourWhenTheDoorShutsAndComesBackWhenItOpens) {
  auto [graph, at] = test::draw({"A.D.B",  //
                                 ".###.",  //
                                 "....."});
  Field field(graph, {at['B']}, kStraightStep);
  for (const Cost steps : {4u, 8u, 4u}) {
    ASSERT_EQ(run(field, at['A']), Progress::kPathFound);
    EXPECT_EQ(field.cost(at['A']), steps * kStraightStep);
    std::vector<NodeId> path;
    EXPECT_TRUE(field.append_path(at['A'], &path));
    EXPECT_EQ(path.size(), steps + 1);
    toggle(graph, field, at['D']);
  }
}

TEST(GoalField, OutOfBudgetIsNotNoPath) {
  const auto [graph, at] = test::draw({"A.......B"});
  Field field(graph, {at.at('B')}, kStraightStep);
  std::uint32_t budget = 2;
  EXPECT_EQ(field.advance_to(at.at('A'), &budget), Progress::kOutOfBudget);
  EXPECT_EQ(budget, 0u);
  EXPECT_EQ(field.expanded(), 2u);
  EXPECT_EQ(run(field, at.at('A')), Progress::kPathFound);
}

TEST(GoalField, SettlesNoFartherThanAsked) {
  const auto [graph, at] = test::draw({"B..A............................C"});
  Field field(graph, {at.at('B')}, kStraightStep);
  ASSERT_EQ(run(field, at.at('A')), Progress::kPathFound);
  EXPECT_LE(field.expanded(), 5u);
  EXPECT_FALSE(field.proves(at.at('C')));
}

TEST(GoalField, PathsLeadStraightOnWhereThatIsAsGood) {
  // After the passage, a step aside to a lesser id would cost the same as straight on.
  const auto [graph, at] = test::draw({"####A",  //
                                       "####.",  //
                                       ".....",  //
                                       ".....",  //
                                       ".....",  //
                                       ".....",  //
                                       ".B..."});
  Field field(graph, {at.at('B')}, kStraightStep);
  ASSERT_EQ(run(field, at.at('A')), Progress::kPathFound);
  std::vector<NodeId> path;
  ASSERT_TRUE(field.append_path(at.at('A'), &path));
  int turns = 0;
  for (std::size_t i = 2; i < path.size(); ++i)
    turns += index(path[i]) - index(path[i - 1]) != index(path[i - 1]) - index(path[i - 2]) ? 1 : 0;
  EXPECT_EQ(turns, 1);
}

TEST(GoalField, UnreachableIsProvedOnlyWhenNothingIsOpen) {
  auto [graph, at] = test::draw({"....A.B#C"});
  Field field(graph, {at['B']}, kStraightStep);
  ASSERT_EQ(run(field, at['A']), Progress::kPathFound);
  EXPECT_FALSE(field.proves(at['C']));
  EXPECT_EQ(run(field, at['C']), Progress::kNoPath);
  EXPECT_EQ(field.cost(at['C']), kUnreachable);
  std::vector<NodeId> path;
  EXPECT_FALSE(field.append_path(at['C'], &path));
  EXPECT_TRUE(path.empty());
}

TEST(GoalField, AGoalCostsNothingEvenWhenBlocked) {
  auto [graph, at] = test::draw({"A.B"});
  Field field(graph, {at['B']}, kStraightStep);
  toggle(graph, field, at['B']);
  EXPECT_EQ(run(field, at['B']), Progress::kPathFound);
  EXPECT_EQ(field.cost(at['B']), 0u);
  EXPECT_EQ(run(field, at['A']), Progress::kNoPath);
}

TEST(GoalField, WithoutGoalsNothingIsReached) {
  const AsciiGraph graph(4, 4);
  Field field(graph, {}, kStraightStep);
  EXPECT_EQ(run(field, graph.node_at(1, 1)), Progress::kNoPath);
}

// If a step could cost nothing, each node would lean on the next for ever; a cost of one unit
// prevents it.
TEST(GoalField, ALoopThatIsCutOffDoesNotHoldItselfUp) {
  test::DirectedGraph graph(std::vector<test::DirectedGraph::Point>(4));
  const NodeId goal{0}, a{1}, b{2}, c{3};
  graph.set_cost(a, goal, 1);
  graph.set_cost(b, a, 1);
  graph.set_cost(c, b, 1);
  graph.set_cost(a, c, 1);
  GoalField field(graph, {goal}, 1);
  ASSERT_EQ(run(field, c), Progress::kPathFound);
  EXPECT_EQ(field.cost(c), 3u);
  graph.set_cost(a, goal, kUnreachable);
  field.on_edges_changed(a);
  EXPECT_EQ(run(field, c), Progress::kNoPath);
  EXPECT_EQ(field.raised(), 3u);
}

TEST(GoalField, IsToldOfOutEdges) {
  test::DirectedGraph graph({{0, 0}, {0, 0}});
  const NodeId a{0}, b{1};
  GoalField field(graph, {b}, 1);
  ASSERT_EQ(run(field, a), Progress::kNoPath);
  graph.set_cost(a, b, 7);
  field.on_edges_changed(a);
  ASSERT_EQ(run(field, a), Progress::kPathFound);
  EXPECT_EQ(field.cost(a), 7u);
}

// With an edge_min of one unit, buckets would never reach as far as an edge of 2^40 units.
TEST(GoalField, AnEdgeFarDearerThanTheCheapestIsNoTrouble) {
  test::DirectedGraph graph(std::vector<test::DirectedGraph::Point>(3));
  graph.set_cost(NodeId{1}, NodeId{0}, Cost{1} << 40);
  graph.set_cost(NodeId{2}, NodeId{1}, 1);
  GoalField field(graph, {NodeId{0}}, 1);
  ASSERT_EQ(run(field, NodeId{2}), Progress::kPathFound);
  EXPECT_EQ(field.cost(NodeId{2}), (Cost{1} << 40) + 1);
  graph.set_cost(NodeId{2}, NodeId{0}, 5);
  field.on_edges_changed(NodeId{2});
  graph.set_cost(NodeId{1}, NodeId{2}, 5);
  field.on_edges_changed(NodeId{1});
  ASSERT_EQ(run(field, NodeId{1}), Progress::kPathFound);
  EXPECT_EQ(field.cost(NodeId{1}), 10u);
}

TEST(GoalField, StartsAnewWhereMostOfItIsRaised) {
  AsciiGraph graph(40, 40);
  Field field(graph, {graph.node_at(0, 0)}, kStraightStep);
  const NodeId far = graph.node_at(39, 39);
  toggle(graph, field, graph.node_at(1, 0));
  toggle(graph, field, graph.node_at(1, 1));
  ASSERT_EQ(run(field, far), Progress::kPathFound);
  toggle(graph, field, graph.node_at(30, 30));
  ASSERT_EQ(run(field, far), Progress::kPathFound);
  EXPECT_EQ(field.rebuilds(), 0u);
  toggle(graph, field, graph.node_at(0, 1));
  toggle(graph, field, graph.node_at(1, 0));
  ASSERT_EQ(run(field, far), Progress::kPathFound);
  EXPECT_EQ(field.rebuilds(), 1u);
  EXPECT_LT(field.raised(), 800u);
}

TEST(GoalField, ResetGivesMemoryBackAndStartsAfresh) {
  const AsciiGraph graph(300, 300);
  const NodeId from = graph.node_at(0, 0);
  Field field(graph, {graph.node_at(299, 150)}, kStraightStep);
  ASSERT_EQ(run(field, from), Progress::kPathFound);
  const Cost cost = field.cost(from);
  const std::uint64_t expanded = field.expanded();
  const std::size_t bytes = field.bytes();
  EXPECT_LT(bytes, 300u * 300u * 10u);
  field.reset();
  EXPECT_LT(field.bytes(), bytes / 4);
  EXPECT_FALSE(field.proves(from));
  ASSERT_EQ(run(field, from), Progress::kPathFound);
  EXPECT_EQ(field.cost(from), cost);
  EXPECT_EQ(field.expanded(), expanded);
}

}  // namespace
}  // namespace repath
