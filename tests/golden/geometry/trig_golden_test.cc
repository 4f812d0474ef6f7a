// Bit for bit: recorded worlds replay on every machine only if these values stay the same.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "base/hash.h"
#include "base/random.h"
#include "geometry/trig.h"

namespace repath {
namespace {

TEST(SinCosGolden, TheHashOfAHundredThousandValuesIsFixed) {
  Random random(7);
  Hasher hash;
  for (int i = 0; i < 100'000; ++i) {
    const SinCos v = sin_cos((random.unit() * 2 - 1) * kAngleMax);
    hash.add(v.sin).add(v.cos);
  }
  EXPECT_EQ(hash.value(), 3561084678477250270u);
}

TEST(SinCosGolden, TheBitsOfAFewValuesAreFixed) {
  const auto bits = [](double v) { return std::bit_cast<std::uint64_t>(v); };
  // The correctly rounded values of sin(1), cos(1), sin(100), cos(100).
  EXPECT_EQ(bits(sin_cos(1).sin), 0x3feaed548f090ceeu);
  EXPECT_EQ(bits(sin_cos(1).cos), 0x3fe14a280fb5068cu);
  EXPECT_EQ(bits(sin_cos(100).sin), 0xbfe03425b78c4db8u);
  EXPECT_EQ(bits(sin_cos(100).cos), 0x3feb981dbf665fdfu);
}

}  // namespace
}  // namespace repath
