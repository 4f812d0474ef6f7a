// A road beside a ramp. Both hang together at the ramp's foot, and above it they share only a line
// of the plane. A path that goes up the ramp's side lies on that line, above the road's border.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "route_ground/on_route.h"
#include "routes/nav_world.h"
#include "support/route_bed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

using test::kinds_of;
using test::RouteBed;

constexpr MapPoint kBegin{8, 2, 0};

class Quads {
 public:
  // Adds a quad that rises from `low` at z0 to `high` at z1.
  void add(double x0, double z0, double x1, double z1, double low, double high) {
    source.add_cell(
        {vertex(x0, low, z0), vertex(x1, low, z0), vertex(x1, high, z1), vertex(x0, high, z1)});
  }
  void add(double x0, double z0, double x1, double z1, double y) { add(x0, z0, x1, z1, y, y); }

  std::unique_ptr<NavWorld> world() {
    auto made = NavWorld::create({.name = "ramp", .mesh = std::move(source)});
    EXPECT_TRUE(made.ok()) << made.status();
    return *std::move(made);
  }

  MeshSource source;

 private:
  std::uint32_t vertex(double x, double y, double z) {
    const auto [place, is_new] =
        known_.try_emplace({x, y, z}, static_cast<std::uint32_t>(source.vertices.size()));
    if (is_new) source.vertices.push_back({test::at(x, z), y});
    return place->second;
  }
  std::map<std::tuple<double, double, double>, std::uint32_t> known_;
};

// The road lies along x in [6, 8], the ramp along [8, 10]. It rises from z = 16 to a platform at z
// = 26. The platform's rim goes on above the road's border.
Quads road_and_ramp(double height) {
  Quads quads;
  for (int z = 0; z < 34; z += 2) quads.add(6, z, 8, z + 2, 0);
  quads.add(8, 14, 10, 16, 0);
  for (int k = 0; k < 5; ++k)
    quads.add(8, 16 + 2 * k, 10, 18 + 2 * k, height * k / 5, height * (k + 1) / 5);
  for (const double x : {8.0, 10.0})
    for (const double z : {26.0, 28.0, 30.0}) quads.add(x, z, x + 2, z + 2, height);
  return quads;
}

void block(RouteBed* bed, std::uint64_t id, const Box& box, double bottom, double top) {
  ChangeBatch batch;
  batch.upsert_obstacles.push_back({ObstacleId{id}, box});
  batch.upsert_obstacles.back().bottom = bottom;
  batch.upsert_obstacles.back().top = top;
  bed->apply(batch);
}

TEST(PartingFloors, APathUpTheRampsSideIsBlockedWithTheRamp) {
  for (const double height : {1.5, 5.0}) {
    SCOPED_TRACE(height);
    RouteBed bed(road_and_ramp(height).world());
    bed.put(kBegin, {8, 30, height});
    EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
    block(&bed, 1, {{9, 23}, 2, 0.5, 0}, 0.5, height + 1);
    EXPECT_EQ(kinds_of(bed.settle()),
              (std::vector{EventType::kInvalidated, EventType::kUnreachable}));
    bed.free(1);
    EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
  }
}

TEST(PartingFloors, APathUpTheRampsSideIsNotBlockedWithTheRoad) {
  for (const double height : {1.5, 5.0}) {
    SCOPED_TRACE(height);
    RouteBed bed(road_and_ramp(height).world());
    bed.put(kBegin, {8, 30, height});
    EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
    for (const std::uint64_t id : {1, 2}) {
      block(&bed, id, {{7.5, 29.0 - 2.0 * static_cast<double>(id)}, 1.5, 0.3, 0}, -1, 0.1);
      EXPECT_EQ(kinds_of(bed.settle()), std::vector<EventType>{});
    }
  }
}

// A link leads from an island to the line, and searches over links keep no floors. A floor lies
// above the road's end.
std::unique_ptr<NavWorld> with_island() {
  Quads quads = road_and_ramp(5);
  const auto island = static_cast<std::uint32_t>(quads.source.cells.size());
  quads.add(-4, 0, -2, 2, 0);
  for (const double z : {26.0, 28.0, 30.0}) quads.add(6, z, 8, z + 2, 5);
  quads.source.links.push_back({.id = 1,
                                .from_cell = island,
                                .to_cell = 0,
                                .from = test::at(-3, 1),
                                .to = test::at(8, 2),
                                .flags = 1,
                                .both_ways = false});
  return quads.world();
}

