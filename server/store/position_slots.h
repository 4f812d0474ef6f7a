// The positions of one world's agents, in three files positions-0 to positions-2 that are written
// in turns. One of them is known to be on the disk and stays until another one is. So a process
// that dies while it writes loses one file. A machine that loses its power keeps the one on the
// disk. Each file is proved by its checksum. Its first bytes name its format; slots of the earlier
// format are read, too.
//
// Not thread-safe; the store guards it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/disk.h"
#include "store/store.h"

namespace repath {

struct Positions {
  std::vector<PositionRow> rows;
  WallMicros at = 0;  // 0: there are none
};

class PositionSlots {
 public:
  static constexpr int kSlots = 3;

  explicit PositionSlots(WorldKey key) : key_(key) {}

  // Reads the newest whole slot and puts it on the disk. DATA_LOSS: a sync failed. Another error: a
  // slot is there and cannot be read.
  absl::StatusOr<Positions> load(Disk& disk);
  // Writes the oldest slot.
  absl::Status write(Disk& disk, const Positions& positions);
  // Puts what was written last on the disk. DATA_LOSS: a sync failed.
  absl::Status sync(Disk& disk);
  bool needs_sync() const { return newest_ != durable_; }

 private:
  std::string path(int slot) const;

  WorldKey key_;
  std::uint64_t sequence_ = 0;  // the highest of all slots
  int newest_ = -1;
  int durable_ = -1;
};

}  // namespace repath
