// The layers that each team has: influence, and ground it has not seen.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "support/ascii_grid.h"
#include "unit/world/small_worlds.h"
#include "world/world.h"

namespace repath {
namespace {

using test::apply;
using test::kBlue;
using test::kRed;
using test::make_world;
using test::mud;
using test::seen;
using test::wall;

InfluenceEdit danger(TeamId team, std::uint8_t layer, CellRect cells, std::int32_t more) {
  return {cells, team, layer, {LevelChange::Kind::kAdd, more}};
}

double factor_at(const World& world, ViewId view, std::int32_t x) {
  return from_factor(world.layer(view).factor(x, 0));
}

TEST(TeamPlanes, InfluenceMakesCellsDearerForItsTeamOnly) {
  const auto world = make_world(test::draw_map({"..5.#"}));
  const ViewId red = *world->acquire_view("default", kRed);
  const ViewId blue = *world->acquire_view("default", kBlue);
  const Commit commit = apply(
      world.get(),
      {.influence_edits = {danger(kRed, 0, {1, 0, 9, 1}, 64), danger(kRed, 7, {2, 0, 3, 1}, 32)}});
  ASSERT_EQ(commit.views.size(), 1u);
  EXPECT_EQ(commit.views[0].view, red);
  EXPECT_EQ(commit.views[0].risen.size(), 6u) << "three steps, both ways";
  EXPECT_EQ(commit.views[0].risen[0].cause, kNoCause);
  EXPECT_EQ(factor_at(*world, red, 0), 1);
  EXPECT_EQ(factor_at(*world, red, 1), 2);
  EXPECT_EQ(factor_at(*world, red, 2), 5 * 2 * 1.5);
  EXPECT_TRUE(world->layer(blue).factor(1, 0) == kFactorOne);
  EXPECT_EQ(seen(*world, red), seen(*world, blue)) << "what is blocked stays so";
}

TEST(TeamPlanes, InfluenceAddsUpWithinItsBounds) {
  const auto world = make_world(test::open_map(3, 1));
  const ViewId view = *world->acquire_view("default", kRed);
  apply(world.get(),
        {.influence_edits = {danger(kRed, 0, {0, 0, 1, 1}, 64), danger(kRed, 0, {0, 0, 1, 1}, 64),
                             danger(kRed, 0, {1, 0, 2, 1}, kLevelMax),
                             danger(kRed, 0, {1, 0, 2, 1}, 1), danger(kRed, 1, {1, 0, 2, 1}, 640),
                             danger(kRed, 0, {2, 0, 3, 1}, -5)}});
  EXPECT_EQ(factor_at(*world, view, 0), 3);
  EXPECT_EQ(factor_at(*world, view, 1), 1000);
  EXPECT_EQ(factor_at(*world, view, 2), 1);
}

TEST(TeamPlanes, DecayKeepsAShareAndEndsAtNothing) {
  const auto world = make_world(test::open_map(4, 1));
  const ViewId view = *world->acquire_view("default", kRed);
  const std::uint64_t bytes = world->bytes();
  apply(world.get(), {.influence_edits = {danger(kRed, 3, {0, 0, 3, 1}, 128)}});
  apply(world.get(), {.decay_influence = {{kRed, 3, 500, CellRect{0, 0, 2, 1}}}});
  EXPECT_EQ(factor_at(*world, view, 0), 2);
  EXPECT_EQ(factor_at(*world, view, 2), 3);
  // Within a batch decays are applied first.
  apply(world.get(), {.decay_influence = {{kRed, 3, 0, {}}},
                      .influence_edits = {danger(kRed, 3, {3, 0, 4, 1}, 3)}});
  EXPECT_EQ(factor_at(*world, view, 1), 1);
  EXPECT_EQ(world->plane({kRed, 3})->at(3, 0), 3);
  apply(world.get(), {.decay_influence = {{kRed, 3, 500, {}}}});
  EXPECT_EQ(world->plane({kRed, 3})->at(3, 0), 1);
  apply(world.get(), {.decay_influence = {{kRed, 3, 999, {}}}});
  EXPECT_EQ(world->plane({kRed, 3}), nullptr);
  EXPECT_EQ(world->bytes(), bytes);
  apply(world.get(), {.decay_influence = {{kRed, 3, 999, {}}}});
}

TEST(TeamPlanes, AViewMadeLaterSeesTheInfluenceOfItsTeam) {
  const auto world = make_world(test::open_map(70, 1));
  apply(world.get(), {.influence_edits = {danger(kRed, 0, {60, 0, 66, 1}, 64)}});
  EXPECT_EQ(factor_at(*world, *world->acquire_view("default", kRed), 65), 2);
  EXPECT_TRUE(world->layer(*world->acquire_view("default", kBlue)).is_uniform());
}

TEST(TeamPlanes, WhatATeamHasNotSeenCountsAsFree) {
  const auto world =
      make_world(test::draw_map({"..5@#"}), {Profile{}, {.name = "big", .radius = 0.8}});
  const ViewId red = *world->acquire_view("default", kRed);
  const ViewId blue = *world->acquire_view("default", kBlue);
  const auto factors = [&](ViewId view) {
    std::string drawn;
    for (std::int32_t x = 0; x < 5; ++x)
      drawn += world->layer(view).is_free(x, 0)
                   ? static_cast<char>('0' + static_cast<int>(factor_at(*world, view, x)))
                   : '#';
    return drawn;
  };
  apply(world.get(), {.upsert_obstacles = {wall(1, {0, 0, 1, 1}), mud(2, {1, 0, 2, 1}, 7)}});
  const Commit hidden = apply(world.get(), {.influence_edits = {danger(kRed, 0, {3, 0, 4, 1}, 64)},
                                            .fog_edits = {{CellRect{0, 0, 9, 9}, kRed, true}}});
  EXPECT_EQ(factors(red), "11121");
  EXPECT_EQ(factors(blue), "#75##");
  ASSERT_EQ(hidden.views.size(), 1u);
  EXPECT_EQ(hidden.views[0].freed.size(), 3u);
  // Changes there have no effect for the team until it sees the place.
  const Commit unseen = apply(world.get(), {.upsert_obstacles = {wall(3, {1, 0, 3, 1})}});
  ASSERT_EQ(unseen.views.size(), 1u);
  EXPECT_EQ(unseen.views[0].view, blue);
  const Commit seen_now = apply(world.get(), {.fog_edits = {{CellRect{0, 0, 2, 1}, kRed, false}}});
  EXPECT_EQ(factors(red), "##121");
  EXPECT_EQ(seen_now.views[0].blocked.size(), 2u);
  EXPECT_EQ(seen_now.views[0].risen[0].cause, kNoCause);
  // Ground that the team has seen stays known when it changes.
  apply(world.get(), {.remove_obstacles = {ObstacleId{3}}});
  EXPECT_EQ(factors(red), "#7121");
}

TEST(TeamPlanes, WhatIsNotSeenBarsNobodyWhoHasARadius) {
  const auto world = make_world(test::draw_map({".....", ".....", "..@..", ".....", "....."}),
                                {Profile{}, {.name = "big", .radius = 0.8}});
  const ViewId big = *world->acquire_view("big", kRed);
  EXPECT_EQ(world->layer(big).is_free(1, 1), false);
  apply(world.get(), {.fog_edits = {{CellRect{0, 0, 5, 5}, kRed, true}}});
  EXPECT_EQ(world->layer(big).is_free(2, 2), true);
  EXPECT_EQ(world->layer(big).is_free(0, 2), false) << "where the map ends is known";
  apply(world.get(), {.fog_edits = {{CellRect{2, 2, 3, 3}, kRed, false}}});
  EXPECT_EQ(world->layer(big).is_free(1, 1), false);
}

TEST(TeamPlanes, FogTakesAMapOfAnyWidth) {
  const auto world = make_world(test::draw_map({"@@@@@@@"}));
  const std::uint64_t bytes = world->bytes();
  apply(world.get(), {.fog_edits = {{CellRect{0, 0, 7, 1}, kRed, true}}});
  const ViewId red = *world->acquire_view("default", kRed);
  EXPECT_EQ(seen(*world, red), ".......\n");
  world->release_view(red);
  EXPECT_LT(world->bytes(), bytes + 1000) << "one number a tile";
  apply(world.get(), {.fog_edits = {{CellRect{0, 0, 7, 1}, kRed, false}}});
  EXPECT_EQ(world->plane({kRed, PlaneKey::kUnseen}), nullptr);
}

}  // namespace
}  // namespace repath
