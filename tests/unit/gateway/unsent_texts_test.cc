#include "gateway/unsent_texts.h"

#include <gtest/gtest.h>

#include <string>

namespace repath {
namespace {

TEST(UnsentTexts, BeyondTheBoundTheOneThatHasWaitedLongestIsClosed) {
  UnsentTexts texts(100);
  std::string closed;
  const char owners[] = {'a', 'b', 'c', 'd'};
  const auto begin = [&](int i, std::uint64_t bytes) {
    texts.begin(&owners[i], bytes, [&closed, name = owners[i]] { closed += name; });
  };
  begin(0, 40);
  begin(1, 60);
  EXPECT_EQ(closed, "");
  texts.end(&owners[0]);
  begin(2, 40);
  EXPECT_EQ(closed, "") << "a's message has been taken";
  begin(3, 1);
  EXPECT_EQ(closed, "b");
  texts.end(&owners[1]);  // its WebSocket is closed
  begin(0, 59);
  EXPECT_EQ(closed, "b") << "b no longer counts";
  begin(1, 1000);
  EXPECT_EQ(closed, "bcda") << "but a message of any size may be sent";
}

}  // namespace
}  // namespace repath
