#include "limits/rate_budget.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

constexpr Micros kBegin = 5'000'000;

TEST(RateBudget, HoldsOneSecondsWorthAndRefillsEvenly) {
  RateBudget budget(10, kBegin);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(budget.wait(kBegin), 0u) << i;
    budget.use(1, kBegin);
  }
  const Micros wait = budget.wait(kBegin);
  EXPECT_GE(wait, 100'000u);
  EXPECT_LE(wait, 100'002u);
  EXPECT_GT(budget.wait(kBegin + 99'000), 0u);
  EXPECT_EQ(budget.wait(kBegin + wait), 0u);
  budget.use(1, kBegin + wait);
  EXPECT_GT(budget.wait(kBegin + wait), 0u);
}

TEST(RateBudget, IdleTimeIsNotSavedUp) {
  RateBudget budget(10, kBegin);
  const Micros later = kBegin + 3'600'000'000;
  for (int i = 0; i < 10; ++i) budget.use(1, later);
  EXPECT_GT(budget.wait(later), 0u);
}

TEST(RateBudget, WhatIsUsedInAdvanceIsPaidByTime) {
  RateBudget budget(1000, kBegin);
  budget.use(5000, kBegin);
  EXPECT_GT(budget.wait(kBegin + 3'900'000), 0u);
  EXPECT_EQ(budget.wait(kBegin + 4'010'000), 0u);
  EXPECT_FALSE(budget.is_full(kBegin + 4'900'000));
  EXPECT_TRUE(budget.is_full(kBegin + 5'010'000));
}

TEST(RateBudget, AClockThatStandsOrGoesBackGivesNothing) {
  RateBudget budget(1, kBegin);
  budget.use(1, kBegin);
  EXPECT_GT(budget.wait(kBegin - 1'000'000), 0u);
  EXPECT_GT(budget.wait(kBegin), 0u);
}

}  // namespace
}  // namespace repath
