// Clusters, their transitions, and what an edit makes HPA* forget.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "grid/hpa/box_search.h"
#include "grid/hpa/hpa_search.h"
#include "grid/hpa/hpa_smooth.h"
#include "support/ascii_grid.h"
#include "support/random_layers.h"

namespace repath {
namespace {

constexpr HpaShape kQuarters{.side = 8, .factor = 2, .levels = 2};

HpaMap map_of(const std::vector<std::string_view>& rows, const HpaShape& shape) {
  return HpaMap(test::draw_layer(rows), Topology::k8, CornerRule::kNone, shape);
}

GridLayer open_layer(std::int32_t width, std::int32_t height) {
  const std::string row(static_cast<std::size_t>(width), '.');
  return test::draw_layer(std::vector<std::string_view>(static_cast<std::size_t>(height), row));
}

std::vector<NodeId> nodes_of(const HpaMap& map, int level, std::uint32_t cluster) {
  std::uint64_t made = 0;
  return map.facts(level, cluster, &made)->nodes;
}

TEST(HpaMap, AWideEntranceHasATransitionAtEachEndAndANarrowOneInItsMiddle) {
  const HpaMap wide = map_of({"................", "................", "................",
                              "................", "................", "................"},
                             {.side = 8});
  EXPECT_EQ(nodes_of(wide, 1, 0), (std::vector{NodeId{7}, NodeId{5 * 16 + 7}}));
  EXPECT_EQ(nodes_of(wide, 1, 1), (std::vector{NodeId{8}, NodeId{5 * 16 + 8}}));
  const HpaMap narrow = map_of({".......#........", "................", "................",
                                "................", "........#.......", "................"},
                               {.side = 8});
  EXPECT_EQ(nodes_of(narrow, 1, 0), (std::vector{NodeId{2 * 16 + 7}, NodeId{5 * 16 + 7}}));
}

TEST(HpaMap, DistancesStayWithinTheCluster) {
  const HpaMap map = map_of({"....#...", ".##.....", ".##.....", "....#..."}, {.side = 4});
  std::uint64_t made = 0;
  const Cow<HpaFacts> facts = map.facts(1, 1, &made);
  ASSERT_EQ(facts->nodes, (std::vector{NodeId{2 * 8 + 4}}));
  EXPECT_EQ(facts->distance(0, 0), 0u);
  EXPECT_EQ(facts->across.front().front(), NodeId{2 * 8 + 3});
}

TEST(HpaMap, HasMoreLevelsOnLargerMaps) {
  EXPECT_EQ(hpa_shape_for(512, 512).levels, 1);
  EXPECT_EQ(hpa_shape_for(1024, 1024).levels, 2);
  EXPECT_EQ(hpa_shape_for(8192, 8192).levels, 3);
}

// A cell inside a cluster concerns this cluster on each level; a cell at a corner also its
// neighbours.
TEST(HpaMap, AnEditForgetsOnlyWhatItTouches) {
  GridLayer layer = open_layer(64, 64);
  HpaMap map(layer, Topology::k8, CornerRule::kNone, kQuarters);
  map.make_all();
  const auto made_after = [&](NodeId cell) {
    test::flip(&layer, {cell});
    map.update(layer);
    std::uint64_t made = 0;
    for (int level = 1; level <= 2; ++level)
      for (std::uint32_t c = 0; c < map.cluster_count(level); ++c) map.facts(level, c, &made);
    return made;
  };
  EXPECT_EQ(made_after(layer.node_at(20, 20)), 2u);  // its clusters on both levels
  EXPECT_EQ(made_after(layer.node_at(7, 20)), 3u);   // and the neighbour on level 1
  EXPECT_EQ(made_after(layer.node_at(31, 31)), 6u);  // two neighbours on both levels
  std::uint64_t made = 0;
  map.facts(1, 0, &made);
  EXPECT_EQ(made, 0u);
}

TEST(HpaMap, BeyondItsMemoryItFindsFactsAnew) {
  const HpaMap map(open_layer(32, 32), Topology::k8, CornerRule::kNone, {.side = 8},
                   Cow<FactMemory>(new FactMemory(0)));
  std::uint64_t made = 0;
  map.facts(1, 0, &made);
  map.facts(1, 0, &made);
  EXPECT_EQ(made, 2u);
  EXPECT_EQ(map.memory().bytes, 0u);
}

TEST(HpaSearch, OnOpenGroundThePathIsOptimalAndSaysSo) {
  const GridLayer layer = open_layer(64, 64);
  const HpaMap map(layer, Topology::k8, CornerRule::kNone, kQuarters);
  HpaSearch search(map, layer.node_at(3, 5), GoalSet{layer.node_at(60, 21)});
  Progress progress = Progress::kOutOfBudget;
  for (int slice = 0; slice < 10 && progress == Progress::kOutOfBudget; ++slice) {
    std::uint32_t plenty = 100'000;  // it stops to find the facts of clusters
    progress = search.advance(&plenty);
  }
  ASSERT_EQ(progress, Progress::kPathFound);
  EXPECT_EQ(search.path_cost(), octile_cost(57, 16));
  EXPECT_EQ(search.lower_bound(), search.path_cost());
}

TEST(HpaSearch, OutOfBudgetIsNotNoPath) {
  const GridLayer layer = open_layer(64, 64);
  const HpaMap map(layer, Topology::k8, CornerRule::kNone, kQuarters);
  HpaSearch search(map, layer.node_at(3, 5), GoalSet{layer.node_at(60, 21)});
  std::uint32_t none = 0;
  EXPECT_EQ(search.advance(&none), Progress::kOutOfBudget);
  EXPECT_EQ(search.path_cost(), kUnreachable);
  EXPECT_EQ(search.goal(), kNoNode);
}

TEST(HpaSearch, AStartThatIsAGoalIsAPathOfOneCell) {
  const GridLayer layer = open_layer(16, 16);
  const HpaMap map(layer, Topology::k8, CornerRule::kNone, {.side = 8});
  HpaSearch search(map, NodeId{5}, GoalSet{NodeId{5}, NodeId{9}});
  std::uint32_t none = 0;
  ASSERT_EQ(search.advance(&none), Progress::kPathFound);
  std::vector<NodeId> path;
  search.append_path(&path);
  EXPECT_EQ(path, std::vector{NodeId{5}});
  EXPECT_EQ(search.lower_bound(), 0u);
}

TEST(BoxSearch, SeesNothingBeyondItsBox) {
  const GridLayer layer = test::draw_layer({".....", ".###.", ".....", "....."});
  BoxSearch search(GridGraph(&layer, Topology::k8, CornerRule::kNone));
  search.begin({1, 0, 5, 2});
  search.seed(NodeId{1}, 7);
  search.settle();
  EXPECT_EQ(search.cost(NodeId{4}), 7 + 3 * kStraightStep);
  EXPECT_EQ(search.cost(layer.node_at(4, 1)), 7 + 4 * kStraightStep);
  search.begin({0, 0, 5, 3});
  search.seed(NodeId{1}, 0);
  EXPECT_EQ(search.find(layer.node_at(2, 2), 5 * kStraightStep), kUnreachable);  // equally dear
  search.begin({0, 0, 5, 3});
  search.seed(NodeId{1}, 0);
  EXPECT_EQ(search.find(layer.node_at(2, 2), 5 * kStraightStep + 1), 5 * kStraightStep);
}

TEST(HpaSmoother, CutsACornerThatNeedNotBe) {
  const GridLayer layer = open_layer(12, 12);
  std::vector<NodeId> path;
  for (std::int32_t x = 0; x < 12; ++x) path.push_back(layer.node_at(x, 0));
  for (std::int32_t y = 1; y < 12; ++y) path.push_back(layer.node_at(11, y));
  HpaSmoother smoother(GridGraph(&layer, Topology::k8, CornerRule::kNone), path);
  std::uint32_t plenty = 100'000;
  ASSERT_TRUE(smoother.advance(&plenty));
  EXPECT_EQ(smoother.cost(), 11 * kDiagonalStep);
}

}  // namespace
}  // namespace repath
