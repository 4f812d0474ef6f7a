// Golden numbers of expansions. The cost of a path does not show wasted work; the number of
// expansions does. A change here need not be wrong, but it is a change of the algorithm: the commit
// must explain it.
#include <gtest/gtest.h>

#include "search/classic/a_star.h"
#include "search/classic/bfs.h"
#include "search/classic/dijkstra.h"
#include "search/classic/floyd_warshall.h"
#include "search/classic/fringe.h"
#include "search/classic/ida_star.h"
#include "search/classic/sma_star.h"
#include "search/incremental/d_star.h"
#include "search/incremental/d_star_lite.h"
#include "search/incremental/goal_field.h"
#include "search/incremental/lpa_star.h"
#include "support/ascii_graph.h"

namespace repath {
namespace {

using test::AsciiGraph;

// Three rooms in a row, doors D and E in their walls, a longer path below, and rough ground in the
// middle.
const std::vector<std::string_view> kMap = {
    ".....#........#.....",  //
    ".A...#........#.....",  //
    ".....#..3333..#.....",  //
    ".....D..3333..E...B.",  //
    ".....#..3333..#.....",  //
    ".....#........#.....",  //
    ".....#........#.....",  //
    "....................",
};

std::uint64_t expansions(auto& search) {
  const std::uint64_t before = search.expanded();
  std::uint32_t plenty = 100'000;
  EXPECT_EQ(search.advance(&plenty), Progress::kPathFound);
  return search.expanded() - before;
}

void toggle(AsciiGraph& graph, auto& search, NodeId cell) {
  graph.toggle(graph.x_of(cell), graph.y_of(cell));
  graph.for_each_affected(graph.x_of(cell), graph.y_of(cell),
                          [&](NodeId n) { search.on_edges_changed(n); });
}

TEST(GoldenExpansions, OfTheKernelsThatReadAFixedGraph) {
  const auto [graph, at] = test::draw(kMap);
  const NodeId a = at.at('A'), b = at.at('B');
  const Source source{a, 0};
  Bfs bfs(graph, a, {b});
  Dijkstra dijkstra(graph, {&source, 1}, {b});
  AStar a_star(graph, a, {b});
  AStar weighted(graph, a, {b}, 2.0);
  FringeSearch fringe(graph, a, {b});
  EXPECT_EQ(expansions(bfs), 122u);
  EXPECT_EQ(expansions(dijkstra), 130u);
  EXPECT_EQ(expansions(a_star), 36u);
  EXPECT_EQ(expansions(weighted), 23u);
  EXPECT_EQ(expansions(fringe), 39u);
  EXPECT_EQ(fringe.passed(), 157u);
  EXPECT_EQ(dijkstra.generated(), 824u);
  EXPECT_EQ(a_star.generated(), 239u);
}

// Rows do not depend on the map; the sum of the costs and the bytes do.
TEST(GoldenExpansions, OfFloydWarshall) {
  const auto [graph, at] = test::draw(kMap);
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < graph.node_count(); ++n) nodes.push_back(NodeId{n});
  FloydWarshall pairs(graph, nodes, at.at('A'), {at.at('B')});
  EXPECT_EQ(expansions(pairs), 25'600u);
  EXPECT_EQ(pairs.path_cost(), 28'637'440u);
  Cost sum = 0;
  for (const NodeId from : nodes)
    for (const NodeId to : nodes)
      if (pairs.cost(from, to) != kUnreachable) sum += pairs.cost(from, to);
  EXPECT_EQ(sum, 297'858'500'608u);
  EXPECT_EQ(pairs.bytes(), 163'588u);
}

// With a table for all 160 nodes, and with one for 64.
TEST(GoldenExpansions, OfIdaStarWithMemoryMuchAndLittle) {
  const auto [graph, at] = test::draw(kMap);
  for (const auto& [bytes, expanded, passes] :
       {std::tuple{1u << 20, 104u, 7u}, {5'000u, 109u, 7u}}) {
    IdaStar search(graph, at.at('A'), {at.at('B')}, {.bytes_max = bytes});
    std::uint32_t plenty = 1'000'000;
    EXPECT_EQ(search.advance(&plenty), LimitedProgress::kPathFound);
    EXPECT_EQ(search.expanded(), expanded);
    EXPECT_EQ(search.passes(), passes);
  }
}

// With memory for all 160 nodes, and for 64.
TEST(GoldenExpansions, OfSmaStarWithMemoryMuchAndLittle) {
  auto [graph, at] = test::draw(kMap);
  graph.set_factor(graph.x_of(at['E']), graph.y_of(at['E']), 0);
  SmaStar large(graph, at['A'], {at['B']}, {});
  SmaStar small(graph, at['A'], {at['B']}, {.bytes_max = 5'200});
  for (SmaStar<AsciiGraph>* const search : {&large, &small}) {
    std::uint32_t plenty = 1'000'000;
    EXPECT_EQ(search->advance(&plenty), LimitedProgress::kPathFound);
  }
  EXPECT_EQ(large.expanded(), 90u);
  EXPECT_EQ(small.expanded(), 163u);
  EXPECT_EQ(small.forgotten(), 161u);
}

TEST(GoldenExpansions, OfLpaStarThroughTwoEdits) {
  auto [graph, at] = test::draw(kMap);
  LpaStar search(graph, at['A'], {at['B']});
  EXPECT_EQ(expansions(search), 47u);
  toggle(graph, search, at['D']);  // near the start: the costly end of a search rooted at the start
  EXPECT_EQ(expansions(search), 74u);
  toggle(graph, search, at['E']);
  EXPECT_EQ(expansions(search), 17u);
  toggle(graph, search, at['D']);
  EXPECT_EQ(expansions(search), 66u);
}

TEST(GoldenExpansions, OfDStarLiteThroughEditsAndAMove) {
  auto [graph, at] = test::draw(kMap);
  DStarLite search(graph, at['A'], {at['B']});
  EXPECT_EQ(expansions(search), 60u);
  toggle(graph, search, at['D']);  // near the start: the cheap end of a search rooted at the goal
  EXPECT_EQ(expansions(search), 71u);
  search.move_start(graph.node_at(2, 3));
  EXPECT_EQ(expansions(search), 0u);
  toggle(graph, search, at['E']);
  EXPECT_EQ(expansions(search), 110u);
  toggle(graph, search, at['D']);
  EXPECT_EQ(expansions(search), 3u);
}

TEST(GoldenExpansions, OfDStarThroughEditsAndAMove) {
  auto [graph, at] = test::draw(kMap);
  DStar search(graph, at['A'], {at['B']});
  EXPECT_EQ(expansions(search), 136u);
  toggle(graph, search, at['D']);
  EXPECT_EQ(expansions(search), 50u);
  search.move_start(graph.node_at(2, 3));
  EXPECT_EQ(expansions(search), 0u);
  toggle(graph, search, at['E']);
  EXPECT_EQ(expansions(search), 147u);
  toggle(graph, search, at['D']);
  EXPECT_EQ(expansions(search), 8u);
}

// Moves off the path leave queued keys that are too low; {14}-{15} correct them when they come up.
TEST(GoldenExpansions, OfDStarLiteThroughMovesOffItsPath) {
  auto [graph, at] = test::draw(kMap);
  DStarLite search(graph, at['B'], {at['A']});
  EXPECT_EQ(expansions(search), 47u);
  search.move_start(graph.node_at(19, 7));
  EXPECT_EQ(expansions(search), 62u);
  search.move_start(graph.node_at(7, 0));
  toggle(graph, search, at['D']);
  EXPECT_EQ(expansions(search), 99u);
  search.move_start(graph.node_at(19, 0));
  EXPECT_EQ(expansions(search), 97u);
}

TEST(GoldenExpansions, OfAFieldThatReachesTwoStarts) {
  auto [graph, at] = test::draw(kMap);
  DStarLite field(graph, at['B'], {at['B']}, Focus::kNone);
  std::uint32_t left = 10'000;
  EXPECT_EQ(field.advance_to(at['A'], &left), Progress::kPathFound);
  EXPECT_EQ(10'000 - left, 136u);
  toggle(graph, field, at['D']);
  left = 10'000;
  EXPECT_EQ(field.advance_to(at['A'], &left), Progress::kPathFound);
  EXPECT_EQ(10'000 - left, 41u);
}

// Counts nodes asked, looked at and settled, and how many of them were raised.
TEST(GoldenExpansions, OfAGoalFieldThroughEdits) {
  auto [graph, at] = test::draw(kMap);
  GoalField field(graph, {at['B']}, kStraightStep);
  const auto reach_a = [&, &from = at['A']] {
    const std::uint64_t before = field.expanded();
    std::uint32_t plenty = 10'000;
    EXPECT_EQ(field.advance_to(from, &plenty), Progress::kPathFound);
    return field.expanded() - before;
  };
  EXPECT_EQ(reach_a(), 136u);
  toggle(graph, field, at['D']);
  EXPECT_EQ(reach_a(), 83u);
  EXPECT_EQ(field.raised(), 25u);
  toggle(graph, field, at['D']);
  EXPECT_EQ(reach_a(), 45u);
  toggle(graph, field, at['E']);
  EXPECT_EQ(reach_a(), 230u);
  EXPECT_EQ(field.raised(), 127u);
}

}  // namespace
}  // namespace repath
