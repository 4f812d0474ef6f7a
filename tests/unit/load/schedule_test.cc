#include "load/schedule.h"

#include <gtest/gtest.h>

#include "load/options.h"

namespace repath::load {
namespace {

TEST(Schedule, EventsAreEvenlySpaced) {
  const Schedule schedule({{2, 10}});
  EXPECT_EQ(schedule.events(), 20u);
  EXPECT_EQ(schedule.due(0), 0);
  EXPECT_EQ(schedule.due(1), kSecond / 10);
  EXPECT_EQ(schedule.due(19), 19 * kSecond / 10);
  EXPECT_FALSE(schedule.due(20).has_value());
}

TEST(Schedule, APhaseBeginsWhereTheOneBeforeEnds) {
  const Schedule schedule({{1, 2}, {1, 0}, {2, 4}});
  EXPECT_EQ(schedule.events(), 10u);
  EXPECT_EQ(schedule.due(1), kSecond / 2);
  EXPECT_EQ(schedule.due(2), 2 * kSecond);
  EXPECT_EQ(schedule.due(9), 2 * kSecond + 7 * kSecond / 4);
  EXPECT_DOUBLE_EQ(schedule.length_seconds(), 4);
}

TEST(Schedule, CalmHasNoEvents) {
  EXPECT_EQ(Schedule({{10, 0}}).events(), 0u);
  EXPECT_FALSE(Schedule({}).due(0).has_value());
}

TEST(Options, EveryScenarioIsPossible) {
  for (const std::string& name : scenario_names()) {
    const LoadOptions options = scenario(name);
    EXPECT_EQ(options.scenario, name);
    EXPECT_FALSE(options.what.empty());
    EXPECT_EQ(problem_in(options), "") << name;
  }
}

TEST(Options, ScenariosHaveTheFiguresAskedFor) {
  EXPECT_EQ(scenario("tower-defence").agents, 10'000);
  EXPECT_EQ(scenario("tower-defence").side, 1024);
  EXPECT_EQ(scenario("mmo").worlds, 100);
  EXPECT_EQ(scenario("navmesh").obstacles, 1000);
  EXPECT_EQ(scenario("sessions").sessions, 1000);
}

TEST(Options, AStormIsFollowedByCalm) {
  const LoadOptions options = scenario("storm");
  const Schedule schedule = events_of(options);
  EXPECT_EQ(schedule.events(), 5000u);
  const Nanos last = *schedule.due(4999);
  EXPECT_LT(last, nanos(options.warm_up + 10));
  EXPECT_GE(schedule.length_seconds(), options.warm_up + 20);
}

TEST(Options, WhatCannotBeNamesItsLimit) {
  LoadOptions options = scenario("rts");
  options.agents = 0;
  EXPECT_EQ(problem_in(options), "--agents: 0 is not in [1, 1000000]");
  options = scenario("rts");
  options.verify = 101;
  EXPECT_EQ(problem_in(options), "--verify: 101 is not in [0, 100]");
  options = scenario("mmo");
  options.slow_worlds = 100;
  EXPECT_EQ(problem_in(options), "--slow-worlds: 100 is not in [0, 99]");
  options.slow_worlds = 1;
  options.agents = 40'000;
  EXPECT_EQ(problem_in(options), "--slow-load: 50 is not in [1, 25]");
  options = scenario("rts");
  options.sessions = 3000;
  EXPECT_NE(problem_in(options).find("--sessions"), std::string::npos);
  options = scenario("rts");
  options.obstacles = 0;
  EXPECT_NE(problem_in(options).find("--obstacles"), std::string::npos);
  options = scenario("storm");
  options.duration = 5;
  EXPECT_NE(problem_in(options).find("--storm-seconds"), std::string::npos);
}

TEST(Options, SlowWorldsComeFirstAndHaveMoreOfAll) {
  LoadOptions options = scenario("mmo");
  options.slow_worlds = 1;
  const LoadOptions slow = options_of_world(options, 0);
  EXPECT_EQ(slow.agents, 50 * options.agents);
  EXPECT_EQ(slow.goals, 50 * options.goals);
  EXPECT_EQ(slow.obstacles, 50 * options.obstacles);
  EXPECT_EQ(slow.events, 50 * options.events);
  EXPECT_EQ(options_of_world(options, 1).agents, options.agents);
}

}  // namespace
}  // namespace repath::load
