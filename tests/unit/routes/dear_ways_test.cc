// Ways on meshes that cost very much: long links with the highest factors.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "routes/nav_world.h"
#include "support/query_ground.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

constexpr double kFar = 30'000;  // x of the islands in the east; those in the west have -kFar
constexpr double kApart = 100;   // z from one island to the next

Spot island(std::size_t i) {
  return {(i % 2 == 0 ? -kFar : kFar) + 0.5, 0, kApart * static_cast<double>(i) + 0.5};
}

// Islands of one square, in the west and in the east by turns, each with a link to the next. The
// factor of a link is 1000, and so is that of its area.
std::unique_ptr<NavWorld> islands(std::size_t count) {
  MeshSource mesh;
  for (std::size_t i = 0; i < count; ++i) {
    const Spot middle = island(i);
    std::vector<std::uint32_t> corners;
    for (const auto& [x, z] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
      corners.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
      mesh.vertices.push_back({test::at(middle.x + x, middle.z + z), 0});
    }
    mesh.add_cell(corners);
    if (i == 0) continue;
    const Spot before = island(i - 1);
    mesh.links.push_back({.id = i,
                          .from_cell = static_cast<std::uint32_t>(i - 1),
                          .to_cell = static_cast<std::uint32_t>(i),
                          .from = test::at(before.x, before.z),
                          .to = test::at(middle.x, middle.z),
                          .factor = 1'000'000,
                          .area = AreaType{7},
                          .flags = 1,
                          .both_ways = true});
  }
  return *NavWorld::create(
      {.name = "w", .mesh = std::move(mesh), .profiles = {{.name = "slow", .areas = {{7, 1000}}}}});
}

double length_of_link() { return std::hypot(2 * kFar, kApart); }

TEST(DearWays, TheFactorsOfALinkMultiplyUpTo1000) {
  const auto world = islands(2);
  const RouteGround& ground = world->ground(*world->acquire_view("slow", TeamId{0}));
  const RoutePlace from = *ground.locate(island(0));
  const RoutePlace to = *ground.locate(island(1));
  const auto search = ground.search(from, {&to, 1});
  std::uint32_t expansions = 1000;
  ASSERT_EQ(search->advance(&expansions), Progress::kPathFound);
  EXPECT_NEAR(units_from_route_cost(search->cost()), 1000 * length_of_link(), 1);
  for (const SearchKind kind : {SearchKind::kLpa, SearchKind::kDStarLite, SearchKind::kField}) {
    const auto kept = ground.kept_search(kind, from, {&to, 1});
    ASSERT_EQ(kept->advance(from, &expansions), Progress::kPathFound);
    EXPECT_EQ(kept->cost(from), search->cost());
  }
}

TEST(DearWays, GroundBeyondABillionIsReachable) {
  const std::size_t count = 22;
  const auto world = islands(count);
  const QueryGround& ground = test::query_ground(*world, *world->acquire_view("slow", TeamId{0}));
  const RoutePlace from = *ground.locate(island(0));
  const double cost = 1000 * length_of_link() * (count - 1);
  ASSERT_GT(cost, 1e9);

  const auto flood = ground.flood(from, kUnreachable);
  std::uint32_t expansions = 10'000;
  ASSERT_EQ(flood->advance(&expansions), Progress::kNoPath);
  std::vector<ReachedPiece> pieces;
  flood->append_pieces(&pieces);
  ASSERT_EQ(pieces.size(), count);
  EXPECT_NEAR(units_from_route_cost(pieces.back().cost), cost, 1000);

  std::vector<Spot> threats;
  for (std::size_t i = 0; i + 1 < count; ++i) threats.push_back(island(i));
  const auto away = ground.away(from, threats, 10);
  ASSERT_EQ(away->advance(&expansions), Progress::kPathFound);
  EXPECT_EQ(away->place().at.z, island(count - 1).z);
}

// The way round ground that obstacles make dear. If the line through the portals that it passes is
// pulled tight, it leads over that ground.
TEST(DearWays, ALinePulledTightLeadsOverNoDearGround) {
  const auto world = *NavWorld::create(
      {.name = "w", .mesh = test::squares(std::vector(20, std::string(20, '.')))});
  ChangeBatch batch;
  batch.upsert_obstacles.push_back({ObstacleId{1}, Box{{10, 11}, 3, 1, 0}});
  batch.upsert_obstacles.push_back({ObstacleId{2}, Box{{13, 6}, 1, 4, 0.785}});
  batch.upsert_obstacles.back().effect = {.blocked = false, .factor = 1000};
  ASSERT_TRUE(world->apply(batch).ok());
  const RouteGround& ground = world->ground(*world->acquire_view("default", TeamId{0}));
  const RoutePlace from = *ground.locate({15.127, 0, 7.21});
  const RoutePlace to = *ground.locate({2.31, 0, 15.18});
  const auto search = ground.search(from, {&to, 1});
  std::uint32_t expansions = 10'000;
  ASSERT_EQ(search->advance(&expansions), Progress::kPathFound);
  EXPECT_LT(units_from_route_cost(search->cost()), 16.5);
}

}  // namespace
}  // namespace repath
