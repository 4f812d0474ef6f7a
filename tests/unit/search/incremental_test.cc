// Facts about LPA*, D* and D* Lite: the kernels that live through edits.
#include <gtest/gtest.h>

#include "search/incremental/d_star.h"
#include "search/incremental/d_star_lite.h"
#include "search/incremental/lpa_star.h"
#include "support/ascii_graph.h"
#include "support/directed_graph.h"

namespace repath {
namespace {

using test::AsciiGraph;

Progress run(auto& search) {
  std::uint32_t plenty = 1'000'000;
  return search.advance(&plenty);
}

void toggle(AsciiGraph& graph, auto& search, NodeId cell) {
  graph.toggle(graph.x_of(cell), graph.y_of(cell));
  graph.for_each_affected(graph.x_of(cell), graph.y_of(cell),
                          [&](NodeId n) { search.on_edges_changed(n); });
}

std::vector<NodeId> path_of(const DStarLite<AsciiGraph>& search) {
  std::vector<NodeId> path;
  EXPECT_TRUE(search.append_path(search.start(), &path));
  return path;
}

std::vector<NodeId> path_of(const DStar<AsciiGraph>& search) {
  std::vector<NodeId> path;
  EXPECT_TRUE(search.append_path(search.start(), &path));
  return path;
}

std::vector<NodeId> path_of(const LpaStar<AsciiGraph>& search) {
  std::vector<NodeId> path;
  EXPECT_TRUE(search.append_path(&path));
  return path;
}

// Properties that all of them must have.
template <class Search>
class IncrementalKernel : public ::testing::Test {};
using Kernels = ::testing::Types<LpaStar<AsciiGraph>, DStarLite<AsciiGraph>, DStar<AsciiGraph>>;
TYPED_TEST_SUITE(IncrementalKernel, Kernels);

TYPED_TEST(IncrementalKernel, TakesTheDetourWhenTheDoorShutsAndComesBackWhenItOpens) {
  auto [graph, at] = test::draw({"A.D.B",  //
                                 ".###.",  //
                                 "....."});
  TypeParam search(graph, at['A'], {at['B']});
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 4 * kStraightStep);
  const std::vector<NodeId> straight = path_of(search);
  EXPECT_EQ(straight.size(), 5u);

  toggle(graph, search, at['D']);
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 8 * kStraightStep);
  EXPECT_EQ(path_of(search).size(), 9u);

  toggle(graph, search, at['D']);
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(path_of(search), straight);
}

TYPED_TEST(IncrementalKernel, OutOfBudgetIsNotNoPath) {
  const auto [graph, at] = test::draw({"A.......B"});
  TypeParam search(graph, at.at('A'), {at.at('B')});
  std::uint32_t budget = 1;
  EXPECT_EQ(search.advance(&budget), Progress::kOutOfBudget);
  EXPECT_EQ(budget, 0u);
  EXPECT_EQ(search.expanded(), 1u);
  EXPECT_EQ(run(search), Progress::kPathFound);
}

TYPED_TEST(IncrementalKernel, CutIntoSlicesItDoesTheSameWork) {
  auto [graph, at] = test::draw({"A.#.....",  //
                                 "..D.##..",  //
                                 "..#..#.B",  //
                                 "........"});
  TypeParam whole(graph, at['A'], {at['B']});
  TypeParam cut(graph, at['A'], {at['B']});
  for (int edit = 0; edit < 2; ++edit) {
    ASSERT_EQ(run(whole), Progress::kPathFound);
    std::uint32_t one = 1;
    while (cut.advance(&one) == Progress::kOutOfBudget) one = 1;
    EXPECT_EQ(cut.expanded(), whole.expanded());
    EXPECT_EQ(path_of(cut), path_of(whole));
    graph.toggle(4, 0);
    graph.for_each_affected(4, 0, [&](NodeId n) {
      whole.on_edges_changed(n);
      cut.on_edges_changed(n);
    });
  }
}

TYPED_TEST(IncrementalKernel, EnclosedStartAndEnclosedGoalHaveNoPathUntilADoorOpens) {
  for (const bool start_is_inside : {true, false}) {
    auto [graph, at] = test::draw({"I#...",  //
                                   ".D.O.",  //
                                   "##..."});
    const NodeId start = at[start_is_inside ? 'I' : 'O'];
    const NodeId goal = at[start_is_inside ? 'O' : 'I'];
    TypeParam search(graph, start, {goal});
    ASSERT_EQ(run(search), Progress::kPathFound);
    toggle(graph, search, at['D']);
    ASSERT_EQ(run(search), Progress::kNoPath);
    EXPECT_EQ(search.path_cost(), kUnreachable);
    toggle(graph, search, at['D']);
    ASSERT_EQ(run(search), Progress::kPathFound);
    EXPECT_EQ(search.path_cost(), 4 * kStraightStep);
  }
}

