#include "load/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/seed.h"
#include "verify/dice.h"

namespace repath::load {
namespace {

TEST(Histogram, IsEmptyAtFirst) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.percentile(0.5), 0);
  EXPECT_TRUE(histogram.buckets().empty());
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram histogram;
  for (std::uint64_t value = 1; value <= 60; ++value) histogram.add(value);
  EXPECT_EQ(histogram.percentile(0.5), 30);
  EXPECT_EQ(histogram.percentile(0), 1);
  EXPECT_EQ(histogram.percentile(1), 60);
  EXPECT_EQ(histogram.max(), 60u);
  EXPECT_DOUBLE_EQ(histogram.mean(), 30.5);
}

TEST(Histogram, PercentilesAreOffByLessThanTwoPercent) {
  SCOPED_TRACE(test::seed_trace());
  verify::Dice dice(test::seed());
  Histogram histogram;
  std::vector<double> values;
  for (int i = 0; i < 20'000; ++i) {
    const auto value = static_cast<std::uint64_t>(std::exp(25 * dice.unit()));
    const std::uint64_t most = (std::uint64_t{1} << 36) - 1;
    histogram.add(value);
    values.push_back(static_cast<double>(std::min(value, most)));
  }
  std::sort(values.begin(), values.end());
  for (const double share : {0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const double exact = values[static_cast<std::size_t>(std::ceil(share * 20'000)) - 1];
    EXPECT_NEAR(histogram.percentile(share), exact, 0.02 * exact) << share;
  }
}

TEST(Histogram, WhatIsTooLargeCountsAsTheLargest) {
  Histogram histogram;
  histogram.add(~std::uint64_t{0});
  EXPECT_EQ(histogram.max(), (std::uint64_t{1} << 36) - 1);
  EXPECT_EQ(histogram.count(), 1u);
}

TEST(Histogram, BucketsHoldTheirValues) {
  Histogram histogram;
  for (const std::uint64_t value : {5u, 64u, 65u, 1000u, 1'000'000u}) histogram.add(value);
  double counted = 0;
  double last = 0;
  for (const Histogram::Bucket& bucket : histogram.buckets()) {
    EXPECT_GE(bucket.from, last);
    EXPECT_LT(bucket.to - bucket.from, 1 + 0.02 * bucket.to);
    counted += static_cast<double>(bucket.count);
    last = bucket.to;
  }
  EXPECT_EQ(counted, 5);
}

TEST(Histogram, SumsAreOfBoth) {
  Histogram one;
  Histogram other;
  one.add(10);
  other.add(30);
  other.add(1'000);
  one.add_all(other);
  EXPECT_EQ(one.count(), 3u);
  EXPECT_EQ(one.percentile(0.5), 30);
  EXPECT_EQ(one.max(), 1'000u);
  one.clear();
  EXPECT_EQ(one.count(), 0u);
  EXPECT_EQ(one.percentile(1), 0);
}

}  // namespace
}  // namespace repath::load
