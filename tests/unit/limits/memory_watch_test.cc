#include "limits/memory_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/error.h"
#include "limits/descriptors.h"

namespace repath {
namespace {

constexpr std::uint64_t kMega = 1u << 20;

TEST(MemoryStages, BeginAtTheirShareAndEndTwoPercentBelow) {
  using enum MemoryStage;
  EXPECT_EQ(stage_of(79 * kMega, 100 * kMega, kPlenty), kPlenty);
  EXPECT_EQ(stage_of(80 * kMega, 100 * kMega, kPlenty), kShrink);
  EXPECT_EQ(stage_of(90 * kMega, 100 * kMega, kPlenty), kNarrow);
  EXPECT_EQ(stage_of(95 * kMega, 100 * kMega, kPlenty), kCritical);
  EXPECT_EQ(stage_of(94 * kMega, 100 * kMega, kCritical), kCritical);
  EXPECT_EQ(stage_of(92 * kMega, 100 * kMega, kCritical), kNarrow);
  EXPECT_EQ(stage_of(89 * kMega, 100 * kMega, kNarrow), kNarrow);
  EXPECT_EQ(stage_of(77 * kMega, 100 * kMega, kShrink), kPlenty);
}

TEST(Pressure, RefusesByWhatACallMayMakeGrow) {
  Pressure pressure;
  const auto is_let_in = [&](Load load) { return pressure.check(load).ok(); };
  pressure.set_stage(MemoryStage::kShrink);
  EXPECT_TRUE(is_let_in(Load::kGrow));
  pressure.set_stage(MemoryStage::kNarrow);
  EXPECT_FALSE(is_let_in(Load::kGrow));
  EXPECT_FALSE(is_let_in(Load::kQuery));
  EXPECT_TRUE(is_let_in(Load::kEdit));
  pressure.set_stage(MemoryStage::kCritical);
  EXPECT_FALSE(is_let_in(Load::kEdit));
  EXPECT_TRUE(is_let_in(Load::kLook));
  EXPECT_TRUE(is_let_in(Load::kShed));
  EXPECT_EQ(pressure.refused(), 3u);
  const absl::Status refused = pressure.check(Load::kEdit);
  EXPECT_TRUE(absl::IsResourceExhausted(refused));
  EXPECT_EQ(error_reason(refused), "MEMORY_SHORT");
  const std::vector<std::pair<std::string, std::string>> facts{{"retry_delay_ms", "1000"},
                                                               {"stage", "critical"}};
  EXPECT_EQ(error_facts(refused), facts);
}

TEST(MemoryLimit, IsThatOfTheWorldsAndOfTheProcessItself) {
  const MemoryLimit limit = find_memory_limit(16 * kMega);
  EXPECT_LE(limit.bytes, 16 * kMega + kOwnMemoryBytes);
  EXPECT_FALSE(limit.source.empty());
  EXPECT_LT(find_memory_limit(std::uint64_t{1} << 60).bytes, std::uint64_t{1} << 60)
      << "the machine has less";
}

TEST(MemoryWatch, SeesWhatTheProcessUsesAndAsksForMemoryBack) {
  Pressure pressure;
  std::atomic<int> asked{0};
  const std::uint64_t limit = resident_bytes() + 64 * kMega;
  ASSERT_GT(limit, 64 * kMega);
  const MemoryWatch watch({limit, "test"}, pressure, [&] { ++asked; });
  const auto comes = [](auto&& holds) {
    for (int i = 0; i < 1000 && !holds(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return holds();
  };
  const int before = asked;
  std::vector<char> much(limit - resident_bytes(), 1);
  EXPECT_TRUE(comes([&] { return pressure.stage() == MemoryStage::kCritical; }));
  EXPECT_TRUE(comes([&] { return asked > before; }));
  EXPECT_NE(watch.metrics_text().find("repath_memory_stage 3"), std::string::npos);
  std::vector<char>().swap(much);
  EXPECT_TRUE(comes([&] { return pressure.stage() < MemoryStage::kCritical; }));
}

TEST(Descriptors, ConnectionsLeaveSomeForTheServer) {
  EXPECT_EQ(connections_within(1024, 10'000), 1024 - kReservedDescriptors);
  EXPECT_EQ(connections_within(100'000, 10'000), 10'000u);
  EXPECT_EQ(connections_within(100, 10'000), 50u);
  EXPECT_EQ(connections_within(0, 10'000), 1u);
  EXPECT_GT(raise_descriptor_limit(), 0u);
}

}  // namespace
}  // namespace repath
