// The hindsights that the book returns, and those that it forgets.
#include "route_ground/hindsight_book.h"

#include <gtest/gtest.h>

#include <memory>

namespace repath {
namespace {

constexpr Cost units(double n) { return static_cast<Cost>(n * kRouteCostUnit); }

class Fixed final : public Hindsight {
 public:
  Fixed(Cost certain, std::size_t bytes) : certain_(certain), bytes_(bytes) {}
  Cost certain() const override { return certain_; }
  bool is_of_all_places() const override { return false; }
  std::size_t bytes() const override { return bytes_; }

 private:
  Cost certain_;
  std::size_t bytes_;
};

std::shared_ptr<const Hindsight> hindsight(double certain = 20, std::size_t bytes = 100) {
  return std::make_shared<Fixed>(units(certain), bytes);
}

constexpr Spot kHere{1, 0, 1};
constexpr Spot kThere{4, 0, 1};

TEST(HindsightBook, SpeaksForOnePlaceOnly) {
  HindsightBook book(1000);
  EXPECT_EQ(book.take(3, kHere, 0).of, nullptr);
  book.put(3, hindsight(), kHere, Revision{7});
  EXPECT_EQ(book.found_at(3), Revision{7});
  EXPECT_EQ(book.found_at(2), Revision{});
  EXPECT_EQ(book.found_at(99), Revision{});
  EXPECT_EQ(book.take(3, kThere, 0).of, nullptr);
  EXPECT_EQ(book.take(3, kHere, 0).certain, units(20));
}

TEST(HindsightBook, WalkingTakesWhatIsWalkedOff) {
  HindsightBook book(1000);
  book.put(3, hindsight(), kHere, Revision{7});
  book.walk(3, kThere, kHere, units(1));  // the agent did not go from there
  EXPECT_EQ(book.certain(3), units(20));
  book.walk(3, kHere, kThere, units(3));
  EXPECT_EQ(book.take(3, kHere, 0).of, nullptr);
  EXPECT_EQ(book.take(3, kThere, 0).certain, units(17));
  book.walk(3, kThere, kHere, units(30));
  EXPECT_EQ(book.certain(3), Cost{0});
}

TEST(HindsightBook, GivesNothingThatIsCertainOfNextToNothing) {
  HindsightBook book(1000);
  book.put(3, hindsight(), kHere, Revision{7});
  EXPECT_NE(book.take(3, kHere, units(19)).of, nullptr);
  EXPECT_EQ(book.take(3, kHere, units(19) + 1).of, nullptr);
  book.limit(3, units(25));
  EXPECT_EQ(book.certain(3), units(20));
  book.limit(3, units(12));
  EXPECT_EQ(book.take(3, kHere, units(11)).certain, units(12));
  EXPECT_EQ(book.take(3, kHere, units(12)).of, nullptr);
}

TEST(HindsightBook, ForgetsWhatWasNotUsedForLongest) {
  HindsightBook book(350);
  for (const std::uint32_t slot : {0u, 1u, 2u}) book.put(slot, hindsight(), kHere, Revision{7});
  EXPECT_EQ(book.bytes(), 300u);
  EXPECT_NE(book.take(0, kHere, 0).of, nullptr);
  book.put(3, hindsight(20, 200), kHere, Revision{8});
  EXPECT_EQ(book.bytes(), 300u);
  EXPECT_EQ(book.found_at(1), Revision{});
  EXPECT_EQ(book.found_at(2), Revision{});
  EXPECT_EQ(book.found_at(0), Revision{7});
  book.put(0, hindsight(20, 50), kHere, Revision{9});  // replaces the old one
  EXPECT_EQ(book.bytes(), 250u);
  book.drop(3);
  book.drop(3);
  EXPECT_EQ(book.bytes(), 50u);
}

TEST(HindsightBook, TakesInNothingThatIsTooLargeForIt) {
  HindsightBook book(350);
  book.put(0, hindsight(), kHere, Revision{7});
  book.put(1, hindsight(20, 351), kHere, Revision{7});
  EXPECT_EQ(book.found_at(1), Revision{});
  EXPECT_EQ(book.bytes(), 100u);
}

}  // namespace
}  // namespace repath
