#include "agents/waiting_book.h"

#include <gtest/gtest.h>

#include <iterator>
#include <set>

#include "base/random.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr OwnerId kAda{1};
constexpr OwnerId kBob{2};

TEST(CountedSet, HoldsWhatAMultisetHolds) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  CountedSet<std::uint64_t> counted;
  std::multiset<std::uint64_t> plain;
  for (int i = 0; i < 2000; ++i) {
    if (plain.empty() || random.below(5) < 3) {
      const std::uint64_t value = random.below(20);
      counted.add(value);
      plain.insert(value);
    } else {
      const auto any =
          std::next(plain.begin(), random.below(static_cast<std::uint32_t>(plain.size())));
      counted.remove(*any);
      plain.erase(any);
    }
    ASSERT_EQ(counted.size(), plain.size());
    ASSERT_EQ(counted.empty(), plain.empty());
    if (!plain.empty()) {
      ASSERT_EQ(counted.least(), *plain.begin());
    }
    const std::uint64_t bound = random.below(22);
    ASSERT_EQ(counted.below(bound),
              static_cast<std::uint64_t>(std::distance(plain.begin(), plain.lower_bound(bound))));
  }
}

TEST(WaitingBook, KnowsTheLeastProvedRevisionOfEachOwner) {
  WaitingBook book;
  book.add({kAda, Revision{7}, 100, 1});
  book.add({kAda, Revision{5}, 200, 2});
  book.add({kBob, Revision{3}, 300, 3});
  EXPECT_EQ(book.least_proved(kAda), Revision{5});
  EXPECT_EQ(book.least_proved(kBob), Revision{3});
  EXPECT_EQ(book.least_proved(std::nullopt), Revision{3});
  book.remove({kBob, Revision{3}, 300, 3});
  EXPECT_EQ(book.least_proved(kBob), std::nullopt);
  EXPECT_EQ(book.least_proved(std::nullopt), Revision{5});
}

TEST(WaitingBook, LateIsPastTheDeadlineNotAtIt) {
  WaitingBook book;
  book.add({kAda, Revision{1}, 100, 1});
  book.add({kBob, Revision{1}, 101, 1});
  EXPECT_EQ(book.late(std::nullopt, 100), 0u);
  EXPECT_EQ(book.late(std::nullopt, 101), 1u);
  EXPECT_EQ(book.late(kBob, 101), 0u);
  EXPECT_EQ(book.late(kBob, 102), 1u);
}

TEST(WaitingBook, TheOldestWaitCountsFrames) {
  WaitingBook book;
  EXPECT_EQ(book.oldest_wait(9), 0u);
  book.add({kAda, Revision{1}, 100, 4});
  book.add({kAda, Revision{1}, 100, 6});
  EXPECT_EQ(book.oldest_wait(9), 5u);
  book.remove({kAda, Revision{1}, 100, 4});
  EXPECT_EQ(book.oldest_wait(9), 3u);
  EXPECT_EQ(book.waiting(kAda), 1u);
}

}  // namespace
}  // namespace repath
