#include "verdicts/delta_log.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

enum class TestView : std::uint32_t {};
struct TestDelta {
  Revision revision{};
  std::uint64_t size = 1;
  std::uint64_t bytes() const { return size; }
};
constexpr std::uint64_t kBytesMax = 1000;
using TestLog = DeltaLogOf<TestView, TestDelta>;

std::vector<std::uint64_t> seen_after(const TestLog& log, TestView view, std::uint64_t since) {
  std::vector<std::uint64_t> seen;
  log.for_each_after(view, Revision{since},
                     [&](const TestDelta& delta) { seen.push_back(value(delta.revision)); });
  return seen;
}

TEST(DeltaLog, GivesWhatCameAfterARevision) {
  TestLog log(100, kBytesMax);
  const TestView view{3};
  log.open(view, Revision{4});
  for (std::uint64_t r = 5; r <= 8; ++r) log.append(view, {Revision{r}}, 1);
  EXPECT_TRUE(log.covers(view, Revision{4}));
  EXPECT_FALSE(log.covers(view, Revision{3})) << "it was not in use then";
  EXPECT_EQ(seen_after(log, view, 6), (std::vector<std::uint64_t>{7, 8}));
  EXPECT_EQ(log.count_after(view, Revision{4}), 4u);
}

TEST(DeltaLog, FindsEveryRevisionFromItsEnd) {
  TestLog log(1000, kBytesMax);
  const TestView view{0};
  log.open(view, Revision{});
  for (std::uint64_t r = 2; r <= 60; r += 2) log.append(view, {Revision{r}}, 1);
  for (std::uint64_t since = 0; since <= 61; ++since)
    EXPECT_EQ(log.count_after(view, Revision{since}),
              (60 - std::min<std::uint64_t>(since, 60) + 1) / 2)
        << since;
}

TEST(DeltaLog, ForgetsTheOldestAndSaysSo) {
  TestLog log(40, kBytesMax);
  const TestView view{0};
  log.open(view, Revision{1});
  for (std::uint64_t r = 2; r <= 10; ++r) log.append(view, {Revision{r}}, 10);
  EXPECT_FALSE(log.covers(view, Revision{5}));
  EXPECT_TRUE(log.covers(view, Revision{6}));
}

TEST(DeltaLog, PassesOverViewsThatNobodyUses) {
  TestLog log(100, kBytesMax);
  log.open(TestView{1}, Revision{1});
  log.append(TestView{2}, {Revision{2}}, 1);
  EXPECT_EQ(log.views(), (std::vector<TestView>{TestView{1}}));
  EXPECT_EQ(log.bytes(), 0u);
}

TEST(DeltaLog, AllViewsTogetherDropTheOldestDeltasAboveTheLimitOfMemory) {
  TestLog log(100, 10);
  const TestView quiet{1};
  const TestView busy{2};
  for (const TestView view : {quiet, busy}) log.open(view, Revision{1});
  log.append(quiet, {Revision{2}, 3}, 1);
  log.append(busy, {Revision{2}, 3}, 1);
  log.append(busy, {Revision{3}, 3}, 1);
  EXPECT_EQ(log.bytes(), 9u);
  EXPECT_TRUE(log.covers(quiet, Revision{1}) && log.covers(busy, Revision{1}));
  log.append(busy, {Revision{4}, 5}, 1);
  EXPECT_EQ(log.bytes(), 8u);
  EXPECT_FALSE(log.covers(quiet, Revision{1}));
  EXPECT_TRUE(log.covers(quiet, Revision{2}));
  EXPECT_FALSE(log.covers(busy, Revision{1}));
  EXPECT_EQ(seen_after(log, busy, 2), (std::vector<std::uint64_t>{3, 4}));
}

TEST(DeltaLog, ADeltaAboveTheLimitOfMemoryIsNotKept) {
  TestLog log(100, 10);
  const TestView view{};
  log.open(view, Revision{1});
  log.append(view, {Revision{2}, 11}, 1);
  EXPECT_EQ(log.bytes(), 0u);
  EXPECT_FALSE(log.covers(view, Revision{1}));
  EXPECT_TRUE(log.covers(view, Revision{2}));
}

TEST(DeltaLog, AViewThatIsClosedGivesItsMemoryBack) {
  TestLog log(100, 10);
  for (const TestView view : {TestView{1}, TestView{2}}) log.open(view, Revision{1});
  log.append(TestView{1}, {Revision{2}, 4}, 1);
  log.append(TestView{2}, {Revision{2}, 4}, 1);
  log.close(TestView{1});
  EXPECT_EQ(log.bytes(), 4u);
  log.append(TestView{2}, {Revision{3}, 6}, 1);
  EXPECT_EQ(log.bytes(), 10u);
  EXPECT_TRUE(log.covers(TestView{2}, Revision{1}));
}

}  // namespace
}  // namespace repath
