// Queries and agents agree on which floor a position means where floors lie close above each other.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "engine/queries.h"
#include "routes/nav_world.h"
#include "support/small_meshes.h"
#include "unit/engine/route_bed.h"

namespace repath {
namespace {

using test::RouteBed;

constexpr double kUpper = 1.5;

// Two floors of 10 x 10, and no way from one to the other.
std::unique_ptr<RouteWorld> storeys() {
  NavWorld::Source source;
  source.name = "storeys";
  for (const double y : {0.0, kUpper}) {
    const auto first = static_cast<std::uint32_t>(source.mesh.vertices.size());
    for (const auto& [x, z] : {std::pair{0, 0}, {10, 0}, {10, 10}, {0, 10}})
      source.mesh.vertices.push_back({test::at(x, z), y});
    source.mesh.add_cell({first, first + 1, first + 2, first + 3});
  }
  auto world = NavWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

class CloseFloors : public ::testing::Test {
 protected:
  CloseFloors() : bed_(storeys()) {}
  // Covers [4, 6] x [4, 6] of the upper floor.
  static ChangeBatch cover() {
    ChangeBatch batch;
    batch.upsert_obstacles.push_back(RouteBed::block(1, {4, 4, 6, 6}));
    batch.upsert_obstacles.back().bottom = 1;
    batch.upsert_obstacles.back().top = 2;
    return batch;
  }
  QueryState state(MapPoint from, MapPoint to) {
    const AnySnapshot world = *bed_->capture("default", TeamId{0});
    PathQuery query;
    query.from = from;
    query.goals = {to};
    return find_path(*world.routes, query, {}).state;
  }
  RayAnswer ray(MapPoint from, MapPoint to) {
    const AnySnapshot world = *bed_->capture("default", TeamId{0});
    return raycast(*world.routes, from, to);
  }

  RouteBed bed_;
  MapPoint above_{5, 5, kUpper};
  MapPoint below_{1, 1, 0};
  MapPoint aside_{1, 1, kUpper};
};

TEST_F(CloseFloors, AQueryDoesNotLeaveACoveredFloorForAnother) {
  EXPECT_EQ(state(above_, below_), QueryState::kUnreachable);
  EXPECT_EQ(state(above_, aside_), QueryState::kComplete);
  bed_.apply(cover());
  EXPECT_EQ(state(above_, below_), QueryState::kStartBlocked);
  EXPECT_EQ(state(above_, aside_), QueryState::kStartBlocked);
  EXPECT_EQ(state(below_, above_), QueryState::kGoalBlocked);
  EXPECT_EQ(state(below_, {5, 5, 0.5}), QueryState::kComplete);
}

TEST_F(CloseFloors, ABatchThatOpensAFloorPartsNothing) {
  bed_.apply(cover());
  TestChanges opening;
  opening.batch.remove_obstacles.push_back(ObstacleId{1});
  opening.pairs = {{above_, below_, "default", TeamId{0}}, {above_, aside_, "default", TeamId{0}}};
  const auto answer = bed_->test(opening);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_FALSE(answer->pairs[0].before);
  EXPECT_FALSE(answer->pairs[0].after);
  EXPECT_FALSE(answer->pairs[1].before);
  EXPECT_TRUE(answer->pairs[1].after);
}

TEST_F(CloseFloors, AnAgentIsToldWhatAQueryAnswers) {
  bed_.put(RouteBed::walker(7, above_, below_));
  bed_.put(RouteBed::walker(8, above_, aside_));
  const auto check = [&](EventType down, EventType along) {
    for (const bool is_reported : {false, true}) {
      for (const std::uint64_t id : {7, 8})
        if (is_reported) bed_.report(id, above_);
      bed_.settle();
      EXPECT_EQ(bed_->agent(AgentId{7})->verdict.type, down);
      EXPECT_EQ(bed_->agent(AgentId{8})->verdict.type, along);
    }
  };
  check(EventType::kUnreachable, EventType::kNewPath);
  for (int i = 0; i < 2; ++i) {
    bed_.apply(cover());
    check(EventType::kStartBlocked, EventType::kStartBlocked);
    ChangeBatch opening;
    opening.remove_obstacles.push_back(ObstacleId{1});
    bed_.apply(opening);
    check(EventType::kUnreachable, EventType::kNewPath);
  }
}

TEST_F(CloseFloors, ARayReachesATargetOnItsOwnFloorOnly) {
  for (const bool is_covered : {false, true}) {
    SCOPED_TRACE(is_covered);
    if (is_covered) bed_.apply(cover());
    const RayAnswer to_above = ray(below_, above_);
    EXPECT_TRUE(to_above.hit);
    EXPECT_EQ(to_above.position, (MapPoint{5, 5, 0}));
    const RayAnswer to_middle = ray(below_, {5, 5, 0.7});
    EXPECT_FALSE(to_middle.hit);
    EXPECT_EQ(to_middle.position, (MapPoint{5, 5, 0}));
    EXPECT_EQ(ray(aside_, above_).hit, is_covered);
    EXPECT_EQ(ray(aside_, {3, 3, 0.8}).hit, false);
    EXPECT_EQ(ray(aside_, {3, 3, 0.7}).hit, true);
  }
}

TEST_F(CloseFloors, AWalkReachesATargetOnItsOwnFloorOnly) {
  bed_.apply(cover());
  const auto is_valid = [&](MapPoint from, MapPoint to) {
    const AnySnapshot world = *bed_->capture("default", TeamId{0});
    std::vector<RoutePoint> route{{{from.x, from.height, from.y}}, {{to.x, to.height, to.y}}};
    return check_path(*world.routes, &route).valid;
  };
  EXPECT_FALSE(is_valid(below_, above_));
  EXPECT_FALSE(is_valid(above_, aside_));
  EXPECT_TRUE(is_valid(below_, {5, 5, 0.7}));
}

}  // namespace
}  // namespace repath
