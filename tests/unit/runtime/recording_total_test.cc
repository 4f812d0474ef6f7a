#include "runtime/recording_total.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temp_path.h"

namespace repath {
namespace {

constexpr std::uint64_t kMost = 100'000;

class RecordingTotals : public testing::Test {
 protected:
  RecordingTotals() { std::filesystem::create_directories(folder_); }
  ~RecordingTotals() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, std::size_t bytes) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << std::string(bytes, 'x');
  }
  const std::string folder_ = test::temp_path("totals");
};

TEST_F(RecordingTotals, AtTheLimitNoneBeginsAndThoseUnderWayEnd) {
  RecordingTotal total(folder_, kMost);
  ASSERT_TRUE(total.may_begin());
  EXPECT_EQ(total.take(kMost / 2), nullptr);
  write("a-1.recording", kMost / 2);
  const char* const why = total.take(kMost / 2);
  ASSERT_NE(why, nullptr);
  EXPECT_NE(std::string(why).find("--record-total-mb"), std::string::npos);
  EXPECT_EQ(total.take(1), why);
  EXPECT_FALSE(total.may_begin());
}

TEST_F(RecordingTotals, RecordingsOfEarlierServersCountAndOtherFilesDoNot) {
  write("notes.txt", 2 * kMost);
  EXPECT_TRUE(RecordingTotal(folder_, kMost).may_begin());
  write("a-1.recording", kMost / 2);
  EXPECT_TRUE(RecordingTotal(folder_, kMost).may_begin());
  write("a-2.recording", kMost / 2);
  EXPECT_FALSE(RecordingTotal(folder_, kMost).may_begin());
}

TEST_F(RecordingTotals, AnEmptyFileCountsToo) {
  RecordingTotal total(folder_, 3 * RecordingTotal::kFileBytes);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(total.may_begin());
    write("a-" + std::to_string(i) + ".recording", 0);
  }
  EXPECT_FALSE(total.may_begin());
}

TEST_F(RecordingTotals, FilesThatWereMovedAwayCountNoLonger) {
  RecordingTotal total(folder_, kMost);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(total.may_begin());
    ASSERT_EQ(total.take(kMost / 3), nullptr);
    write("a-" + std::to_string(i) + ".recording", kMost / 3);
  }
  std::filesystem::remove(folder_ + "/a-0.recording");
  EXPECT_EQ(total.take(kMost / 3), nullptr);
}

TEST_F(RecordingTotals, AFolderThatIsMissingIsEmpty) {
  EXPECT_TRUE(RecordingTotal(folder_ + "/none", kMost).may_begin());
}

}  // namespace
}  // namespace repath
