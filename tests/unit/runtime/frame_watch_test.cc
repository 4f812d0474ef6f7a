#include "runtime/frame_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace repath {
namespace {

using testing::HasSubstr;

Stats stats(std::uint64_t frame, std::uint64_t searches, WorkUnits units) {
  Stats stats;
  stats.frame = frame;
  stats.strategies[0] = {searches, searches / 2, 0, 10 * searches};
  stats.strategies[4] = {1, 0, 0, 7};
  stats.events[3] = searches;
  stats.work_units = units;
  stats.waiting = 5;
  stats.late = 2;
  return stats;
}

TEST(FrameWatch, AFrameIsSlowAboveTwiceItsBudget) {
  FrameWatch watch({60, 0, 1000});
  watch.begin(stats(1, 0, 0));
  EXPECT_EQ(watch.check(2000, stats(1, 4, 400), 0), std::nullopt);
  EXPECT_NE(watch.check(2001, stats(1, 4, 400), 0), std::nullopt);
}

TEST(FrameWatch, WithABudgetInWorkUnitsItIsSlowAboveTwoPeriods) {
  EXPECT_EQ(FrameWatch({100, 5000, 1000}).limit(), 20'000u);
}

TEST(FrameWatch, TheLineSaysWhatTheFrameDid) {
  FrameWatch watch({60, 0, 1000});
  watch.begin(stats(7, 10, 900));
  EXPECT_EQ(watch.check(3100, stats(7, 14, 1300), 50),
            "frame=7 us=3100 limit_us=2000 units=400 searches=4 repairs=2 expansions=40 "
            "verdicts=4 waiting=5 late=2 more=0");
}

TEST(FrameWatch, OneLineAFrameAndOneASecondAndTheOthersAreCounted) {
  FrameWatch watch({60, 0, 1000});
  watch.begin(stats(1, 0, 0));
  EXPECT_NE(watch.check(3000, stats(1, 1, 1), 10), std::nullopt);
  EXPECT_EQ(watch.check(9000, stats(1, 2, 2), FrameWatch::kEveryUs + 20), std::nullopt);
  for (std::uint64_t frame = 2; frame < 5; ++frame) {
    watch.begin(stats(frame, 0, 0));
    EXPECT_EQ(watch.check(3000, stats(frame, 1, 1), 20 * frame), std::nullopt);
  }
  watch.begin(stats(5, 0, 0));
  EXPECT_THAT(watch.check(3000, stats(5, 1, 1), FrameWatch::kEveryUs + 10).value_or(""),
              HasSubstr("more=3"));
  watch.begin(stats(6, 0, 0));
  EXPECT_THAT(watch.check(3000, stats(6, 1, 1), 3 * FrameWatch::kEveryUs).value_or(""),
              HasSubstr("more=0"));
}

}  // namespace
}  // namespace repath
