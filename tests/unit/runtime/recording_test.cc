#include "runtime/recording.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/random.h"

namespace repath {
namespace {

// The content of an entry between its size and kind, and its checksum. REQUIRES: it has less than
// 127 bytes.
std::string content_of(const EntryWriter& entry) {
  const std::string whole = entry.finish(RecordingEntry::kReport);
  return whole.substr(2, whole.size() - 2 - kEntrySumBytes);
}

TEST(RecordingEntries, AreReadAsTheyWereWritten) {
  constexpr std::uint64_t kGreatest = std::numeric_limits<std::uint64_t>::max();
  EntryWriter entry;
  entry.add(std::uint64_t{0}).add(kGreatest).add(-2.5).add(std::string_view("a\0b", 3));
  entry.add(AgentId{300}).add(MapPoint{1, 2, 3});
  const std::string content = content_of(entry);
  EntryReader reader(content);
  EXPECT_EQ(reader.number(), 0u);
  EXPECT_EQ(reader.number(), kGreatest);
  EXPECT_EQ(reader.coordinate(), -2.5);
  EXPECT_EQ(reader.bytes(), std::string("a\0b", 3));
  EXPECT_EQ(reader.id<AgentId>(), AgentId{300});
  EXPECT_EQ(reader.point(), (MapPoint{1, 2, 3}));
  EXPECT_TRUE(reader.is_whole());
  EXPECT_TRUE(reader.is_at_end());
}

TEST(RecordingEntries, ThatEndTooEarlyGiveNothing) {
  const std::string whole =
      content_of(EntryWriter().add(std::uint64_t{5000}).add(std::string_view("text")).add(1.5));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EntryReader reader(std::string_view(whole).substr(0, size));
    reader.number();
    reader.bytes();
    reader.coordinate();
    EXPECT_FALSE(reader.is_whole()) << size;
    EXPECT_EQ(reader.number(), 0u);
    EXPECT_EQ(reader.bytes(), "");
    EXPECT_EQ(reader.coordinate(), 0);
    EXPECT_EQ(reader.count(), 0u);
  }
}

TEST(RecordingEntries, ACountIsAtMostWhatTheEntryHolds) {
  const std::string content = content_of(EntryWriter().add(std::uint64_t{1} << 60));
  EntryReader reader(content);
  EXPECT_EQ(reader.count(), 0u);
  EXPECT_FALSE(reader.is_whole());
}

TEST(RecordingEntries, RandomBytesAreReadToTheirEnd) {
  Random random(28);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random.below(40), ' ');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    EntryReader reader(bytes);
    for (int i = 0; i < 50 && reader.is_whole(); ++i) {
      if (random.below(2) == 0)
        reader.bytes();
      else
        reader.number();
    }
    EXPECT_FALSE(reader.is_whole());
  }
}

}  // namespace
}  // namespace repath
