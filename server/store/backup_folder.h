// A new folder that a backup fills. Until it is whole it has the name FOLDER.partial, and it has no
// manifest: a process that dies leaves nothing that looks like a backup.
//
// Not thread-safe; belongs to one backup.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/backup_manifest.h"

namespace repath {

class BackupFolder {
 public:
  // Makes FOLDER.partial, and the folders above it. Removes an earlier one that is not whole.
  // INVALID_ARGUMENT with reason NAME_INVALID if FOLDER ends in `.partial`; ALREADY_EXISTS with
  // reason BACKUP_EXISTS if FOLDER exists, or FOLDER.partial is a whole backup; UNAVAILABLE with
  // reason STORE_UNAVAILABLE.
  static absl::StatusOr<std::unique_ptr<BackupFolder>> begin(const std::string& folder);
  // Returns whether a folder has the name of a backup that has not ended.
  static bool is_partial(std::string_view folder);
  // Removes the folder unless it was finished.
  ~BackupFolder();
  BackupFolder(const BackupFolder&) = delete;
  BackupFolder& operator=(const BackupFolder&) = delete;

  // Returns the path of a file in the folder.
  std::string at(const std::string& path) const { return partial_ + "/" + path; }
  // Returns the space that is free there.
  absl::StatusOr<std::uint64_t> free_bytes() const;
  absl::Status make_folder(const std::string& path);
  // Puts the file `from` there: as a hard link if it never changes and lies on the same disk, else
  // as a copy. NOT_FOUND if there is no such file.
  absl::Status take(const std::string& from, const std::string& path, bool never_changes);
  void note_damaged(WorldKey key) { manifest_.damaged.insert(key); }

  // Puts everything on the disk and gives the folder its name. `database` is the path of the
  // database in it. Returns the figures without `worlds`.
  absl::StatusOr<BackupFigures> finish(const std::string& database, WallMicros taken_at);

 private:
  static constexpr const char* kPartialEnd = ".partial";
  explicit BackupFolder(const std::string& folder)
      : folder_(folder), partial_(folder + kPartialEnd) {}

  const std::string folder_;
  const std::string partial_;
  bool is_finished_ = false;
  std::uint64_t linked_ = 0;
  BackupManifest manifest_;
};

// Waits until all that was written to the file system of this folder is on the disk.
absl::Status sync_file_system(const std::string& folder);
// Copies a file; `to` must not exist. NOT_FOUND if there is no such file.
absl::Status copy_file(const std::string& from, const std::string& to);

}  // namespace repath
