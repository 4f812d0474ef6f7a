#include "grid/cells/graph.h"

#include <gtest/gtest.h>

#include <vector>

#include "search/graph.h"
#include "support/ascii_grid.h"

namespace repath {
namespace {

static_assert(SearchGraph<GridGraph>);

std::vector<std::uint32_t> successors(const GridGraph& graph, std::int32_t x, std::int32_t y) {
  std::vector<std::uint32_t> nodes;
  graph.for_each_successor(graph.layer().node_at(x, y),
                           [&nodes](NodeId to, Cost) { nodes.push_back(index(to)); });
  return nodes;
}

TEST(GridGraph, StepsToEightNeighboursByAscendingNode) {
  const GridLayer layer = test::draw_layer({"...", "...", "..."});
  EXPECT_EQ(successors(GridGraph(&layer, Topology::k8, CornerRule::kNone), 1, 1),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 5, 6, 7, 8}));
  EXPECT_EQ(successors(GridGraph(&layer, Topology::k4, CornerRule::kNone), 1, 1),
            (std::vector<std::uint32_t>{1, 3, 5, 7}));
}

TEST(GridGraph, StepsToSixHexagonsOddRowsBeingFurtherRight) {
  const GridLayer layer = test::draw_layer({"...", "...", "...", "..."});
  const GridGraph graph(&layer, Topology::kHex, CornerRule::kNone);
  EXPECT_EQ(successors(graph, 1, 1), (std::vector<std::uint32_t>{1, 2, 3, 5, 7, 8}));
  EXPECT_EQ(successors(graph, 1, 2), (std::vector<std::uint32_t>{3, 4, 6, 8, 9, 10}));
  EXPECT_EQ(graph.cost_between(NodeId{4}, NodeId{8}), kStraightStep);
  EXPECT_EQ(graph.cost_between(NodeId{4}, NodeId{0}), kUnreachable);
}

TEST(GridGraph, HexagonsHaveNoFlanks) {
  const GridLayer layer = test::draw_layer({"#..", ".#.", "..."});
  const GridGraph graph(&layer, Topology::kHex, CornerRule::kNone);
  EXPECT_EQ(graph.cost_between(layer.node_at(1, 0), layer.node_at(0, 1)), kStraightStep);
}

TEST(GridGraph, CutsNoCornerUnderRuleNone) {
  const GridLayer layer = test::draw_layer({".#.", "...", "..."});
  EXPECT_EQ(successors(GridGraph(&layer, Topology::k8, CornerRule::kNone), 1, 1),
            (std::vector<std::uint32_t>{3, 5, 6, 7, 8}));
}

TEST(GridGraph, CutsACornerWithOneFreeFlankUnderRuleOne) {
  const GridLayer layer = test::draw_layer({".#.", "#..", "..."});
  EXPECT_EQ(successors(GridGraph(&layer, Topology::k8, CornerRule::kOne), 1, 1),
            (std::vector<std::uint32_t>{2, 5, 6, 7, 8}))
      << "not to 0: both flanks are blocked";
}

TEST(GridGraph, HasNoEdgesAtABlockedCell) {
  const GridLayer layer = test::draw_layer({"...", ".#.", "..."});
  const GridGraph graph(&layer, Topology::k8, CornerRule::kOne);
  EXPECT_TRUE(successors(graph, 1, 1).empty());
  for (const std::uint32_t to : successors(graph, 0, 0)) EXPECT_NE(to, 4u);
}

TEST(GridGraph, WeighsStepsByBothCells) {
  const GridLayer layer = test::draw_layer({"13", ".#"});
  const GridGraph graph(&layer, Topology::k8, CornerRule::kOne);
  const NodeId a = layer.node_at(0, 0);
  EXPECT_EQ(graph.cost_between(a, layer.node_at(1, 0)), 2 * kStraightStep);
  EXPECT_EQ(graph.cost_between(layer.node_at(1, 0), layer.node_at(0, 1)), 2 * kDiagonalStep);
  EXPECT_EQ(graph.cost_between(a, layer.node_at(1, 1)), kUnreachable);
  EXPECT_EQ(graph.cost_between(a, a), kUnreachable);
}

TEST(GridGraph, HasNoEdgeAcrossTheMapsSides) {
  const GridLayer layer = test::draw_layer({"..", ".."});
  const GridGraph graph(&layer, Topology::k8, CornerRule::kNone);
  EXPECT_EQ(graph.cost_between(layer.node_at(1, 0), layer.node_at(0, 1)), kDiagonalStep);
  const GridLayer wide = test::draw_layer({"....", "...."});
  const GridGraph wide_graph(&wide, Topology::k8, CornerRule::kNone);
  EXPECT_EQ(wide_graph.cost_between(wide.node_at(3, 0), wide.node_at(0, 1)), kUnreachable);
}

TEST(GridGraph, EstimatesByTheTopologysMetric) {
  const GridLayer layer(50, 50);
  const NodeId a = layer.node_at(1, 2);
  const NodeId b = layer.node_at(6, 40);
  EXPECT_EQ(GridGraph(&layer, Topology::k8, CornerRule::kNone).heuristic(a, b), octile_cost(5, 38));
  EXPECT_EQ(GridGraph(&layer, Topology::k4, CornerRule::kNone).heuristic(b, a),
            manhattan_cost(5, 38));
  // 38 rows include a shift of 19 columns.
  const GridGraph hexagons(&layer, Topology::kHex, CornerRule::kNone);
  EXPECT_EQ(hexagons.heuristic(a, b), 38 * kStraightStep);
  EXPECT_EQ(hexagons.heuristic(a, layer.node_at(30, 12)), (10 + 24) * kStraightStep);
}

}  // namespace
}  // namespace repath
