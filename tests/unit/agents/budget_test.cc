#include "agents/budget.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

TEST(Budget, WorkBeyondItIsADebtThatLaterFramesPay) {
  Budget budget;
  budget.begin(100);
  budget.spend(250);
  EXPECT_EQ(budget.left(), 0u);
  EXPECT_EQ(budget.spent().used, 100u);
  EXPECT_EQ(budget.spent().done, 250u);

  budget.begin(100);
  EXPECT_EQ(budget.left(), 0u);
  EXPECT_EQ(budget.spent().used, 100u);
  EXPECT_EQ(budget.spent().done, 0u);  // all of it paid the debt

  budget.begin(100);
  EXPECT_EQ(budget.left(), 50u);
  budget.spend(20);
  EXPECT_EQ(budget.spent().used, 70u);
  EXPECT_EQ(budget.spent().done, 20u);
}

}  // namespace
}  // namespace repath
