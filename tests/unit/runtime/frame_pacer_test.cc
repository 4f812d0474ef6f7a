#include "runtime/frame_pacer.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

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
  pacer.end(20'000, 20'000, 3'000'000);
  EXPECT_EQ(pacer.grant(), 20'000u);
  EXPECT_EQ(pacer.frames_over_budget(), 0u);
  pacer.end(20'000, 21'001, 10);  // one slice is 1000
  EXPECT_EQ(pacer.frames_over_budget(), 1u);
}

TEST(FramePacer, ABudgetInMicrosecondsFollowsTheMeasuredSpeed) {
  FramePacer pacer({60, 0, 1000});
  for (int i = 0; i < 200; ++i) pacer.end(pacer.grant(), 5000, 1000);  // five units a microsecond
  EXPECT_NEAR(pacer.units_per_us(), 5, 0.01);
  EXPECT_NEAR(static_cast<double>(pacer.grant()), 5000, 10);
  EXPECT_NEAR(static_cast<double>(pacer.grant_for(200)), 1000, 5);
}

TEST(FramePacer, SmallFramesTeachNothing) {
  FramePacer pacer({60, 0, 1000});
  const double before = pacer.units_per_us();
  pacer.end(1000, 10, 1000);
  EXPECT_EQ(pacer.units_per_us(), before);
}

TEST(FramePacer, SlownessIsBelievedSooner) {
  FramePacer pacer({60, 0, 1000});
  for (int i = 0; i < 1000; ++i) pacer.end(5000, 5000, i % 2 == 0 ? 1000 : 500);  // 5 or 10 a us
  EXPECT_GE(pacer.units_per_us(), 5);
  EXPECT_LE(pacer.units_per_us(), 7);
}

TEST(FramePacer, AFrameThatUsedLittleOfItsGrantTeachesLittle) {
  FramePacer full({60, 0, 1000});
  FramePacer part({60, 0, 1000});
  full.end(5000, 5000, 1000);
  part.end(50'000, 5000, 1000);
  EXPECT_NEAR(part.units_per_us() - 1, (full.units_per_us() - 1) / 10, 1e-9);
}

TEST(FramePacer, AGrantIsNeverBelowTheLeastSlice) {
  const FramePacer pacer({60, 0, 50});
  EXPECT_EQ(pacer.grant_for(1), 64u);
}

TEST(FramePacer, FramesThatTakeTooLongAreCounted) {
  FramePacer pacer({60, 0, 1000});
  pacer.end(1000, 1000, 1064);
  EXPECT_EQ(pacer.frames_over_budget(), 0u);
  pacer.end(1000, 1000, 1200);
  EXPECT_EQ(pacer.frames_over_budget(), 1u);
}

TEST(FramePacer, QuantilesAreOfTheLast1024Frames) {
  FramePacer pacer({60, 0, 1000});
  EXPECT_EQ(pacer.frame_us_quantile(0.5), 0);
  for (int i = 0; i < 5000; ++i) pacer.end(64, 0, 9'000);
  for (Micros i = 1; i <= 1024; ++i) pacer.end(64, 0, i);
  EXPECT_NEAR(pacer.frame_us_quantile(0.5), 512, 1);
  EXPECT_NEAR(pacer.frame_us_quantile(0.99), 1014, 1);
}

}  // namespace
}  // namespace repath
