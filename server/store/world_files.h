// The base and the snapshots of one world as files, in the folder worlds/KEY. A file's name carries
// the checksum of its bytes, and the file itself is a plain world file:
//
//     base-CHECKSUM.rpw     snap-REVISION-CHECKSUM.rpw
//
// A file is written under another name, put on the disk, renamed, and then the folder is put on the
// disk. So a whole name means a whole file, and the checksum finds later damage.
//
// Thread rule: calls for different worlds may run side by side. DATA_LOSS from a function that
// writes means that a sync failed: nothing more may be trusted to this disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/byte_source.h"
#include "store/disk.h"
#include "store/store.h"

namespace repath {

std::string world_folder(WorldKey key);

struct SnapshotName {
  std::uint64_t revision = 0;
  std::string file;  // within the folder
};

// The files in the folder of a world; snapshots newest first.
struct FolderContent {
  std::string base;  // empty: there is none
  std::vector<SnapshotName> snapshots;
  std::vector<std::string> others;  // neither: begun and never finished
};
absl::StatusOr<FolderContent> read_folder(Disk& disk, WorldKey key);

// Returns whether the folder has snapshots or positions. Only a world that was served has these; a
// creation that never ended leaves a base at most.
absl::StatusOr<bool> was_served(Disk& disk, WorldKey key);

// Makes the folder with a base in it. Drops what a creation left that never ended. `room` as below.
absl::Status write_base(Disk& disk, WorldKey key, ByteSource& bytes, std::uint64_t room);
// Writes bytes under a temporary name and puts them on the disk; returns the checksum. Begins no
// piece of 8 MiB if less than `room` bytes would stay free; then RESOURCE_EXHAUSTED. After an error
// a part of the file may be there.
absl::StatusOr<std::uint64_t> write_temporary(Disk& disk, WorldKey key, ByteSource& bytes,
                                              std::uint64_t room);
// Removes what write_temporary left, if anything.
void remove_temporary(Disk& disk, WorldKey key);
// Gives the temporary file its name as the snapshot of that revision.
absl::StatusOr<SnapshotName> finish_snapshot(Disk& disk, WorldKey key, std::uint64_t revision,
                                             std::uint64_t checksum);
// Reads a file and compares it with the checksum in its name. DATA_LOSS if they differ.
absl::StatusOr<std::string> read_checked(Disk& disk, WorldKey key, const std::string& file);
// Removes the folder of a world with all that is in it.
absl::Status remove_folder(Disk& disk, WorldKey key);

}  // namespace repath
