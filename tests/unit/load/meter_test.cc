#include "load/meter.h"

#include <gtest/gtest.h>

namespace repath::load {
namespace {

constexpr Nanos kMs = kSecond / 1000;

Meter meter_of_a_window() {
  Meter meter(2);
  meter.set_window(100 * kMs, 200 * kMs);
  meter.set_base(0, 10);
  meter.set_base(1, 1);
  return meter;
}

TEST(Meter, TakesTheTimeFromWhenAChangeWasMeant) {
  Meter meter = meter_of_a_window();
  meter.committed(0, 11, 100 * kMs);
  meter.heard(0, Kind::kReplanned, 11, 130 * kMs);
  EXPECT_EQ(meter.gauge(Kind::kReplanned).all.max(), 30'000u);
  EXPECT_EQ(meter.gauge(Kind::kInvalidated).all.count(), 0u);
}

TEST(Meter, AVerdictMayComeBeforeTheAnswer) {
  Meter meter = meter_of_a_window();
  meter.heard(0, Kind::kInvalidated, 12, 120 * kMs);
  EXPECT_EQ(meter.gauge(Kind::kInvalidated).all.count(), 0u);
  meter.committed(0, 12, 110 * kMs);
  EXPECT_EQ(meter.gauge(Kind::kInvalidated).all.max(), 10'000u);
  meter.committed(0, 11, 105 * kMs);
  EXPECT_EQ(meter.gauge(Kind::kInvalidated).all.count(), 1u);
}

TEST(Meter, WhatWasMeantOutsideOfTheWindowDoesNotCount) {
  Meter meter = meter_of_a_window();
  meter.committed(0, 11, 99 * kMs);
  meter.committed(0, 12, 200 * kMs);
  meter.committed(0, 13, 199 * kMs);
  for (const std::uint64_t revision : {11, 12, 13})
    meter.heard(0, Kind::kReplanned, revision, 300 * kMs);
  EXPECT_EQ(meter.gauge(Kind::kReplanned).all.count(), 1u);
  EXPECT_EQ(meter.gauge(Kind::kReplanned).all.max(), 101'000u);
}

TEST(Meter, RevisionsBeforeTheRunAreNobodys) {
  Meter meter = meter_of_a_window();
  meter.heard(0, Kind::kReplanned, 10, 150 * kMs);
  meter.committed(0, 10, 150 * kMs);
  EXPECT_EQ(meter.gauge(Kind::kReplanned).all.count(), 0u);
  EXPECT_EQ(meter.last_revision(0), 10u);
}

TEST(Meter, WorldsAreApart) {
  Meter meter = meter_of_a_window();
  meter.committed(0, 11, 100 * kMs);
  meter.heard(1, Kind::kReplanned, 11, 130 * kMs);
  EXPECT_EQ(meter.gauge(Kind::kReplanned).all.count(), 0u);
}

TEST(Meter, WhatNeverSettledCountsAsIfItDidAtTheEnd) {
  Meter meter = meter_of_a_window();
  meter.committed(0, 11, 100 * kMs);
  meter.committed(0, 12, 110 * kMs);
  meter.committed(0, 13, 120 * kMs);
  meter.heard(0, Kind::kSettled, 11, 101 * kMs);
  EXPECT_EQ(meter.oldest_open(0, 11, 150 * kMs), 40 * kMs);
  EXPECT_EQ(meter.oldest_open(0, 13, 150 * kMs), 0);
  EXPECT_EQ(meter.give_up(0, Kind::kSettled, 11, 400 * kMs), 2u);
  EXPECT_EQ(meter.gauge(Kind::kSettled).all.count(), 3u);
  EXPECT_EQ(meter.gauge(Kind::kSettled).all.max(), 290'000u);
}

TEST(Meter, ASecondForgetsAndTheWholeDoesNot) {
  Meter meter = meter_of_a_window();
  meter.committed(0, 11, 100 * kMs);
  meter.heard(0, Kind::kReplanned, 11, 130 * kMs);
  EXPECT_EQ(meter.gauge(Kind::kReplanned).second.count(), 1u);
  meter.begin_second();
  EXPECT_EQ(meter.gauge(Kind::kReplanned).second.count(), 0u);
  EXPECT_EQ(meter.gauge(Kind::kReplanned).all.count(), 1u);
}

}  // namespace
}  // namespace repath::load
