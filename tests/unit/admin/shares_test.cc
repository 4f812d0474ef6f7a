#include "admin/shares.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

TEST(Shares, AnAddressLeavesTheOthersTheirs) {
  Shares shares(10, 5);
  EXPECT_TRUE(shares.take("a", 5));
  EXPECT_FALSE(shares.take("a"));
  EXPECT_TRUE(shares.take("b", 4));
  EXPECT_FALSE(shares.take("c", 2)) << "of all";
  shares.give_back("a", 1);
  EXPECT_TRUE(shares.take("c", 2));
  EXPECT_FALSE(shares.take("c", ~std::uint64_t{0}));
}

TEST(Shares, BytesCountWhileTheyAreHeld) {
  const auto shares = std::make_shared<Shares>(10, 5);
  {
    RequestBytes first(shares, "a");
    EXPECT_TRUE(first.resize(4));
    EXPECT_FALSE(first.resize(6));
    RequestBytes moved(std::move(first));
    EXPECT_FALSE(shares->take("a", 2)) << "4 still count";
    EXPECT_TRUE(moved.resize(3));
    EXPECT_TRUE(shares->take("a", 2));
    shares->give_back("a", 2);
  }
  EXPECT_TRUE(shares->take("a", 5));
}

}  // namespace
}  // namespace repath
