// The meter of work: its limit, and when it asks whether the work shall stop.
#include "base/work_meter.h"

#include <gtest/gtest.h>

#include "base/stop_token.h"

namespace repath {
namespace {

class CountedStop final : public StopToken {
 public:
  bool stop_requested() const override {
    ++asked;
    return stops;
  }
  bool stops = false;
  mutable int asked = 0;
};

TEST(WorkMeter, AllowsExactlyItsLimit) {
  WorkMeter meter({100, 0, 0});
  EXPECT_TRUE(meter.spend(60));
  EXPECT_TRUE(meter.spend(40));
  EXPECT_TRUE(meter.spend(0)) << "nothing more is within the limit";
  EXPECT_EQ(meter.spent(), 100u);
  EXPECT_FALSE(meter.is_over());
  EXPECT_FALSE(meter.spend(1));
  EXPECT_TRUE(meter.is_over());
}

TEST(WorkMeter, OnceOverItAllowsNothing) {
  WorkMeter meter({100, 0, 0});
  EXPECT_FALSE(meter.spend(101));
  EXPECT_FALSE(meter.spend(0));
  EXPECT_FALSE(meter.spend(1));
  EXPECT_FALSE(meter.affords(0));
}

TEST(WorkMeter, OnceStoppedItAllowsNothing) {
  CountedStop stop;
  WorkMeter meter(kNoWorkLimits, 0, &stop);
  EXPECT_TRUE(meter.spend(1'000'000));
  EXPECT_EQ(stop.asked, 1);
  stop.stops = true;
  EXPECT_FALSE(meter.spend(1'000'000));
  EXPECT_TRUE(meter.is_stopped());
  EXPECT_FALSE(meter.spend(0));
  EXPECT_EQ(stop.asked, 2) << "it knows";
}

TEST(WorkMeter, AsksOnceEvery65536Units) {
  CountedStop stop;
  WorkMeter meter(kNoWorkLimits, 0, &stop);
  for (int i = 0; i < 10 * 65'536; ++i) ASSERT_TRUE(meter.spend(1));
  EXPECT_EQ(stop.asked, 10);
  EXPECT_EQ(meter.spent(), 655'360u);
}

}  // namespace
}  // namespace repath
