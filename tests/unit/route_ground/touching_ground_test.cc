// Two pieces of ground that touch in a point: an agent there is on both, and nothing leads through.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "routes/nav_world.h"
#include "routes/places.h"
#include "support/reach.h"
#include "support/route_bed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

using test::kinds_of;
using test::RouteBed;

constexpr MapPoint kTouching{2, 1, 0};  // in the upper piece and in the middle one
constexpr MapPoint kUpper{0.5, 0.5, 0};
constexpr MapPoint kMiddle{5.5, 1.5, 0};
constexpr MapPoint kLower{5.5, 3.5, 0};
constexpr MapPoint kLinkBegins{0.5, 3.5, 0};

// A link leads from the lower piece to the point, into the middle piece.
std::unique_ptr<NavWorld> three_pieces() {
  MeshSource mesh = test::squares({"..####",  //
                                   "##....",  //
                                   "######",  //
                                   "......"});
  mesh.links.push_back({.id = 1,
                        .from_cell = 6,
                        .to_cell = 2,
                        .from = test::at(0.5, 3.5),
                        .to = test::at(2, 1),
                        .flags = 1,
                        .both_ways = false});
  auto world = NavWorld::create({.name = "w", .mesh = std::move(mesh), .profiles = {}});
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

constexpr std::array kStrategies = {Strategy::kAuto, Strategy::kAStar, Strategy::kLpa,
                                    Strategy::kDStarLite, Strategy::kField};

std::vector<EventType> answer(MapPoint from, MapPoint to, Strategy strategy) {
  RouteBed bed(three_pieces(), {.strategy = strategy});
  bed.put(from, to);
  std::vector<EventType> kinds = kinds_of(bed.settle());
  const AgentView view = bed.view();
  if (kinds.back() == EventType::kNewPath) {
    const RouteWalk walk =
        walk_route(bed.world().ground(RouteViewId{0}), view.verdict.path->points);
    EXPECT_EQ(walk.cost, view.held_cost);
  }
  return kinds;
}

TEST(TouchingGround, ARouteThatComesOverALinkHoldsAtItsEnd) {
  for (const Strategy strategy : kStrategies) {
    SCOPED_TRACE(static_cast<int>(strategy));
    RouteBed bed(three_pieces(), {.strategy = strategy});
    bed.put(kLower, kMiddle);
    EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
    bed.report(kLinkBegins);
    bed.report(kTouching);
    EXPECT_EQ(kinds_of(bed.events()), std::vector<EventType>{});
    const std::uint64_t hits = bed.stats().filter_path_hits;
    // Its bounds meet the route, and it is beside that.
    bed.block(1, {{4, 1.55}, 0.3, 0.05, std::numbers::pi / 4});
    EXPECT_GT(bed.stats().filter_path_hits, hits);
    EXPECT_EQ(kinds_of(bed.settle()), std::vector<EventType>{});
    bed.block(2, {{4, 1.5}, 0.3, 1, 0});
    EXPECT_EQ(kinds_of(bed.settle()),
              (std::vector{EventType::kInvalidated, EventType::kUnreachable}));
    bed.free(2);
    EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
  }
}

// From the point on a way over the other piece is shorter. The agent does not step over to that.
TEST(TouchingGround, AnAgentOnItsPathIsOnThePieceOfThePath) {
  MeshSource mesh = test::squares({"..#.",  //
                                   ".#..",  //
                                   "....",  //
                                   "####",  //
                                   "...."});
  mesh.links.push_back({.id = 1,
                        .from_cell = 10,
                        .to_cell = 4,
                        .from = test::at(0.5, 4.5),
                        .to = test::at(2, 1),
                        .flags = 1,
                        .both_ways = false});
  auto world = NavWorld::create({.name = "w", .mesh = std::move(mesh), .profiles = {}});
  ASSERT_TRUE(world.ok()) << world.status();
  RouteBed bed(*std::move(world));
  bed.put({3.5, 4.5, 0}, kUpper);
  EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
  bed.report({0.5, 4.5, 0});
  bed.report(kTouching);
  EXPECT_EQ(kinds_of(bed.settle()), std::vector<EventType>{});
  EXPECT_GT(units_from_route_cost(bed.view().held_cost), 3.0);
  AgentSpec fresh;
  fresh.id = AgentId{2};
  fresh.position = kTouching;
  fresh.goals = {kUpper};
  bed.put(fresh);
  EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
  EXPECT_LT(units_from_route_cost(bed.view_of(fresh.id).held_cost), 2.0);
}

TEST(TouchingGround, WaysBeginAndEndOnBothPieces) {
  for (const Strategy strategy : kStrategies)
    for (const MapPoint other : {kUpper, kMiddle}) {
      SCOPED_TRACE(static_cast<int>(strategy));
      EXPECT_EQ(answer(kTouching, other, strategy), std::vector{EventType::kNewPath});
      EXPECT_EQ(answer(other, kTouching, strategy), std::vector{EventType::kNewPath});
    }
}

TEST(TouchingGround, NoWayLeadsThrough) {
  for (const Strategy strategy : kStrategies) {
    EXPECT_EQ(answer(kUpper, kMiddle, strategy), std::vector{EventType::kUnreachable});
    EXPECT_EQ(answer(kMiddle, kUpper, strategy), std::vector{EventType::kUnreachable});
  }
  const auto world = three_pieces();
  const RouteGround& ground = world->ground(*world->acquire_view("default", TeamId{0}));
  const std::vector<RoutePoint> route = {
      {spot_of(kUpper)}, {spot_of(kTouching)}, {spot_of(kMiddle)}};
  EXPECT_EQ(ground.walk(route).cost, kUnreachable);
  EXPECT_EQ(ground.walk(route).broken, 2u);
}

// The squares hang together by ground that the profile excludes.
TEST(TouchingGround, NoWayLeadsThroughBetweenBarredSquares) {
  MeshSource mesh = test::squares({"..", ".."});
  mesh.cells[1].flags = mesh.cells[2].flags = 2;
  Profile profile{.name = "default"};
  profile.exclude = 2;
  auto world = NavWorld::create({.name = "w", .mesh = std::move(mesh), .profiles = {profile}});
  ASSERT_TRUE(world.ok()) << world.status();
  const RouteGround& ground = (*world)->ground(*(*world)->acquire_view("default", TeamId{0}));
  const std::vector<RoutePoint> route = {{{0.5, 0, 0.5}}, {{1, 0, 1}}, {{1.5, 0, 1.5}}};
  EXPECT_EQ(ground.walk(route).cost, kUnreachable);
  EXPECT_NE(ground.walk(std::span(route).first(2)).cost, kUnreachable);
  EXPECT_NE(ground.walk(std::span(route).last(2)).cost, kUnreachable);
  const RoutePlace first = *stand_at(ground, route[0].at);
  const RoutePlace last = *stand_at(ground, route[2].at);
  EXPECT_FALSE(test::leads(test::reach_table(ground).get(), first, last));
  EXPECT_TRUE(test::leads(test::reach_table(ground).get(), *stand_at(ground, route[1].at), last));
}

TEST(TouchingGround, ReachIsThatOfBothPieces) {
  const auto world = three_pieces();
  const RouteGround& ground = world->ground(*world->acquire_view("default", TeamId{0}));
  const RoutePlace touching = *stand_at(ground, spot_of(kTouching));
  const auto reach = test::reach_table(ground);
  for (const MapPoint point : {kUpper, kMiddle}) {
    const RoutePlace other = *stand_at(ground, spot_of(point));
    EXPECT_TRUE(ground.may_reach(touching, other));
    EXPECT_TRUE(ground.may_reach(other, touching));
    EXPECT_TRUE(test::leads(reach.get(), touching, other));
    EXPECT_TRUE(test::leads(reach.get(), other, touching));
    EXPECT_TRUE(
        is_same_place(ground.nearest_reachable(touching, std::span(&other, 1)).at, other.at));
  }
  EXPECT_FALSE(test::leads(reach.get(), *stand_at(ground, spot_of(kUpper)),
                           *stand_at(ground, spot_of(kMiddle))));
}

}  // namespace
}  // namespace repath
