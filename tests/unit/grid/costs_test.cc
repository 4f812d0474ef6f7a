#include "grid/cells/costs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace repath {
namespace {

TEST(Costs, AreTheStepLengthsAtFactorOne) {
  EXPECT_EQ(step_cost(kStraightStep, kFactorOne, kFactorOne), kStraightStep);
  EXPECT_EQ(step_cost(kDiagonalStep, kFactorOne, kFactorOne), kDiagonalStep);
}

TEST(Costs, TakeTheMeanOfBothFactors) {
  EXPECT_EQ(step_cost(kStraightStep, kFactorOne, to_factor(3)), 2 * kStraightStep);
  EXPECT_EQ(step_cost(kDiagonalStep, to_factor(3), kFactorOne), 2 * kDiagonalStep);
}

TEST(Costs, DoNotOverflowAtTheDearest) {
  EXPECT_EQ(step_cost(kDiagonalStep, to_factor(1000), to_factor(1000)), 1000 * kDiagonalStep);
}

TEST(Costs, AreWithinAMillionthOfTheRealLength) {
  for (double factor = 1; factor <= 1000; factor *= 1.01) {
    const Factor f = to_factor(factor);
    EXPECT_NEAR(cells_from_cost(step_cost(kStraightStep, f, kFactorOne)) / ((factor + 1) / 2), 1,
                1e-6);
    EXPECT_NEAR(cells_from_cost(step_cost(kDiagonalStep, f, f)) / (factor * std::sqrt(2.0)), 1,
                1e-6);
  }
}

TEST(Costs, RoundHalvesUp) {
  // 3 * (1 + 1 + 2^-20) / 2 = 3 + 1.5 * 2^-20: down. With length 2^20: 2^20 + 0.5: up.
  EXPECT_EQ(step_cost(3, kFactorOne, kFactorOne + 1), 3u);
  EXPECT_EQ(step_cost(Cost{1} << 20, kFactorOne, kFactorOne + 1), (Cost{1} << 20) + 1);
}

TEST(Costs, OfTheMetricsAreThoseOfTheShortestSteps) {
  EXPECT_EQ(octile_cost(5, 2), 2 * kDiagonalStep + 3 * kStraightStep);
  EXPECT_EQ(octile_cost(2, 5), octile_cost(5, 2));
  EXPECT_EQ(manhattan_cost(5, 2), 7 * kStraightStep);
}

}  // namespace
}  // namespace repath
