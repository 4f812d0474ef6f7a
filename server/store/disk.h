// The files of a store apart from its database: bases, snapshots, positions, the lock.
//
// Thread rule: any thread may call any function of a Disk; a DiskFile belongs to one thread at a
// time. Paths are relative to the store's folder. Errors: NOT_FOUND; RESOURCE_EXHAUSTED if no space
// is left; otherwise INTERNAL with the system's words. A failed sync() or sync_folder() gives
// DATA_LOSS: what was written may be lost although a later sync succeeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace repath {

class DiskFile {
 public:
  virtual ~DiskFile() = default;
  // Writes all of the bytes. After an error some of them may have been written.
  virtual absl::Status write(std::uint64_t offset, std::string_view bytes) = 0;
  // Waits until everything written is on the disk.
  virtual absl::Status sync() = 0;
};

class DiskLock {
 public:
  virtual ~DiskLock() = default;  // gives the lock back
};

class Disk {
 public:
  virtual ~Disk() = default;

  enum class Open : std::uint8_t { kEmpty, kKeep };
  // Opens a file for writing; makes it if it is missing. kEmpty drops what was in it.
  virtual absl::StatusOr<std::unique_ptr<DiskFile>> open(const std::string& path, Open how) = 0;
  virtual absl::StatusOr<std::string> read(const std::string& path) = 0;
  // Returns `size` bytes from `offset` on; fewer where the file ends before.
  virtual absl::StatusOr<std::string> read_part(const std::string& path, std::uint64_t offset,
                                                std::size_t size) = 0;
  // Replaces `to` if it exists. On the disk only after sync_folder().
  virtual absl::Status rename(const std::string& from, const std::string& to) = 0;
  // Makes a folder; OK if it exists.
  virtual absl::Status make_folder(const std::string& path) = 0;
  // Waits until the names in a folder are on the disk.
  virtual absl::Status sync_folder(const std::string& path) = 0;
  // Remove a file or an empty folder; OK if it is missing.
  virtual absl::Status remove(const std::string& path) = 0;
  virtual absl::Status remove_folder(const std::string& path) = 0;
  // Returns the names in a folder, ascending.
  virtual absl::StatusOr<std::vector<std::string>> list(const std::string& path) = 0;
  virtual absl::StatusOr<std::uint64_t> free_bytes() = 0;

  // Takes the lock file and writes this process's id into it. FAILED_PRECONDITION with reason
  // STORE_LOCKED, which names the process that has it. A process that ends gives its lock back.
  virtual absl::StatusOr<std::unique_ptr<DiskLock>> lock(const std::string& path) = 0;
};

}  // namespace repath
