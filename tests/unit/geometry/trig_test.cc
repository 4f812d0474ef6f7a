#include "geometry/trig.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "support/seed.h"

namespace repath {
namespace {

TEST(SinCos, IsWithin1e15OfTheTrueValue) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int i = 0; i < 200'000; ++i) {
    const double range = i % 2 == 0 ? 8 : kAngleMax;
    const double a = (random.unit() * 2 - 1) * range;
    const SinCos ours = sin_cos(a);
    ASSERT_NEAR(ours.sin, std::sin(a), 1e-15) << a;
    ASSERT_NEAR(ours.cos, std::cos(a), 1e-15) << a;
  }
}

TEST(SinCos, OfZeroIsExact) {
  EXPECT_EQ(sin_cos(0).sin, 0.0);
  EXPECT_EQ(sin_cos(0).cos, 1.0);
}

TEST(SinCos, KeepsItsAccuracyNextToMultiplesOfAQuarterTurn) {
  for (int k = -6000; k <= 6000; ++k) {
    const double a = k * 1.5707963267948966;
    ASSERT_NEAR(sin_cos(a).sin, std::sin(a), 1e-15) << k;
    ASSERT_NEAR(sin_cos(a).cos, std::cos(a), 1e-15) << k;
  }
}

TEST(SinCosDeathTest, RefusesAnglesBeyondItsReduction) {
  EXPECT_DEATH(sin_cos(10001), "kAngleMax");
}

}  // namespace
}  // namespace repath