TEST(PartingFloors, WaypointsHaveTheHeightOfTheirOwnFloor) {
  RouteBed bed(with_island());
  bed.put({-3, 1, 0}, {6, 30, 5});
  EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
  const std::vector<RoutePoint> route = bed.view().verdict.path->points;
  const RouteGround& ground = bed.world().ground(RouteViewId{0});
  EXPECT_EQ(ground.walk(route).cost, bed.view().held_cost);
  for (const RoutePoint& point : route) {
    if (point.at.z > 25) {
      EXPECT_NEAR(point.at.y, 5, 1e-6) << point.at.z;
    }
  }
  for (const double z : {2.0, 10.0, 16.0, 20.0, 25.9}) {
    bed.report({8, z, z < 16 ? 0 : (z - 16) / 2});
    EXPECT_EQ(kinds_of(bed.settle()), std::vector<EventType>{}) << z;
  }
}

// The search over links proves a bound alone. The last leg of the path is straight.
TEST(PartingFloors, TheStraightRestOfABoundedPathIsOptimal) {
  RouteBed bed(with_island());
  bed.put({-3, 1, 0}, {12, 27, 5});
  EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
  EXPECT_EQ(bed.view().verdict.path->optimality, Optimality::kBounded);
  bed.report({10, 26, 5});
  EXPECT_EQ(bed.view().verdict.path->optimality, Optimality::kOptimal);
  bed.report({11, 26.5, 5});
  EXPECT_EQ(bed.view().verdict.path->optimality, Optimality::kOptimal);
  EXPECT_EQ(kinds_of(bed.settle()), std::vector<EventType>{});
}

TEST(PartingFloors, AWalkDoesNotLeaveTheRampOverItsSide) {
  Quads quads;
  for (int x = 6; x < 18; x += 2) quads.add(x, 0, x + 2, 2, 0);
  for (int k = 0; k < 4; ++k) {
    quads.add(12, 2 + 2 * k, 14, 4 + 2 * k, 0.6 * k, 0.6 * (k + 1));
    quads.add(14, 2 + 2 * k, 16, 4 + 2 * k, 0);
  }
  const auto world = quads.world();
  const RouteGround& ground = world->ground(*world->acquire_view("default", TeamId{0}));
  const auto walk = [&](const Spot& by) {
    const std::array route = {RoutePoint{{8.4, 0, 1.3}, 0, 0, {}}, RoutePoint{by, 0, 0, {}},
                              RoutePoint{{14, 0, 8}, 0, 0, {}}};
    return ground.walk(route);
  };
  EXPECT_EQ(walk({13.955, 0.111, 2.37}).cost, kUnreachable);
  EXPECT_EQ(walk({13.955, 0.111, 2.37}).broken, 2u);
  EXPECT_NE(walk({14, 0, 2}).cost, kUnreachable);
}

// The path turns at the upper end of the ramp and comes back along its rim.
TEST(PartingFloors, AReportOnALegAboveAnotherCountsOnItsOwn) {
  Quads quads;
  quads.add(8, 14, 10, 16, 0);
  for (int k = 0; k < 5; ++k) quads.add(8, 16 + 2 * k, 10, 18 + 2 * k, 0.5 * k, 0.5 * (k + 1));
  quads.add(8, 26, 10, 28, 2.5);
  for (int z = 6; z < 28; z += 2) quads.add(6, z, 8, z + 2, 2.5);
  RouteBed bed(quads.world());
  bed.put({8, 15, 0}, {8, 8, 2.5});
  EXPECT_EQ(kinds_of(bed.settle()), std::vector{EventType::kNewPath});
  bed.report({8, 22, 1.5});
  EXPECT_NEAR(units_from_route_cost(bed.view().held_cost), 22, 1e-6);
  bed.report({8, 25, 2.5});
  EXPECT_NEAR(units_from_route_cost(bed.view().held_cost), 17, 1e-6);
  EXPECT_EQ(kinds_of(bed.events()), std::vector<EventType>{});
}

}  // namespace
}  // namespace repath
