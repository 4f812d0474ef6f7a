#include "runtime/frame_pacer.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

// Runs a frame that plans in one go.
void frame(FramePacer& pacer, WorkUnits granted, WorkUnits used, Micros took) {
  pacer.begin_tick(granted);
  pacer.end(granted, {used, used}, took);
}

TEST(FramePacer, TheFirstFrameIsDueAtOnceAndTheNextAPeriodLater) {
  FramePacer pacer({100, 0, 1000});
  EXPECT_EQ(pacer.next_due(5000), 5000u);
  pacer.begin(5000, 5001);
  EXPECT_EQ(pacer.next_due(5002), 15'000u);
}

TEST(FramePacer, AnIdleWorldsNextFrameIsDueAtOnce) {
  FramePacer pacer({100, 0, 1000});
  pacer.begin(5000, 5000);
  EXPECT_EQ(pacer.next_due(1'000'000), 1'000'000u);
}

TEST(FramePacer, LateFramesAreCountedAndNotMadeUpFor) {
  FramePacer pacer({100, 0, 1000});
  pacer.begin(10'000, 10'000);
  pacer.begin(20'000, 47'000);  // two whole periods late
  EXPECT_EQ(pacer.late_frames(), 1u);
  EXPECT_EQ(pacer.next_due(47'001), 57'000u);
}

TEST(FramePacer, ALittleJitterDoesNotShiftTheRhythm) {
  FramePacer pacer({100, 0, 1000});
  pacer.begin(10'000, 10'900);
  EXPECT_EQ(pacer.late_frames(), 0u);
  EXPECT_EQ(pacer.next_due(11'000), 20'000u);
}

TEST(FramePacer, ABudgetInUnitsIsGrantedAsItIs) {
  FramePacer pacer({60, 20'000, 0});
  frame(pacer, 20'000, 20'000, 3'000'000);
  EXPECT_EQ(pacer.grant(), 20'000u);
  EXPECT_EQ(pacer.frames_over_budget(), 0u);
  frame(pacer, 20'000, 21'001, 10);  // one slice is 1000
  EXPECT_EQ(pacer.frames_over_budget(), 1u);
}

TEST(FramePacer, ABudgetInMicrosecondsFollowsTheMeasuredSpeed) {
  FramePacer pacer({60, 0, 1000});
  for (int i = 0; i < 200; ++i)
    frame(pacer, pacer.grant(), 5000, 1000);  // five units in a microsecond
  EXPECT_NEAR(pacer.units_per_us(), 5, 0.01);
  EXPECT_NEAR(static_cast<double>(pacer.grant()), 5000, 10);
  EXPECT_NEAR(static_cast<double>(pacer.grant_for(200)), 1000, 5);
}

TEST(FramePacer, SmallFramesTeachNothing) {
  FramePacer pacer({60, 0, 1000});
  const double before = pacer.units_per_us();
  frame(pacer, 1000, 10, 1000);
  EXPECT_EQ(pacer.units_per_us(), before);
}

TEST(FramePacer, SmallPortionsTeachTogether) {
  FramePacer pacer({60, 0, 200});
  for (int i = 0; i < 2000; ++i) frame(pacer, 64, 64, 16);
  EXPECT_NEAR(pacer.units_per_us(), 4, 0.01);
}

// A frame that only pays the debt of one before does it in no time.
TEST(FramePacer, TheSpeedIsThatOfWorkDone) {
  FramePacer pacer({60, 0, 1000});
  for (int i = 0; i < 1000; ++i) {
    pacer.begin_tick(5000);
    pacer.end(5000, {5000, 40'000}, 20'000);
    for (int debt = 0; debt < 7; ++debt) {
      pacer.begin_tick(5000);
      pacer.end(5000, {5000, 0}, 1);
    }
  }
  EXPECT_NEAR(pacer.units_per_us(), 2, 0.01);
}

TEST(FramePacer, SlownessIsBelievedSooner) {
  FramePacer pacer({60, 0, 1000});
  // 5 or 10 in a microsecond.
  for (int i = 0; i < 1000; ++i) frame(pacer, 5000, 5000, i % 2 == 0 ? 1000 : 500);
  EXPECT_GE(pacer.units_per_us(), 5);
  EXPECT_LE(pacer.units_per_us(), 7);
}

TEST(FramePacer, AFrameThatUsedLittleOfItsGrantTeachesLittle) {
  FramePacer full({60, 0, 1000});
  FramePacer part({60, 0, 1000});
  frame(full, 5000, 5000, 1000);
  frame(part, 50'000, 5000, 1000);
  EXPECT_NEAR(part.units_per_us() - 1, (full.units_per_us() - 1) / 10, 1e-9);
}

TEST(FramePacer, AGrantIsNeverBelowTheLeastSlice) {
  const FramePacer pacer({60, 0, 50});
  EXPECT_EQ(pacer.grant_for(1), 64u);
}

TEST(FramePacer, FramesThatTakeTooLongAreCounted) {
  FramePacer pacer({60, 0, 1000});
  frame(pacer, 1000, 1000, 1064);
  EXPECT_EQ(pacer.frames_over_budget(), 0u);
  frame(pacer, 1000, 1000, 1200);
  EXPECT_EQ(pacer.frames_over_budget(), 1u);
}

TEST(FramePacer, QuantilesAreOfTheLast1024Frames) {
  FramePacer pacer({60, 0, 1000});
  EXPECT_EQ(pacer.frame_us_quantile(0.5), 0);
  for (int i = 0; i < 5000; ++i) frame(pacer, 64, 0, 9'000);
  for (Micros i = 1; i <= 1024; ++i) frame(pacer, 64, 0, i);
  EXPECT_NEAR(pacer.frame_us_quantile(0.5), 512, 1);
  EXPECT_NEAR(pacer.frame_us_quantile(0.99), 1014, 1);
}

TEST(FramePacer, AFramePlansInPortionsUntilItsTimeIsUsedUp) {
  FramePacer pacer({100, 0, 1000});
  EXPECT_EQ(pacer.grant_portion(1), 0u);  // no frame yet
  pacer.begin(10, 10);
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(pacer.grant_portion(20), 250u) << i;  // one unit in a microsecond
    pacer.end(250, {250, 250}, 250);
  }
  EXPECT_EQ(pacer.grant_portion(2000), 0u);
  EXPECT_EQ(pacer.frames_over_budget(), 0u);
  EXPECT_EQ(pacer.frame_us_quantile(0.5), 1000);
}

TEST(FramePacer, APortionThatTookLongerLeavesLessForTheOthers) {
  FramePacer pacer({100, 0, 1000});
  pacer.begin(10, 10);
  pacer.end(250, {250, 250}, 900);
  EXPECT_LE(pacer.grant_portion(1000), 100u);
  EXPECT_GT(pacer.grant_portion(1000), 0u);
  pacer.end(100, {90, 90}, 70);
  EXPECT_EQ(pacer.grant_portion(1100), 0u);  // less than a slice is left
}

TEST(FramePacer, PortionsEndWhereTheNextFrameIsDue) {
  FramePacer pacer({100, 0, 1000});
  pacer.begin(10, 10);
  EXPECT_GT(pacer.grant_portion(10'009), 0u);
  EXPECT_EQ(pacer.grant_portion(10'010), 0u);
}

TEST(FramePacer, PortionsOfABudgetInUnitsAddUpToIt) {
  FramePacer pacer({100, 1002, 0});
  pacer.begin(10, 10);
  WorkUnits all = 0;
  for (WorkUnits grant = 0; (grant = pacer.grant_portion(20)) > 0; all += grant)
    pacer.end(grant, {grant, grant}, 1'000'000);
  EXPECT_EQ(all, 1002u);
  EXPECT_EQ(pacer.frames_over_budget(), 0u);
}

TEST(FramePacer, AFrameOverItsBudgetIsCountedOnce) {
  FramePacer pacer({100, 0, 1000});
  pacer.begin(10, 10);
  pacer.end(250, {250, 250}, 1100);
  pacer.end(250, {250, 250}, 100);
  EXPECT_EQ(pacer.frames_over_budget(), 1u);
}

// Even with a tiny budget.
TEST(FramePacer, AFrameHasAPortionAtLeast) {
  FramePacer pacer({100, 0, 50});
  pacer.begin(10, 10);
  EXPECT_EQ(pacer.grant_portion(10), 64u);
}

}  // namespace
}  // namespace repath
