#include "agents/agent.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

AgentSpec walker() {
  AgentSpec spec;
  spec.id = AgentId{1};
  spec.goals = {{3, 4}};
  return spec;
}

TEST(AgentSpec, WhenAndHowOftenItIsAnsweredIsNoPartOfTheQuestion) {
  AgentSpec other = walker();
  other.position = {1, 1};
  other.priority = 3;
  other.max_staleness_ms = 5;
  other.confirm = true;
  other.goal_generation = 9;
  EXPECT_TRUE(is_same_question(walker(), other));
}

TEST(AgentSpec, WhatShapesThePathIsPartOfTheQuestion) {
  const auto differs = [](auto&& change) {
    AgentSpec other = walker();
    change(other);
    return !is_same_question(walker(), other);
  };
  EXPECT_TRUE(differs([](AgentSpec& a) { a.goals = {{3, 5}}; }));
  EXPECT_TRUE(differs([](AgentSpec& a) { a.goal_radius = 1; }));
  EXPECT_TRUE(differs([](AgentSpec& a) { a.profile = "tank"; }));
  EXPECT_TRUE(differs([](AgentSpec& a) { a.team = TeamId{1}; }));
  EXPECT_TRUE(differs([](AgentSpec& a) { a.min_improvement_ratio = 0.1; }));
  EXPECT_TRUE(differs([](AgentSpec& a) { a.allow_partial = true; }));
  EXPECT_TRUE(differs([](AgentSpec& a) { a.snap_start = true; }));
  EXPECT_TRUE(differs([](AgentSpec& a) { a.stands = true; }));
  EXPECT_TRUE(differs([](AgentSpec& a) { a.curves = true; }));
  EXPECT_TRUE(differs([](AgentSpec& a) { a.crowd = CrowdSpec{1, 1, 1}; }));
}

}  // namespace
}  // namespace repath
