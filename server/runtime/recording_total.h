// How large the recordings of a folder are together. They are kept, because an operator's report of
// an error may need them: at the limit no recording begins, and those under way end.
//
// Thread rule: any thread may call any function. A call may wait for the disk.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "base/ids.h"

namespace repath {

class RecordingTotal {
 public:
  // Bytes of the folder's disk that recordings leave free, more than a store needs to go on.
  static constexpr std::uint64_t kDiskFreeMin = std::uint64_t{256} << 20;
  static constexpr std::uint64_t kFileBytes = 4096;  // that a file counts for beside its content

  // Counts the recordings that are there. The folder may be missing; then there are none.
  RecordingTotal(std::string folder, std::uint64_t bytes_max);

  // Counts a new file and returns whether it may begin. At the limit it looks again at the folder
  // and at its disk, at most once a minute: files may have been removed.
  bool may_begin();
  // Counts bytes that are written next. Returns null, or why they may not be written; before that
  // it looks again, too. The limit is reached then; the first time the log has a line.
  const char* take(std::uint64_t bytes);

 private:
  std::uint64_t count() const;
  // Returns why so many bytes more are too many; null if they are not.
  const char* why_not(std::uint64_t bytes) const;
  const char* take_locked(std::uint64_t bytes);

  const std::string folder_;
  const std::uint64_t bytes_max_;
  std::mutex mutex_;  // guards all members below
  std::uint64_t bytes_ = 0;
  const char* full_ = nullptr;  // why the limit was reached
  Micros look_again_at_ = 0;
};

}  // namespace repath
