// The list of files in a backup, as the file `manifest` in its folder. It is written last, so a
// folder with a whole manifest is a whole backup. One line each:
//
//     repath-backup 1
//     taken_at_us MICROSECONDS
//     database BYTES SHA-256
//     file BYTES worlds/KEY/NAME
//     damaged KEY
//     end SHA-256 of all lines before
//
// Files of worlds carry a checksum in their names (world_files.h) or inside (position_slots.h).
//
// Thread rule: free functions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/store.h"

namespace repath {

inline constexpr const char* kManifestName = "manifest";

struct HashedFile {
  std::uint64_t bytes = 0;
  std::string sha256;  // 64 hexadecimal digits
  bool operator==(const HashedFile&) const = default;
};

struct BackupManifest {
  struct File {
    std::uint64_t bytes = 0;
    std::string path;  // below the backup's folder
  };
  WallMicros taken_at = 0;
  HashedFile database;
  std::vector<File> files;
  std::set<WorldKey> damaged;  // worlds that could not be loaded when the backup was taken
};

std::string write_manifest(const BackupManifest& manifest);
// DATA_LOSS with reason BACKUP_DAMAGED if the text is not a whole manifest, or names a file outside
// of the folders of worlds.
absl::StatusOr<BackupManifest> read_manifest(std::string_view text);
// Reads a whole file in pieces. NOT_FOUND, or INTERNAL with the system's words.
absl::StatusOr<HashedFile> hash_file(const std::string& path);
// DATA_LOSS, BACKUP_DAMAGED.
absl::Status backup_damaged(const std::string& why);

}  // namespace repath