TYPED_TEST(IncrementalKernel, BlockingTheStartOrTheGoalItselfLeavesNoPath) {
  for (const char blocked : {'A', 'B'}) {
    auto [graph, at] = test::draw({"..A..", "....B"});
    TypeParam search(graph, at['A'], {at['B']});
    ASSERT_EQ(run(search), Progress::kPathFound);
    toggle(graph, search, at[blocked]);
    EXPECT_EQ(run(search), Progress::kNoPath);
    toggle(graph, search, at[blocked]);
    EXPECT_EQ(run(search), Progress::kPathFound);
    EXPECT_EQ(search.path_cost(), kStraightStep + kDiagonalStep);
  }
}

TYPED_TEST(IncrementalKernel, StartOnAGoalCostsNothingEvenWhenBlocked) {
  auto [graph, at] = test::draw({"A.B"});
  TypeParam search(graph, at['A'], {at['A'], at['B']});
  std::uint32_t nothing = 0;
  ASSERT_EQ(search.advance(&nothing), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 0u);
  EXPECT_EQ(path_of(search), std::vector{at['A']});
  toggle(graph, search, at['A']);
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(path_of(search), std::vector{at['A']});
}

TYPED_TEST(IncrementalKernel, GoesToAnotherGoalWhenTheNearestIsCutOff) {
  auto [graph, at] = test::draw({"G.....S.D.H"});
  TypeParam search(graph, at['S'], {at['G'], at['H']});
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(path_of(search).back(), at['H']);
  toggle(graph, search, at['D']);
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(path_of(search).back(), at['G']);
  EXPECT_EQ(search.path_cost(), 6 * kStraightStep);
}

TYPED_TEST(IncrementalKernel, AnEditThatDoesNotMatterCostsNoExpansion) {
  auto [graph, at] = test::draw({"A...B....",  //
                                 "........D"});
  TypeParam search(graph, at['A'], {at['B']});
  ASSERT_EQ(run(search), Progress::kPathFound);
  toggle(graph, search, at['D']);
  std::uint32_t nothing = 0;
  EXPECT_EQ(search.advance(&nothing), Progress::kPathFound);
}

TYPED_TEST(IncrementalKernel, WithoutGoalsNothingIsFound) {
  const AsciiGraph graph(4, 4);
  TypeParam search(graph, graph.node_at(1, 1), {});
  EXPECT_EQ(run(search), Progress::kNoPath);
}

TEST(LpaStar, IsToldOfInEdgesAndDStarLiteOfOutEdges) {
  test::DirectedGraph graph({{0, 0}, {0, 0}});
  const NodeId a{0}, b{1};
  LpaStar lpa(graph, a, {b});
  DStarLite d_star(graph, a, {b});
  ASSERT_EQ(run(lpa), Progress::kNoPath);
  ASSERT_EQ(run(d_star), Progress::kNoPath);
  graph.set_cost(a, b, 7);
  lpa.on_edges_changed(b);
  d_star.on_edges_changed(a);
  ASSERT_EQ(run(lpa), Progress::kPathFound);
  ASSERT_EQ(run(d_star), Progress::kPathFound);
  EXPECT_EQ(lpa.path_cost(), 7u);
  EXPECT_EQ(d_star.path_cost(), 7u);
}

TEST(LpaStar, HasNoPathToShowWhileItIsNotFinished) {
  const auto [graph, at] = test::draw({"A.......B"});
  LpaStar search(graph, at.at('A'), {at.at('B')});
  std::uint32_t budget = 3;
  ASSERT_EQ(search.advance(&budget), Progress::kOutOfBudget);
  std::vector<NodeId> path{at.at('A')};
  EXPECT_FALSE(search.append_path(&path));
  EXPECT_EQ(path.size(), 1u);
}

// An edge from 0 to 1 with a dearer parallel edge on either side of it.
struct TwinEdges {
  Cost middle = 3;
  static std::uint32_t node_count() { return 2; }
  static Cost heuristic(NodeId, NodeId) { return 0; }
  void for_each_successor(NodeId n, auto&& visit) const {
    if (n != NodeId{0}) return;
    for (const Cost c : {Cost{7}, middle, Cost{8}}) visit(NodeId{1}, c);
  }
  void for_each_predecessor(NodeId n, auto&& visit) const {
    if (n != NodeId{1}) return;
    for (const Cost c : {Cost{7}, middle, Cost{8}}) visit(NodeId{0}, c);
  }
};

