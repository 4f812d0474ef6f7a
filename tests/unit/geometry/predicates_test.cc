#include "geometry/point.h"

#include <gtest/gtest.h>

#include <cmath>

namespace repath {
namespace {

TEST(Orientation, TellsLeftFromRightFromOn) {
  EXPECT_EQ(orientation(Point{0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(orientation(Point{0, 0}, {1, 0}, {0, -1}), -1);
  EXPECT_EQ(orientation(Point{0, 0}, {1, 0}, {7, 0}), 0);
}

// Kettner et al., "Classroom examples of robustness problems in geometric computations", 2008: near
// this line plain doubles give all three signs at random. Here every coordinate is a multiple of
// 2^-53, so integers give the right sign.
TEST(Orientation, IsExactWherePlainDoublesAreNot) {
  const double ulp = std::ldexp(1.0, -53);
  const Point b{12, 12};
  const Point c{24, 24};
  for (int i = 0; i < 256; ++i) {
    for (int j = 0; j < 256; ++j) {
      const Point a{0.5 + i * ulp, 0.5 + j * ulp};
      // Compared with the line z = x from b to c.
      const int expected = (j > i) - (j < i);
      ASSERT_EQ(orientation(b, c, a), expected) << i << " " << j;
    }
  }
}

TEST(SegmentsMeet, AtACrossingATouchAndAnOverlap) {
  EXPECT_TRUE(segments_meet({0, 0}, {2, 2}, {0, 2}, {2, 0}));
  EXPECT_TRUE(segments_meet({0, 0}, {2, 0}, {1, 0}, {1, 5}));
  EXPECT_TRUE(segments_meet({0, 0}, {2, 0}, {1, 0}, {5, 0}));
  EXPECT_TRUE(segments_meet({0, 0}, {2, 0}, {2, 0}, {3, 3}));
}

TEST(SegmentsMeet, NotWhenApart) {
  EXPECT_FALSE(segments_meet({0, 0}, {2, 0}, {3, 0}, {5, 0}));
  EXPECT_FALSE(segments_meet({0, 0}, {2, 0}, {0, 1}, {2, 1}));
  EXPECT_FALSE(segments_meet({0, 0}, {2, 2}, {3, 3.000001}, {5, 0}));
}

}  // namespace
}  // namespace repath
