#include <gtest/gtest.h>

#include <vector>

#include "grid_ground/settling.h"
#include "support/ascii_grid.h"

namespace repath {
namespace {

// Expects that both ways of summing up an open path agree.
void expect_cost(const GridGraph& graph, const std::vector<NodeId>& nodes, Cost cost) {
  EXPECT_EQ(cost_of(graph, nodes), cost);
  EXPECT_EQ(cost_of_open(graph, nodes), cost);
}

TEST(PathCost, CountsDiagonals) {
  const GridLayer layer = test::draw_layer({"...", "...", "..."});
  const GridGraph graph(&layer, Topology::k8, CornerRule::kNone);
  expect_cost(graph, {NodeId{0}, NodeId{4}, NodeId{5}}, kDiagonalStep + kStraightStep);
  expect_cost(graph, {NodeId{2}, NodeId{4}, NodeId{7}}, kDiagonalStep + kStraightStep);
  expect_cost(graph, {NodeId{2}}, 0);
}

TEST(PathCost, CountsDiagonalsBetweenTwoColumns) {
  const GridLayer layer = test::draw_layer({"..", "..", ".."});
  const GridGraph graph(&layer, Topology::k8, CornerRule::kNone);
  expect_cost(graph, {NodeId{1}, NodeId{2}, NodeId{4}}, kDiagonalStep + kStraightStep);
}

TEST(PathCost, HexagonsHaveNone) {
  const GridLayer layer = test::draw_layer({"...", "...", "..."});
  const GridGraph graph(&layer, Topology::kHex, CornerRule::kNone);
  expect_cost(graph, {NodeId{0}, NodeId{3}, NodeId{7}}, 2 * kStraightStep);
}

}  // namespace
}  // namespace repath
