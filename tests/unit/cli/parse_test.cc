#include "cli/parse.h"

#include <gtest/gtest.h>

#include "cli/change_options.h"
#include "cli/path_options.h"
#include "cli/world_settings.h"

namespace repath::cli {
namespace {

// Returns the error message that the user sees; empty if there was no error.
template <typename Call>
std::string complaint(Call call) {
  try {
    call();
  } catch (const CLI::ValidationError& error) {
    return error.what();
  }
  return "";
}

TEST(Parse, TwoWholeNumbersAreACellAndThreeNumbersAPoint) {
  const v1::Location cell = parse_location("--from", "3,4");
  ASSERT_TRUE(cell.has_cell());
  EXPECT_EQ(cell.cell().x(), 3);
  EXPECT_EQ(cell.cell().y(), 4);
  const v1::Location point = parse_location("--from", "1.5,0,-2.25");
  ASSERT_TRUE(point.has_position());
  EXPECT_EQ(point.position().x(), 1.5);
  EXPECT_EQ(point.position().z(), -2.25);
}

TEST(Parse, AWrongPlaceIsToldWithWhatWasExpected) {
  for (const char* wrong :
       {"", "3", "3,", ",3", "3,4,5,6", "3;4", "a,b", "1.5,2.5", "3,4 ", "99999999999,1"}) {
    SCOPED_TRACE(wrong);
    const std::string told = complaint([&] { (void)parse_location("--from", wrong); });
    EXPECT_NE(told.find("--from"), std::string::npos);
    EXPECT_NE(told.find("X,Y"), std::string::npos);
  }
}

TEST(Parse, ARectangleHasFourWholeNumbers) {
  const v1::CellRect rect = parse_rect("--block", "1,2,-3,4");
  EXPECT_EQ(rect.x0(), 1);
  EXPECT_EQ(rect.x1(), -3);
  EXPECT_NE(complaint([] { (void)parse_rect("--block", "1,2,3"); }), "");
  EXPECT_NE(complaint([] { (void)parse_rect("--block", "1,2,3,4.5"); }), "");
}

TEST(Parse, InfluenceIsOfATeamsLayerSetOrAdded) {
  const v1::InfluenceEdit set = parse_influence("--influence", "1,2:3,4,5,6=64");
  EXPECT_EQ(set.team(), 1u);
  EXPECT_EQ(set.layer(), 2u);
  EXPECT_EQ(set.cells().x1(), 5);
  EXPECT_EQ(set.set(), 64u);
  EXPECT_EQ(parse_influence("--influence", "0,0:1.5,2,3=+7").add(), 7);
  const v1::InfluenceEdit less = parse_influence("--influence", "0,0:1.5,2,3=-7");
  EXPECT_EQ(less.add(), -7);
  EXPECT_EQ(less.cylinder().radius(), 3);
  for (const char* wrong : {"", "1:0,0,1,1=5", "1,2:0,0,1,1", "1,2:0,0,1,1=", "1,2:0,0=5",
                            "1,2:0,0,1,1=5,6", "1,2,3:0,0,1,1=5", "1,2:0,0,1,1=+"}) {
    SCOPED_TRACE(wrong);
    EXPECT_NE(complaint([&] { (void)parse_influence("--influence", wrong); }), "");
  }
}

TEST(Parse, ABodyIsAnAgents) {
  EXPECT_EQ(parse_body("--stand", "3:1,2,3,4").agent_id(), 3u);
  EXPECT_EQ(parse_body("--stand", "3:1,2,0.5").cylinder().radius(), 0.5);
  for (const char* wrong : {"", "3", "3:1,2", "3,4:1,2,3,4", "x:1,2,3"}) {
    SCOPED_TRACE(wrong);
    EXPECT_NE(complaint([&] { (void)parse_body("--stand", wrong); }), "");
  }
}

TEST(Parse, FogIsOfATeam) {
  const v1::FogEdit hidden = parse_fog("--hide", "3:1,2,3,4", true);
  EXPECT_EQ(hidden.team(), 3u);
  EXPECT_EQ(hidden.cells().y1(), 4);
  EXPECT_TRUE(hidden.hidden());
  EXPECT_EQ(parse_fog("--reveal", "3:1,2,3", false).cylinder().radius(), 3);
  for (const char* wrong : {"", "1,2,3,4", "1:2,3", "1,2:1,2,3,4", "-1:1,2,3,4"}) {
    SCOPED_TRACE(wrong);
    EXPECT_NE(complaint([&] { (void)parse_fog("--hide", wrong, true); }), "");
  }
}

TEST(Parse, ADecayKeepsAShareOfALayer) {
  const v1::InfluenceDecay step = parse_decay("--decay", "1,2=900");
  EXPECT_EQ(step.team(), 1u);
  EXPECT_EQ(step.layer(), 2u);
  EXPECT_EQ(step.keep_permille(), 900u);
  for (const char* wrong : {"", "1=900", "1,2", "1,2=", "1,2=-1", "1,2=9,9"}) {
    SCOPED_TRACE(wrong);
    EXPECT_NE(complaint([&] { (void)parse_decay("--decay", wrong); }), "");
  }
}

TEST(Parse, ADoorIsShutByEnablingItsObstacle) {
  EXPECT_TRUE(parse_door("--door", "7=shut").enabled());
  EXPECT_FALSE(parse_door("--door", "7=open").enabled());
  EXPECT_EQ(parse_door("--door", "18446744073709551615=open").id(), 18446744073709551615u);
  for (const char* wrong : {"7", "7=ajar", "=open", "-1=open", "1,2=open"}) {
    SCOPED_TRACE(wrong);
    EXPECT_NE(complaint([&] { (void)parse_door("--door", wrong); }), "");
  }
}

// Returns an obstacle with the shape that the option describes.
v1::Obstacle shaped(const std::string& option, const std::string& text) {
  ChangeOptions options;
  options.id = 1;
  options.shapes[option] = text;
  return to_batch(options).upsert_obstacles(0);
}

TEST(Parse, ShapesTakeWorldUnits) {
  EXPECT_EQ(shaped("--block", "1,2,3,4").cells().y1(), 4);
  EXPECT_EQ(shaped("--box", "1,2,3,4").box().yaw(), 0.0);
  EXPECT_EQ(shaped("--box", "1,2,3,4,0.5").box().yaw(), 0.5);
  EXPECT_EQ(shaped("--circle", "1,2,3.5").cylinder().radius(), 3.5);
  EXPECT_EQ(shaped("--polygon", "0,0,1,0,0,1").polygon().xz_size(), 6);
  EXPECT_EQ(shaped("--capsule", "1,2,3,4,0.5").capsule().to().z(), 4.0);
  EXPECT_EQ(shaped("--capsule", "1,2,3,4,0.5").capsule().radius(), 0.5);
  EXPECT_NE(complaint([] { (void)shaped("--capsule", "1,2,3,4"); }), "");
  EXPECT_NE(complaint([] { (void)shaped("--polygon", "0,0,1,0"); }), "");
  EXPECT_NE(complaint([] { (void)shaped("--polygon", "0,0,1,0,0,1,2"); }), "");
}

TEST(Parse, ProfilesComeFromJson) {
  const auto profiles = parse_profiles("--profile", R"({"profiles": [
      {"name": "cart", "topology": "4", "corner": "one", "radius": 0.75, "terrain": {"swamp": 3.5, "water": "forbidden"}},
      {"name": "plain", "turning_radius": 2.5}, {"name": "bee", "topology": "hex"}]})");
  ASSERT_EQ(profiles.size(), 3u);
  EXPECT_EQ(profiles[2].topology(), v1::TOPOLOGY_HEX);
  EXPECT_EQ(profiles[0].topology(), v1::TOPOLOGY_4);
  EXPECT_EQ(profiles[0].corner_rule(), v1::CORNER_RULE_ONE);
  EXPECT_EQ(profiles[0].radius(), 0.75);
  EXPECT_EQ(profiles[1].radius(), 0);
  EXPECT_EQ(profiles[1].turning_radius(), 2.5);
  ASSERT_EQ(profiles[0].terrain_rules_size(), 2);
  EXPECT_EQ(profiles[0].terrain_rules(0).factor(), 3.5);
  EXPECT_TRUE(profiles[0].terrain_rules(1).forbidden());
  EXPECT_EQ(profiles[1].terrain_rules_size(), 0);
}