// Four nodes in a line, so dear that a few walks from end to end cost more than a Cost can say.
struct DearLine {
  static constexpr Cost kStep = Cost{1} << 57;
  Cost middle = kStep;  // between 1 and 2
  static std::uint32_t node_count() { return 4; }
  static Cost heuristic(NodeId a, NodeId b) {
    return kStep * (std::max(index(a), index(b)) - std::min(index(a), index(b)));
  }
  void for_each_successor(NodeId n, auto&& visit) const {
    if (index(n) > 0) visit(NodeId{index(n) - 1}, index(n) == 2 ? middle : kStep);
    if (index(n) < 3) visit(NodeId{index(n) + 1}, index(n) == 1 ? middle : kStep);
  }
  void for_each_predecessor(NodeId n, auto&& visit) const { for_each_successor(n, visit); }
};

TEST(DStarLite, KeysDoNotOverflowHoweverFarTheStartMoves) {
  DearLine graph;
  DStarLite search(graph, NodeId{0}, {NodeId{3}});
  for (int walk = 0; walk < 100; ++walk) {
    graph.middle = walk % 3 == 0 ? DearLine::kStep : DearLine::kStep + 1000u * (walk % 7u);
    for (const NodeId end : {NodeId{1}, NodeId{2}}) search.on_edges_changed(end);
    for (const NodeId start : {NodeId{0}, NodeId{3}, NodeId{0}}) {
      search.move_start(start);
      ASSERT_EQ(run(search), Progress::kPathFound);
      ASSERT_EQ(search.path_cost(), start == NodeId{0} ? 2 * DearLine::kStep + graph.middle : 0);
    }
  }
}

TEST(DStar, TakesTheCheapestOfEdgesBetweenTheSameNodes) {
  TwinEdges graph;
  DStar search(graph, NodeId{0}, {NodeId{1}});
  for (const Cost middle : {3u, 5u, 9u, 1u, 7u}) {
    graph.middle = middle;
    search.on_edges_changed(NodeId{0});
    ASSERT_EQ(run(search), Progress::kPathFound);
    EXPECT_EQ(search.path_cost(), std::min<Cost>(middle, 7));
    std::uint32_t nothing = 0;
    EXPECT_EQ(search.advance_to(NodeId{1}, &nothing), Progress::kPathFound);
  }
}

// The door shuts before the raise has continued, opens again, and shuts again.
TEST(DStar, EditsThatCrossAnUnfinishedRaiseLeaveItRight) {
  auto [graph, at] = test::draw({"A....D....B",  //
                                 ".#########.",  //
                                 "..........."});
  DStar search(graph, at['A'], {at['B']});
  ASSERT_EQ(run(search), Progress::kPathFound);
  for (int i = 0; i < 9; ++i) {
    toggle(graph, search, at['D']);
    std::uint32_t some = static_cast<std::uint32_t>(i);
    if (search.advance(&some) == Progress::kOutOfBudget) {
      EXPECT_FALSE(search.proves(at['A']));
    }
  }
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 14 * kStraightStep);
  toggle(graph, search, at['D']);
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 10 * kStraightStep);
}

TEST(DStar, AStateOneUnitBehindARaisedOneIsNotProved) {
  test::DirectedGraph graph({{0, 0}, {0, 0}, {0, 0}});
  graph.set_cost(NodeId{0}, NodeId{1}, 1);
  graph.set_cost(NodeId{1}, NodeId{2}, 1);
  DStar search(graph, NodeId{0}, {NodeId{2}});
  ASSERT_EQ(run(search), Progress::kPathFound);
  graph.set_cost(NodeId{1}, NodeId{2}, kUnreachable);
  search.on_edges_changed(NodeId{1});
  EXPECT_FALSE(search.proves(NodeId{0}));
  EXPECT_EQ(run(search), Progress::kNoPath);
}

TEST(DStar, MovingTheStartUnlearnsNothing) {
  const auto [graph, at] = test::draw({"A....#...",  //
                                       ".....#...",  //
                                       "........B"});
  DStar search(graph, at.at('A'), {at.at('B')});
  ASSERT_EQ(run(search), Progress::kPathFound);
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    if (!search.proves(NodeId{i})) continue;
    search.move_start(NodeId{i});
    std::uint32_t nothing = 0;
    ASSERT_EQ(search.advance(&nothing), Progress::kPathFound);
  }
}

