#include "base/check.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace repath {
namespace {

TEST(Check, FailsByEndingTheProcessOutsideAScope) {
  EXPECT_DEATH(REPATH_CHECK(1 + 1 == 3), "check_test.cc:[0-9]+: REPATH_CHECK\\(1 \\+ 1 == 3\\)");
}

TEST(Check, FailsByAnExceptionInsideAScope) {
  const CheckScope scope;
  try {
    REPATH_CHECK(1 + 1 == 3);
    FAIL();
  } catch (const CheckFailed& failed) {
    EXPECT_EQ(failed.condition(), "1 + 1 == 3");
    EXPECT_NE(std::string(failed.what()).find("check_test.cc:"), std::string::npos);
    EXPECT_GT(failed.frame_count(), 2u);
  }
}

TEST(Check, AScopeEndsWithItsBlockAndMayBeNested) {
  {
    const CheckScope outer;
    { const CheckScope inner; }
    EXPECT_THROW(REPATH_CHECK(false), CheckFailed);
  }
  EXPECT_DEATH(REPATH_CHECK(false), "failed");
}

TEST(Check, AScopeCountsForItsThreadAlone) {
  const CheckScope scope;
  EXPECT_DEATH(std::thread([] { REPATH_CHECK(false); }).join(), "failed");
}

}  // namespace
}  // namespace repath
