#include "verdicts/delta_log.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

enum class TestView : std::uint32_t {};
struct TestDelta {
  Revision revision{};
};
using TestLog = DeltaLogOf<TestView, TestDelta>;

std::vector<std::uint64_t> seen_after(const TestLog& log, TestView view, std::uint64_t since) {
  std::vector<std::uint64_t> seen;
  log.for_each_after(view, Revision{since},
                     [&](const TestDelta& delta) { seen.push_back(value(delta.revision)); });
  return seen;
}

TEST(DeltaLog, GivesWhatCameAfterARevision) {
  TestLog log(100);
  const TestView view{3};
  log.open(view, Revision{4});
  for (std::uint64_t r = 5; r <= 8; ++r) log.append(view, {Revision{r}}, 1);
  EXPECT_TRUE(log.covers(view, Revision{4}));
  EXPECT_FALSE(log.covers(view, Revision{3})) << "it was not in use then";
  EXPECT_EQ(seen_after(log, view, 6), (std::vector<std::uint64_t>{7, 8}));
  EXPECT_EQ(log.count_after(view, Revision{4}), 4u);
}

TEST(DeltaLog, FindsEveryRevisionFromItsEnd) {
  TestLog log(1000);
  const TestView view{0};
  log.open(view, Revision{});
  for (std::uint64_t r = 2; r <= 60; r += 2) log.append(view, {Revision{r}}, 1);
  for (std::uint64_t since = 0; since <= 61; ++since)
    EXPECT_EQ(log.count_after(view, Revision{since}),
              (60 - std::min<std::uint64_t>(since, 60) + 1) / 2)
        << since;
}

TEST(DeltaLog, ForgetsTheOldestAndSaysSo) {
  TestLog log(40);
  const TestView view{0};
  log.open(view, Revision{1});
  for (std::uint64_t r = 2; r <= 10; ++r) log.append(view, {Revision{r}}, 10);
  EXPECT_FALSE(log.covers(view, Revision{5}));
  EXPECT_TRUE(log.covers(view, Revision{6}));
}

TEST(DeltaLog, PassesOverViewsThatNobodyUses) {
  TestLog log(100);
  log.open(TestView{1}, Revision{1});
  log.append(TestView{2}, {Revision{2}}, 1);
  EXPECT_EQ(log.views(), (std::vector<TestView>{TestView{1}}));
  EXPECT_EQ(log.changes(), 0u);
}

}  // namespace
}  // namespace repath
