// The slots of agents' positions on a disk that refuses.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "store/position_slots.h"
#include "store/world_files.h"
#include "support/crash_disk.h"

namespace repath {
namespace {

// If it began without positions, the world would save these over the ones that are there.
TEST(PositionSlots, ASlotThatCannotBeReadIsNotTakenForNone) {
  test::CrashDisk disk(1);
  test::CrashFiles files(disk);
  const WorldKey key{1};
  ASSERT_TRUE(files.make_folder(world_folder(key)).ok());
  PositionSlots slots(key);
  EXPECT_EQ(slots.load(files)->at, 0u) << "no file is there";
  ASSERT_TRUE(slots.write(files, {{{AgentId{7}, {1, 2, 0}}}, 5}).ok());
  ASSERT_TRUE(slots.sync(files).ok());
  EXPECT_EQ(PositionSlots(key).load(files)->at, 5u);
  disk.die_in(1);
  EXPECT_FALSE(files.make_folder("other").ok());
  EXPECT_FALSE(PositionSlots(key).load(files).ok());
}

// Servers that serve have slots of this format. tests/data/store has some of the first format,
// whose rows have no time.
TEST(PositionSlots, TheFormatIsTheOneOfSlotsThatWereWritten) {
  test::CrashDisk disk(1);
  test::CrashFiles files(disk);
  const WorldKey key{2};
  ASSERT_TRUE(files.make_folder(world_folder(key)).ok());
  ASSERT_TRUE(PositionSlots(key).write(files, {{{AgentId{7}, {1, 2, 0.5}, 0x1234}}, 0x5678}).ok());
  const auto number = [](std::uint64_t v) {
    std::string bytes;
    for (int shift = 0; shift < 64; shift += 8)
      bytes.push_back(static_cast<char>(v >> shift & 255u));
    return bytes;
  };
  std::string expected = "RPPOS002";
  for (const std::uint64_t v :
       {0x2ull, 0x1ull, 0x5678ull, 0x1ull, 0x7ull, 0x3ff0000000000000ull, 0x4000000000000000ull,
        0x3fe0000000000000ull, 0x1234ull, 0xbb909f63b67f8d8eull})
    expected += number(v);
  EXPECT_EQ(absl::BytesToHexString(*files.read(world_folder(key) + "/positions-0")),
            absl::BytesToHexString(expected));
  const auto read = PositionSlots(key).load(files);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->at, 0x5678u);
  EXPECT_EQ(read->rows, (std::vector<PositionRow>{{AgentId{7}, {1, 2, 0.5}, 0x1234}}));
}

}  // namespace
}  // namespace repath
