#include "verify/world_model.h"

#include <gtest/gtest.h>

namespace repath::verify {
namespace {

const std::vector<TerrainClass> kClasses = {
    {"ground", '.', 1, false}, {"wall", '@', 1, true}, {"mud", '3', 3, false}};

Obstacle wall(std::uint64_t id, Rect cells, std::uint32_t teams = 0) {
  return {id, cells, true, 1, teams, true};
}

Obstacle slow(std::uint64_t id, Rect cells, double factor) {
  return {id, cells, false, factor, 0, true};
}

double factor_at(View& view, int x, int y) {
  const Ground& ground = view.now();
  return ground.factor[static_cast<std::size_t>(ground.cell(x, y))];
}

TEST(WorldModel, ReadsTheMapByTheClassesSymbols) {
  std::string problem;
  const auto map =
      parse_map("type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@3\r\n..?\r\n", problem);
  ASSERT_TRUE(map) << problem;
  int unknown = 0;
  WorldModel world(*map, kClasses, unknown);
  EXPECT_EQ(unknown, 1);
  View& view = world.view(world.add_view({}, 0));
  EXPECT_EQ(factor_at(view, 0, 0), 1);
  EXPECT_EQ(factor_at(view, 1, 0), 0);
  EXPECT_EQ(factor_at(view, 2, 0), 3);
}

TEST(WorldModel, RemovingAnObstacleDoesNotOpenWhatAnotherCovers) {
  WorldModel world(3, 1, kClasses);
  View& view = world.view(world.add_view({}, 0));
  world.apply({.upserts = {wall(1, {0, 0, 2, 1}), wall(2, {1, 0, 3, 1})}});
  world.apply({.removals = {1}});
  EXPECT_EQ(factor_at(view, 0, 0), 1);
  EXPECT_EQ(factor_at(view, 1, 0), 0);
  EXPECT_EQ(factor_at(view, 2, 0), 0);
}

TEST(WorldModel, FactorsMultiplyUpToAThousand) {
  WorldModel world(2, 1, kClasses);
  View& view = world.view(world.add_view({}, 0));
  world.apply({.terrain = {{{0, 0, 1, 1}, 2}}, .upserts = {slow(1, {0, 0, 1, 1}, 5)}});
  EXPECT_EQ(factor_at(view, 0, 0), 15);
  world.apply({.upserts = {slow(2, {0, 0, 2, 1}, 500)}});
  EXPECT_EQ(factor_at(view, 0, 0), 1000);
  EXPECT_EQ(factor_at(view, 1, 0), 500);
}

TEST(WorldModel, InfluenceIsItsTeamsAndFades) {
  WorldModel world(3, 1, kClasses);
  const int reds = world.add_view({}, 1);
  const int blues = world.add_view({}, 0);
  View& red = world.view(reds);
  View& blue = world.view(blues);
  world.apply({.influence = {{1, 0, Rect{0, 0, 2, 1}, 64, true},
                             {1, 0, Rect{0, 0, 1, 1}, 64, true},
                             {1, 3, Rect{1, 0, 2, 1}, 32, false}}});
  EXPECT_EQ(factor_at(red, 0, 0), 3);
  EXPECT_EQ(factor_at(red, 1, 0), 2 * 1.5);
  EXPECT_EQ(factor_at(red, 2, 0), 1);
  EXPECT_EQ(factor_at(blue, 0, 0), 1);
  world.apply({.decays = {{1, 0, 505, Rect{1, 0, 3, 1}}}});
  EXPECT_EQ(factor_at(red, 0, 0), 3);
  EXPECT_EQ(factor_at(red, 1, 0), 1.5 * 1.5) << "64 * 0.505 is 32 and a bit";
  world.apply({.decays = {{1, 0, 0}}, .influence = {{1, 0, Rect{2, 0, 3, 1}, 99999, true}}});
  EXPECT_EQ(factor_at(red, 0, 0), 1);
  EXPECT_EQ(factor_at(red, 2, 0), 1000);
}

TEST(WorldModel, ABodyIsInTheWayOfAllOthers) {
  WorldModel world(3, 1, kClasses);
  const int shared = world.add_view({}, 0);
  const int own = world.add_view({}, 0, 5);
  View& all = world.view(shared);
  View& alone = world.view(own);
  world.apply({.stand = {{5, Rect{0, 0, 2, 1}}}});
  EXPECT_EQ(factor_at(all, 0, 0), 0);
  EXPECT_EQ(factor_at(alone, 0, 0), 1);
  world.apply({.stand = {{5, Rect{1, 0, 2, 1}}, {6, Rect{1, 0, 2, 1}}}});
  EXPECT_EQ(factor_at(all, 0, 0), 1);
  EXPECT_EQ(factor_at(alone, 1, 0), 0);
  world.apply({.walk_on = {6}});
  EXPECT_EQ(factor_at(all, 1, 0), 0);
  EXPECT_EQ(factor_at(alone, 1, 0), 1);
}

TEST(WorldModel, WhatATeamHasNotSeenIsFree) {
  WorldModel world(3, 1, kClasses);
  const int reds = world.add_view({}, 1);
  const int blues = world.add_view({}, 0);
  View& red = world.view(reds);
  world.apply({.terrain = {{{0, 0, 2, 1}, 2}},
               .influence = {{1, 0, Rect{0, 0, 1, 1}, 64, true}},
               .fog = {{1, Rect{0, 0, 3, 1}, true}}});
  world.apply({.upserts = {wall(1, {1, 0, 3, 1})}});
  EXPECT_EQ(factor_at(red, 0, 0), 2) << "influence counts";
  EXPECT_EQ(factor_at(red, 1, 0), 1);
  EXPECT_EQ(factor_at(world.view(blues), 1, 0), 0);
  world.apply({.fog = {{1, Rect{1, 0, 2, 1}, false}}});
  EXPECT_EQ(factor_at(red, 1, 0), 0);
  EXPECT_EQ(factor_at(red, 2, 0), 1);
}

TEST(WorldModel, AWallConcernsItsTeamsOnly) {
  WorldModel world(1, 1, kClasses);
  const int red = world.add_view({}, 1);
  const int blue = world.add_view({}, 2);
  world.apply({.upserts = {wall(1, {0, 0, 1, 1}, 1u << 2)}});
  EXPECT_EQ(factor_at(world.view(red), 0, 0), 1);
  EXPECT_EQ(factor_at(world.view(blue), 0, 0), 0);
}

TEST(WorldModel, ADisabledDoorHasNoEffect) {
  WorldModel world(1, 1, kClasses);
  View& view = world.view(world.add_view({}, 0));
  world.apply({.upserts = {wall(7, {0, 0, 1, 1})}});
  world.apply({.switches = {{7, false}}});
  EXPECT_EQ(factor_at(view, 0, 0), 1);
  world.apply({.switches = {{7, true}}});
  EXPECT_EQ(factor_at(view, 0, 0), 0);
}

TEST(WorldModel, AProfileMayForbidOrAllowAClass) {
  WorldModel world(1, 1, kClasses);
  Profile climber{
      "climber", Topology::k8, CornerRule::kNone, {{"wall", 4, false}, {"mud", 1, true}}};
  View& view = world.view(world.add_view(climber, 0));
  world.apply({.terrain = {{{0, 0, 1, 1}, 1}}});
  EXPECT_EQ(factor_at(view, 0, 0), 4);
  world.apply({.terrain = {{{0, 0, 1, 1}, 2}}});
  EXPECT_EQ(factor_at(view, 0, 0), 0);
}

TEST(WorldModel, EveryRevisionCanBeSeenAgain) {
  WorldModel world(2, 1, kClasses);
  View& view = world.view(world.add_view({}, 0));
  world.apply({.upserts = {wall(1, {0, 0, 1, 1})}});
  world.apply({.removals = {1}, .upserts = {slow(2, {0, 0, 2, 1}, 2)}});
  const auto at = [&](std::uint64_t revision) {
    const Ground& ground = view.at(revision);
    return std::pair(ground.factor[static_cast<std::size_t>(ground.cell(0, 0))],
                     ground.factor[static_cast<std::size_t>(ground.cell(1, 0))]);
  };
  EXPECT_EQ(at(1), std::pair(1.0, 1.0));
  EXPECT_EQ(at(3), std::pair(2.0, 2.0));
  EXPECT_EQ(at(2), std::pair(0.0, 1.0));
  EXPECT_EQ(at(1), std::pair(1.0, 1.0));
}

TEST(MapFile, SaysWhichLineIsWrong) {
  std::string problem;
  EXPECT_FALSE(parse_map("type octile\nheight 2\nwidth 3\nmap\n...\n..\n", problem));
  EXPECT_EQ(problem, "line 6 has 2 characters, not 3");
  EXPECT_FALSE(parse_map("type octile\nheight 0\nwidth 3\nmap\n", problem));
  EXPECT_FALSE(parse_map("", problem));
}

TEST(MapFile, TakesPlainText) {
  std::string problem;
  const auto map = parse_map("..#\n...\n", problem);
  ASSERT_TRUE(map) << problem;
  EXPECT_EQ(map->width, 3);
  EXPECT_EQ(map->height, 2);
  EXPECT_EQ(map->rows[0], "..#");
}

// Returns a map of 7 x 5 cells with a wall in the middle, as an agent of that radius sees it.
std::string seen_with(double radius, Topology topology = Topology::k8) {
  WorldModel world(7, 5, kClasses);
  Profile wide;
  wide.radius = radius;
  wide.topology = topology;
  View& view = world.view(world.add_view(wide, 0));
  world.apply({.upserts = {wall(1, {3, 2, 4, 3})}});
  std::string drawn;
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 7; ++x) drawn += factor_at(view, x, y) > 0 ? '.' : '#';
    drawn += '\n';
  }
  return drawn;
}