TEST(Parse, AWrongProfileFileIsRefused) {
  for (const char* wrong : {"", "{}", "[]", R"({"profiles": [{}]})",
                            R"({"profiles": [{"name": "a", "topology": "9"}]})",
                            R"({"profiles": [{"name": "a", "radius": "wide"}]})",
                            R"({"profiles": [{"name": "a", "terrain": {"swamp": "wet"}}]})"}) {
    SCOPED_TRACE(wrong);
    EXPECT_NE(complaint([&] { (void)parse_profiles("--profile", wrong); }), "");
  }
}

TEST(Parse, ABatchComesFromJsonWithTheNamesOfTheProto) {
  const v1::ChangeBatch batch = parse_batch(
      "--file",
      R"({"upsert_obstacles": [{"id": 7, "cells": {"x0": 1, "y0": 2, "x1": 3, "y1": 4}, "blocked": true}],
                    "switch_obstacles": [{"id": 8, "enabled": true}]})");
  EXPECT_EQ(batch.upsert_obstacles(0).cells().x1(), 3);
  EXPECT_TRUE(batch.switch_obstacles(0).enabled());
  EXPECT_NE(complaint([] { (void)parse_batch("--file", R"({"doors": 1})"); }), "");
}

TEST(ChangeOptions, FlagsDescribeOneObstacleAndAnyNumberOfDoors) {
  ChangeOptions options;
  options.id = 9;
  options.shapes["--circle"] = "1,2,3";
  options.teams = {0, 3};
  options.doors = {"1=open", "2=shut"};
  options.removed = {5};
  const v1::ChangeBatch batch = to_batch(options);
  ASSERT_EQ(batch.upsert_obstacles_size(), 1);
  EXPECT_TRUE(batch.upsert_obstacles(0).blocked());
  EXPECT_EQ(batch.upsert_obstacles(0).team_mask(), 0b1001u);
  EXPECT_EQ(batch.switch_obstacles_size(), 2);
  EXPECT_EQ(batch.remove_obstacles(0), 5u);
}

