#include "load/objective.h"

#include <gtest/gtest.h>

#include "load/compare.h"

namespace repath::load {
namespace {

cli::Json record() {
  return cli::Json::parse(
      R"({"replanned_ms": {"p99": 16.5, "p999": null}, "errors": 0, "fine": true, "scenario": "rts"})");
}

Objective parsed(const std::string& text) {
  std::string problem;
  const auto objective = parse_objective(text, &problem);
  EXPECT_TRUE(objective.has_value()) << problem;
  return objective.value_or(Objective{});
}

TEST(Objective, IsAKeyAndABound) {
  const Objective objective = parsed("replanned_ms.p99 <= 33");
  EXPECT_EQ(objective.key, "replanned_ms.p99");
  EXPECT_EQ(objective.relation, "<=");
  EXPECT_EQ(objective.bound, 33);
}

TEST(Objective, AnythingElseIsNone) {
  for (const char* text : {"", "replanned_ms.p99", "<=33", "a<=", "a<=b", "a<=3x", "a<=nan"}) {
    std::string problem;
    EXPECT_FALSE(parse_objective(text, &problem).has_value()) << text;
    EXPECT_NE(problem.find(text), std::string::npos);
  }
}

TEST(Objective, IsMetWithinItsBound) {
  EXPECT_TRUE(is_met(parsed("replanned_ms.p99<=16.5"), record()));
  EXPECT_FALSE(is_met(parsed("replanned_ms.p99<16.5"), record()));
  EXPECT_TRUE(is_met(parsed("replanned_ms.p99>=16.5"), record()));
  EXPECT_FALSE(is_met(parsed("replanned_ms.p99>16.5"), record()));
  EXPECT_TRUE(is_met(parsed("errors==0"), record()));
  EXPECT_TRUE(is_met(parsed("fine==1"), record()));
}

TEST(Objective, WhatWasNotMeasuredIsNotMet) {
  EXPECT_FALSE(is_met(parsed("replanned_ms.p999<=1000"), record()));
  EXPECT_FALSE(is_met(parsed("replanned_ms.p42<=1000"), record()));
  EXPECT_FALSE(is_met(parsed("scenario<=1000"), record()));
  EXPECT_FALSE(is_met(parsed("errors.deep<=1000"), record()));
}

TEST(Objective, AllMustBeMet) {
  cli::Json judged = record();
  EXPECT_TRUE(judge({}, judged));
  EXPECT_FALSE(judge({parsed("errors==0"), parsed("replanned_ms.p99<=1")}, judged));
  EXPECT_FALSE(judged["objectives_met"].get<bool>());
  EXPECT_TRUE(judged["objectives"][0]["met"].get<bool>());
  EXPECT_EQ(judged["objectives"][1]["value"].get<double>(), 16.5);
}

TEST(Compare, HasWhatEitherHas) {
  cli::Json other = record();
  other["replanned_ms"]["p99"] = 33;
  other["errors"] = 4;
  const cli::Json rows = compare(record(), other);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["key"], "replanned_ms.p99");
  EXPECT_EQ(rows[0]["ratio"].get<double>(), 2);
  EXPECT_EQ(rows[1]["key"], "errors");
  EXPECT_TRUE(rows[1]["ratio"].is_null());
}

}  // namespace
}  // namespace repath::load