TEST(WorldModel, ARadiusBarsWhatIsNearerToABlockedSquareOrTheOutside) {
  EXPECT_EQ(seen_with(0.5), ".......\n.......\n...#...\n.......\n.......\n");
  EXPECT_EQ(seen_with(0.6), "#######\n#..#..#\n#.###.#\n#..#..#\n#######\n");
  EXPECT_EQ(seen_with(1.2), "#######\n#.###.#\n#.###.#\n#.###.#\n#######\n");
}

TEST(WorldModel, OnHexagonsTheRadiusIsToTheNearestSideOrCorner) {
  EXPECT_EQ(seen_with(0.5, Topology::kHex), ".......\n.......\n...#...\n.......\n.......\n");
  EXPECT_EQ(seen_with(0.55, Topology::kHex), "#######\n#.##..#\n#.###.#\n#.##..#\n#######\n");
}

TEST(WorldModel, WhatTwoWallsBarOpensWhenBothAreGone) {
  WorldModel world(12, 9, kClasses);
  Profile wide;
  wide.radius = 2;
  View& view = world.view(world.add_view(wide, 0));
  world.apply({.upserts = {wall(1, {4, 4, 5, 5}), wall(2, {6, 4, 7, 5})}});
  EXPECT_EQ(factor_at(view, 5, 4), 0);
  world.apply({.removals = {1}});
  EXPECT_EQ(factor_at(view, 5, 4), 0);
  EXPECT_EQ(factor_at(view, 4, 4), 0) << "1.5 from the other";
  EXPECT_EQ(factor_at(view, 3, 4), 1);
  world.apply({.switches = {{2, false}}});
  EXPECT_EQ(factor_at(view, 5, 4), 1);
  const auto cell = static_cast<std::size_t>(view.now().cell(5, 4));
  EXPECT_EQ(view.at(2).factor[cell], 0) << "as it was";
}

}  // namespace
}  // namespace repath::verify