// README.md lists algorithms as the API names them.
TEST(Parse, AnAlgorithmHasItsShortNameAndThatOfTheApi) {
  for (int value = v1::Algorithm_MIN; value <= v1::Algorithm_MAX; ++value) {
    const auto algorithm = static_cast<v1::Algorithm>(value);
    const std::string name = v1::Algorithm_Name(algorithm).substr(sizeof "ALGORITHM_" - 1);
    EXPECT_EQ(parse_algorithm("--algorithm", name), algorithm) << name;
  }
  for (const char* name : {"ida", "IDA", "ida_star", "Ida_Star"})
    EXPECT_EQ(parse_algorithm("--algorithm", name), v1::ALGORITHM_IDA_STAR) << name;
  EXPECT_EQ(parse_algorithm("--algorithm", "AUTO"), v1::ALGORITHM_UNSPECIFIED);
  for (const char* name : {"", "idastar", "ALGORITHM_BFS"})
    EXPECT_NE(complaint([&] { (void)parse_algorithm("--algorithm", name); }).find("dstar_lite"),
              std::string::npos)
        << name;
}

TEST(ChangeOptions, WhatMakesNoSenseIsRefused) {
  EXPECT_NE(complaint([] { (void)to_batch({}); }), "") << "nothing to change";
  ChangeOptions no_shape;
  no_shape.id = 1;
  EXPECT_NE(complaint([&] { (void)to_batch(no_shape); }).find("needs --block, --box"),
            std::string::npos);
  ChangeOptions no_id;
  no_id.shapes["--block"] = "0,0,1,1";
  EXPECT_NE(complaint([&] { (void)to_batch(no_id); }), "");
  ChangeOptions two_shapes = no_id;
  two_shapes.id = 1;
  two_shapes.shapes["--circle"] = "1,1,1";
  EXPECT_NE(complaint([&] { (void)to_batch(two_shapes); }).find("only one of --block, --box"),
            std::string::npos);
}

TEST(WorldSettings, TopologyCornerAndRadiusAreTheDefaultProfiles) {
  WorldSettings settings;
  settings.name = "w";
  settings.topology = "8";
  settings.corner = "one";
  settings.radius = 0.8;
  settings.strategy = "dstar_lite";
  const v1::CreateWorldRequest request = to_request(settings);
  ASSERT_EQ(request.profiles_size(), 1);
  EXPECT_EQ(request.profiles(0).name(), "default");
  EXPECT_EQ(request.profiles(0).topology(), v1::TOPOLOGY_8);
  EXPECT_EQ(request.profiles(0).corner_rule(), v1::CORNER_RULE_ONE);
  EXPECT_EQ(request.profiles(0).radius(), 0.8);
  EXPECT_EQ(request.options().strategy(), v1::STRATEGY_DSTAR_LITE);
}

}  // namespace
}  // namespace repath::cli