TEST(DStarLite, WalkingAlongItsPathCostsNoExpansion) {
  const auto [graph, at] = test::draw({"A....#...",  //
                                       ".....#...",  //
                                       "........B"});
  DStarLite search(graph, at.at('A'), {at.at('B')});
  ASSERT_EQ(run(search), Progress::kPathFound);
  for (const NodeId n : path_of(search)) {
    search.move_start(n);
    std::uint32_t nothing = 0;
    ASSERT_EQ(search.advance(&nothing), Progress::kPathFound);
  }
  EXPECT_EQ(search.path_cost(), 0u);
}

TEST(DStarLite, ABlockedStartHasNoPathAndMovingOffItHas) {
  auto [graph, at] = test::draw({"A.D.B"});
  graph.toggle(2, 0);
  DStarLite search(graph, at['D'], {at['B']});
  EXPECT_EQ(run(search), Progress::kNoPath);
  search.move_start(graph.node_at(3, 0));
  EXPECT_EQ(run(search), Progress::kPathFound);
  search.move_start(at['A']);
  EXPECT_EQ(run(search), Progress::kNoPath);
}

// 10^5 moves across a world of the largest side raise k_m above 2^50; the answer stays right.
TEST(DStarLite, EndlessMovesDoNotOverflowTheKeys) {
  const auto [graph, at] = test::draw({std::string(300, '.')});
  const NodeId left = graph.node_at(0, 0), right = graph.node_at(299, 0);
  DStarLite search(graph, left, {graph.node_at(150, 0)});
  for (int i = 0; i < 100'000; ++i) {
    search.move_start(i % 2 == 0 ? right : left);
    if (i % 1000 == 0) {
      ASSERT_EQ(run(search), Progress::kPathFound);
    }
  }
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), 150 * kStraightStep);
}

TEST(DStarLite, AFieldServesManyStarts) {
  const auto [graph, at] = test::draw({"A..#.B",  //
                                       ".....C",  //
                                       "..G..#"});
  DStarLite field(graph, at.at('G'), {at.at('G')}, Focus::kNone);
  for (const char c : {'A', 'B', 'C'}) {
    std::uint32_t plenty = 1000;
    ASSERT_EQ(field.advance_to(at.at(c), &plenty), Progress::kPathFound);
  }
  EXPECT_EQ(field.cost(at.at('A')), 2 * kDiagonalStep);
  EXPECT_EQ(field.cost(at.at('B')), 2 * kDiagonalStep + kStraightStep);
}

TEST(DStarLite, ProvesNothingBeforeItHasSearched) {
  const auto [graph, at] = test::draw({"A.B#C"});
  DStarLite search(graph, at.at('A'), {at.at('B')});
  EXPECT_FALSE(search.proves(at.at('A')));
  EXPECT_FALSE(search.proves(at.at('C')));
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_TRUE(search.proves(at.at('A')));
  // Only an empty queue proves "unreachable".
  EXPECT_FALSE(search.proves(at.at('C')));
  std::uint32_t plenty = 1000;
  EXPECT_EQ(search.advance_to(at.at('C'), &plenty), Progress::kNoPath);
  EXPECT_TRUE(search.proves(at.at('C')));
}

TEST(DStarLite, AnEditTakesTheProofAwayUntilRepaired) {
  auto [graph, at] = test::draw({"A.D.B",  //
                                 ".###.",  //
                                 "....."});
  DStarLite search(graph, at['A'], {at['B']});
  ASSERT_EQ(run(search), Progress::kPathFound);
  toggle(graph, search, at['D']);
  EXPECT_FALSE(search.proves(at['A']));
  std::vector<NodeId> path;
  EXPECT_FALSE(search.append_path(at['A'], &path));
  EXPECT_TRUE(path.empty());
  ASSERT_EQ(run(search), Progress::kPathFound);
  EXPECT_TRUE(search.proves(at['A']));
}

TEST(DStarLite, ShowsItsNodesAscendingById) {
  const auto [graph, at] = test::draw({"A..B"});
  DStarLite search(graph, at.at('A'), {at.at('B')});
  ASSERT_EQ(run(search), Progress::kPathFound);
  std::vector<TouchedNode> touched;
  search.for_each_touched([&](const TouchedNode& t) { touched.push_back(t); });
  ASSERT_EQ(touched.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(touched[i].g, (3 - i) * kStraightStep);
    EXPECT_EQ(touched[i].h, i * kStraightStep);
  }
}

}  // namespace
}  // namespace repath
