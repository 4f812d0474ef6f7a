#include "grid/cells/edges.h"

#include <gtest/gtest.h>

#include "support/ascii_grid.h"

namespace repath {
namespace {

constexpr std::uint64_t kMany = 1'000'000;

struct Edges {
  GridLayer before;
  GridLayer after;
  EdgeDelta delta;
  bool complete = false;

  Edges(const std::vector<std::string_view>& was, const std::vector<std::string_view>& is,
        const std::vector<ChangedRun>& changed, CornerRule rule, std::uint64_t edges_max = kMany)
      : before(test::draw_layer(was)), after(test::draw_layer(is)) {
    complete = diff_edges(GridGraph(&before, Topology::k8, rule),
                          GridGraph(&after, Topology::k8, rule), changed, edges_max, &delta);
  }
  bool closes(std::uint32_t from, std::uint32_t to) const {
    for (const EdgeChange& e : delta.risen)
      if (e.from == NodeId{from} && e.to == NodeId{to}) return e.after == kUnreachable;
    return false;
  }
};

TEST(EdgeDiff, AClosedCellTakesTheDiagonalsThatPassItsCorner) {
  const Edges edges({"..", ".."}, {".#", ".."}, {{{0, 1, 2}, 5}}, CornerRule::kNone);
  EXPECT_TRUE(edges.closes(0, 3)) << "no end of it changed";
  EXPECT_TRUE(edges.closes(3, 0));
  EXPECT_TRUE(edges.closes(1, 2));
  EXPECT_EQ(edges.delta.risen.size(), 8u);
  EXPECT_TRUE(edges.delta.fallen.empty());
  for (const EdgeChange& e : edges.delta.risen) EXPECT_EQ(e.cause, 5u);
}

TEST(EdgeDiff, UnderRuleOneADiagonalOutlivesOneFlank) {
  const Edges edges({"..", ".."}, {".#", ".."}, {{{0, 1, 2}, kNoCause}}, CornerRule::kOne);
  EXPECT_FALSE(edges.closes(0, 3));
  EXPECT_EQ(edges.delta.risen.size(), 6u);
}

TEST(EdgeDiff, OpeningIsTheReverseOfClosing) {
  const Edges shut({"...", "...", "..."}, {"...", ".#.", "..."}, {{{1, 1, 2}, 0}},
                   CornerRule::kNone);
  const Edges open({"...", ".#.", "..."}, {"...", "...", "..."}, {{{1, 1, 2}, 0}},
                   CornerRule::kNone);
  ASSERT_EQ(shut.delta.risen.size(), open.delta.fallen.size());
  EXPECT_TRUE(open.delta.risen.empty());
  for (std::size_t i = 0; i < shut.delta.risen.size(); ++i) {
    EXPECT_EQ(shut.delta.risen[i].before, open.delta.fallen[i].after);
    EXPECT_EQ(open.delta.fallen[i].before, kUnreachable);
  }
}

TEST(EdgeDiff, SeesFactorsThatRiseAndFall) {
  const Edges edges({"39"}, {"93"}, {{{0, 0, 2}, 1}}, CornerRule::kNone);
  EXPECT_TRUE(edges.delta.risen.empty()) << "the mean of both cells stays";
  EXPECT_TRUE(edges.delta.fallen.empty());
  const Edges dearer({"..2"}, {".32"}, {{{0, 1, 2}, 1}}, CornerRule::kNone);
  EXPECT_EQ(dearer.delta.risen.size(), 4u);
  EXPECT_EQ(dearer.delta.changed_nodes.size(), 3u);
}

TEST(EdgeDiff, NamesTheCauseOfTheCellThatChanged) {
  const Edges edges({"....."}, {"#...#"}, {{{0, 0, 1}, 3}, {{0, 4, 5}, 8}}, CornerRule::kNone);
  ASSERT_EQ(edges.delta.risen.size(), 4u);
  EXPECT_EQ(edges.delta.risen[0].cause, 3u);
  EXPECT_EQ(edges.delta.risen[1].cause, 3u);
  EXPECT_EQ(edges.delta.risen[2].cause, 8u);
  EXPECT_EQ(edges.delta.risen[3].cause, 8u);
}

TEST(EdgeDiff, NamesTheFlankAsCauseWhenNoEndChanged) {
  const Edges edges({"..", ".."}, {".#", ".."}, {{{0, 1, 2}, 3}, {{1, 1, 2}, 8}},
                    CornerRule::kNone);
  for (const EdgeChange& e : edges.delta.risen) {
    const bool touches_second = e.from == NodeId{3} || (e.to == NodeId{3} && e.from != NodeId{1});
    EXPECT_EQ(e.cause, touches_second ? 8u : 3u) << index(e.from) << " " << index(e.to);
  }
}

TEST(EdgeDiff, StopsAtItsLimit) {
  EXPECT_FALSE(Edges({"..", ".."}, {".#", ".."}, {{{0, 1, 2}, 5}}, CornerRule::kNone, 7).complete);
  EXPECT_TRUE(Edges({"..", ".."}, {".#", ".."}, {{{0, 1, 2}, 5}}, CornerRule::kNone, 8).complete);
}

TEST(Dilate, WidensByOneOnAllSidesWithinTheMap) {
  EXPECT_EQ(dilate({{0, 0, 1}, {3, 4, 6}}, 6, 5),
            (CellSpans{{0, 0, 2}, {1, 0, 2}, {2, 3, 6}, {3, 3, 6}, {4, 3, 6}}));
  EXPECT_EQ(dilate({{1, 0, 1}, {1, 2, 3}}, 9, 3), (CellSpans{{0, 0, 4}, {1, 0, 4}, {2, 0, 4}}));
}

}  // namespace
}  // namespace repath
