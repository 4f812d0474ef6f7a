#include "route_ground/fall_filter.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "routes/nav_world.h"
#include "support/plane_world.h"
#include "support/seed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

RouteBox box(double x0, double z0, double x1, double z1) { return {x0, z0, x1, z1}; }

RouteChange fall(const RouteBox& where, Cost least = 0) {
  return {.from = where, .to = where, .fell = true, .least = least};
}

constexpr Revision kToday{1000};

TEST(RouteFalls, WhatRoseDoesNotCount) {
  const test::PlaneGround ground;
  const std::vector<RouteChange> changes = {
      {.from = box(1, 1, 2, 2), .to = box(1, 1, 2, 2), .rose = true}};
  const RouteFalls falls(ground, changes);
  std::uint64_t tests = 0;
  EXPECT_TRUE(falls.empty());
  EXPECT_EQ(falls.cheapest({0, 0, 0}, box(9, 9, 9, 9), kUnreachable, kToday, &tests).change,
            nullptr);
}

TEST(RouteFalls, ARivalCostsTheWayThereAndOnToTheGoals) {
  const test::PlaneGround ground;
  const std::vector<RouteChange> changes = {fall(box(3, 4, 4, 5), 7)};
  const RouteFalls falls(ground, changes);
  std::uint64_t tests = 0;
  const RouteRival rival = falls.cheapest({0, 0, 0}, box(4, 8, 9, 9), kUnreachable, kToday, &tests);
  EXPECT_EQ(rival.change, &changes[0]);
  const Cost there = ground.least_cost(box(0, 0, 0, 0), changes[0].from);
  EXPECT_EQ(rival.cost, there + 7 + ground.least_cost(changes[0].to, box(4, 8, 9, 9)));
  EXPECT_EQ(falls.cheapest({0, 0, 0}, box(4, 8, 9, 9), rival.cost, kToday, &tests).change, nullptr)
      << "not cheaper than that";
  EXPECT_EQ(falls.cheapest({0, 0, 0}, RouteBox{}, kUnreachable, kToday, &tests).change, nullptr)
      << "no goal has a place";
}

TEST(RouteFalls, WhatWasShutAfterTheProofIsNoNewsToIt) {
  const test::PlaneGround ground;
  std::vector<RouteChange> changes = {fall(box(3, 4, 4, 5))};
  changes[0].shut_at = Revision{7};
  const RouteFalls falls(ground, changes);
  std::uint64_t tests = 0;
  for (const std::uint64_t proof : {0u, 6u, 7u, 8u}) {
    const bool is_news = proof >= 7;
    EXPECT_EQ(falls.concern(Revision{proof}), is_news);
    const RouteRival rival =
        falls.cheapest({0, 0, 0}, box(4, 8, 9, 9), kUnreachable, Revision{proof}, &tests);
    EXPECT_EQ(rival.change != nullptr, is_news);
  }
}

TEST(RouteFalls, GroupsHideNothing) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  const test::PlaneGround ground;
  const auto some = [&] {
    const double x = 100 * random.unit();
    const double z = 100 * random.unit();
    return box(x, z, x + 5 * random.unit(), z + 5 * random.unit());
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<RouteChange> changes;
    for (std::uint32_t k = random.below(150); k > 0; --k)
      changes.push_back({.from = some(),
                         .to = some(),
                         .rose = random.below(2) == 0,
                         .fell = random.below(2) == 0,
                         .least = random.below(1000),
                         .shut_at = Revision{random.below(4)}});
    const Spot origin{100 * random.unit(), 0, 100 * random.unit()};
    const RouteBox goals = some();
    Cost least = ground.least_cost(box_of(origin), goals) + (Cost{1} << (20 + random.below(16)));
    const Cost limit = least;
    const Revision proof{random.below(4)};
    for (const RouteChange& change : changes)
      if (change.fell && change.shut_at <= proof)
        least = std::min(least, ground.least_cost(box_of(origin), change.from) + change.least +
                                    ground.least_cost(change.to, goals));
    std::uint64_t tests = 0;
    const RouteFalls falls(ground, changes);
    const RouteRival rival = falls.cheapest(origin, goals, limit, proof, &tests);
    EXPECT_EQ(rival.change != nullptr, least < limit);
    EXPECT_EQ(rival.change != nullptr ? rival.cost : limit, least);
  }
}

// Two halls, with a wall between them that ends before the right side.
std::unique_ptr<NavWorld> two_halls(std::optional<std::uint32_t> landmarks) {
  std::vector<std::string> rows(24, std::string(24, '.'));
  rows[12] = std::string(23, '#') + ".";
  auto world = NavWorld::create({.name = "halls",
                                 .mesh = test::squares(rows),
                                 .profiles = {},
                                 .cell_side = 8,
                                 .landmarks = landmarks});
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

TEST(RouteFalls, LandmarksKnowOfWallsThatStraightDistancesDoNot) {
  const std::vector<RouteChange> changes = {fall(box(4, 14, 5, 15))};
  const RouteBox goals = box(8.5, 11.5, 8.5, 11.5);
  const Cost limit = route_cost_of(30);
  for (const std::uint32_t landmarks : {0u, 16u}) {
    const std::unique_ptr<NavWorld> world = two_halls(landmarks);
    const RouteGround& ground = world->ground(*world->acquire_view("default", TeamId{0}));
    const RouteFalls falls(ground, changes);
    std::uint64_t tests = 0;
    const RouteRival rival = falls.cheapest({1.5, 0, 11.5}, goals, limit, kToday, &tests);
    EXPECT_EQ(rival.change != nullptr, landmarks == 0);
    const RouteRival far = falls.cheapest({1.5, 0, 11.5}, goals, route_cost_of(90), kToday, &tests);
    ASSERT_NE(far.change, nullptr) << "there and back over the gap at the right takes less";
    EXPECT_EQ(far.cost > route_cost_of(65), landmarks > 0);
  }
}

}  // namespace
}  // namespace repath
