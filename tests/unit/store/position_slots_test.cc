// The slots of agents' positions on a disk that refuses.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "store/checksum.h"
#include "store/position_slots.h"
#include "store/world_files.h"
#include "support/crash_disk.h"

namespace repath {
namespace {

std::string number(std::uint64_t v) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(v >> shift & 255u));
  return bytes;
}

// Writes a slot of the first format, of one agent at (x, 0).
void write_first_format(test::CrashFiles& files, WorldKey key, int slot, std::uint64_t sequence,
                        double x, WallMicros at) {
  std::string bytes = "RPPOS001";
  for (const std::uint64_t v :
       {value(key), sequence, at, 1ul, 7ul, std::bit_cast<std::uint64_t>(x), 0ul, 0ul})
    bytes += number(v);
  bytes += number(Checksum().add(bytes).value());
  const auto file =
      files.open(world_folder(key) + "/positions-" + std::to_string(slot), Disk::Open::kKeep);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->write(0, bytes).ok());
}

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

// A server of the first format takes the slots of a newer one for none, and begins at sequence 1.
TEST(PositionSlots, AfterARollBackTheFormatWithTheLaterPositionsCounts) {
  test::CrashDisk disk(1);
  test::CrashFiles files(disk);
  const WorldKey key{3};
  ASSERT_TRUE(files.make_folder(world_folder(key)).ok());
  const auto row = [](double x, WallMicros at) { return PositionRow{AgentId{7}, {x, 0, 0}, at}; };
  const auto expect = [&](double x, WallMicros at) {
    const auto read = PositionSlots(key).load(files);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->at, at);
    EXPECT_EQ(read->rows, std::vector<PositionRow>{row(x, at)});
  };
  PositionSlots newer(key);
  for (const WallMicros at : {10u, 11u, 12u, 13u})
    ASSERT_TRUE(newer.write(files, {{row(1, at)}, at}).ok());
  expect(1, 13);
  write_first_format(files, key, 0, 1, 2, 20);
  expect(2, 20);

  // The next slot is the newest of its format, although its clock may have stood still.
  PositionSlots upgraded(key);
  ASSERT_TRUE(upgraded.load(files).ok());
  ASSERT_TRUE(upgraded.write(files, {{row(3, 20)}, 20}).ok());
  expect(3, 20);
  PositionSlots again(key);
  ASSERT_TRUE(again.load(files).ok());
  ASSERT_TRUE(again.write(files, {{row(4, 21)}, 21}).ok());
  expect(4, 21);

  // Within a format the sequence counts, although the clock was put back.
  write_first_format(files, key, 0, 8, 5, 40);
  write_first_format(files, key, 1, 9, 6, 30);
  expect(6, 30);
}

}  // namespace
}  // namespace repath
