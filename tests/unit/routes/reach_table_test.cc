// Tables of which places lead to which: their work, their memory, and who shares them.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "base/work_meter.h"
#include "routes/graph_world.h"
#include "routes/nav_world.h"
#include "routes/strong_parts.h"
#include "support/reach.h"
#include "support/small_meshes.h"
#include "world/limits.h"

namespace repath {
namespace {

constexpr std::uint64_t kRowLength = 300;

// A row of nodes with edges both ways.
std::unique_ptr<RouteWorld> row_of_nodes() {
  GraphWorld::Source source{"row",
                            {},
                            {{.name = "dear", .areas = {{.area = 1, .factor = 2}}},
                             {.name = "barred", .exclude = 4},
                             {.name = "wide", .radius = 2}}};
  for (std::uint64_t n = 1; n <= kRowLength; ++n)
    source.graph.nodes.push_back({.id = n, .x = double(n)});
  for (std::uint64_t n = 1; n < kRowLength; ++n)
    source.graph.edges.push_back({.from = n, .to = n + 1, .both = true});
  auto world = GraphWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// Squares in a row, with a link from the first to the last if `has_link`.
std::unique_ptr<RouteWorld> row_of_squares(bool has_link) {
  NavWorld::Source source;
  source.name = "squares";
  source.mesh = test::squares({std::string(kRowLength, '.')});
  if (has_link) {
    NavLink link{.id = 1, .flags = 1};
    link.from_cell = 0;
    link.from = test::at(0.5, 0.5);
    link.to_cell = kRowLength - 1;
    link.to = test::at(kRowLength - 0.5, 0.5);
    source.mesh.links = {link};
  }
  source.profiles = {{.name = "dear", .areas = {{.area = 1, .factor = 2}}},
                     {.name = "barred", .exclude = 4}};
  auto world = NavWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

const QueryGround& ground_of(RouteWorld* world, const std::string& profile, TeamId team = {}) {
  const auto view = world->acquire_view(profile, team);
  EXPECT_TRUE(view.ok()) << view.status();
  return world->ground(*view);
}

TEST(ReachTable, MakingItCountsNodesAndWays) {
  const auto world = row_of_nodes();
  const QueryGround& ground = ground_of(world.get(), "default");
  constexpr std::uint64_t kUnits = StrongParts::kUnitsOfWay * (kRowLength + 2 * (kRowLength - 1));
  WorkMeter enough({kUnits, 0, 0});
  EXPECT_NE(ground.reach_table(&enough), nullptr);
  EXPECT_EQ(enough.spent(), kUnits);
  for (const std::uint64_t little : {kUnits - 1, kUnits / 2, kUnits / 10, std::uint64_t{0}}) {
    WorkMeter meter({little, 0, 0});
    EXPECT_EQ(ground.reach_table(&meter), nullptr) << little;
    EXPECT_TRUE(meter.is_over());
  }
  EXPECT_GE(ground.reach_bytes(), 4 * kUnits / StrongParts::kUnitsOfWay);
}

TEST(ReachTable, OnMeshesItTakesWorkIfThereAreLinks) {
  const auto plain = row_of_squares(false);
  WorkMeter nothing({0, 0, 0});
  const QueryGround& whole = ground_of(plain.get(), "default");
  EXPECT_NE(whole.reach_table(&nothing), nullptr);
  EXPECT_EQ(whole.reach_bytes(), 0u);
  const auto linked = row_of_squares(true);
  const QueryGround& ground = ground_of(linked.get(), "default");
  WorkMeter meter(kNoWorkLimits);
  EXPECT_NE(ground.reach_table(&meter), nullptr);
  EXPECT_GE(meter.spent(), StrongParts::kUnitsOfWay * 3 * (kRowLength - 1));
  WorkMeter little({meter.spent() - 1, 0, 0});
  EXPECT_EQ(ground.reach_table(&little), nullptr);
  EXPECT_GE(ground.reach_bytes(), 4 * 3 * kRowLength);
}

TEST(ReachTable, IsSharedByViewsThatMayUseTheSame) {
  const auto graph = row_of_nodes();
  const QueryGround& nodes = ground_of(graph.get(), "default");
  EXPECT_TRUE(nodes.reaches_as(nodes));
  EXPECT_TRUE(nodes.reaches_as(ground_of(graph.get(), "default", TeamId{3})));
  EXPECT_TRUE(nodes.reaches_as(ground_of(graph.get(), "dear"))) << "costs do not count";
  EXPECT_FALSE(nodes.reaches_as(ground_of(graph.get(), "barred")));
  EXPECT_FALSE(nodes.reaches_as(ground_of(graph.get(), "wide"))) << "edges have widths";
  const auto mesh = row_of_squares(true);
  const QueryGround& squares = ground_of(mesh.get(), "default");
  EXPECT_TRUE(squares.reaches_as(squares));
  EXPECT_TRUE(squares.reaches_as(ground_of(mesh.get(), "dear")));
  EXPECT_FALSE(squares.reaches_as(ground_of(mesh.get(), "barred")));
  EXPECT_FALSE(squares.reaches_as(ground_of(row_of_squares(true).get(), "default")));
}

TEST(PlaceLooks, GrowWithTheDistance) {
  const auto graph = row_of_nodes();
  const auto mesh = row_of_squares(false);
  for (RouteWorld* world : {graph.get(), mesh.get()}) {
    const QueryGround& ground = ground_of(world, "default");
    std::uint64_t near = 0;
    std::uint64_t far = 0;
    ASSERT_TRUE(ground.nearest({150.5, 0, 0.5}, 64, &near));
    ASSERT_TRUE(ground.nearest({150.5, 0, 40}, 64, &far));
    EXPECT_GT(near, 0u);
    EXPECT_GT(far, 4 * near);
    std::uint64_t stood = 0;
    ASSERT_TRUE(ground.stand({150.5, 0, 0.5}, 0.001, 1, &stood));
    EXPECT_GT(stood, 0u);
    EXPECT_LE(stood, near);
  }
}

}  // namespace
}  // namespace repath
