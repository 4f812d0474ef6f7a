// The slots of agents' positions on a disk that refuses.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace repath
