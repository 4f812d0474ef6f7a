#include "runtime/recording_total.h"

#include <sys/statvfs.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "runtime/recording.h"
#include "runtime/threads.h"
#include "spdlog/spdlog.h"

namespace repath {
namespace {

constexpr Micros kLookAgainUs = 60'000'000;

}  // namespace

RecordingTotal::RecordingTotal(std::string folder, std::uint64_t bytes_max)
    : folder_(std::move(folder)), bytes_max_(bytes_max), bytes_(count()) {}

bool RecordingTotal::may_begin() {
  const std::lock_guard lock(mutex_);
  if (full_ != nullptr) {
    if (now_us() < look_again_at_) return false;
    look_again_at_ = now_us() + kLookAgainUs;
    bytes_ = count();
    if (why_not(kFileBytes) != nullptr) return false;
    full_ = nullptr;
    spdlog::info("recordings go on folder={} bytes={}", folder_, bytes_);
  }
  return take_locked(kFileBytes) == nullptr;
}

const char* RecordingTotal::take(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  return take_locked(bytes);
}

const char* RecordingTotal::take_locked(std::uint64_t bytes) {
  if (full_ != nullptr) return full_;
  full_ = why_not(bytes);
  // Files may have been moved away, and failed writes count as written.
  if (full_ != nullptr && now_us() >= look_again_at_) {
    look_again_at_ = now_us() + kLookAgainUs;
    bytes_ = count();
    full_ = why_not(bytes);
  }
  if (full_ == nullptr) {
    bytes_ += bytes;
    return nullptr;
  }
  look_again_at_ = now_us() + kLookAgainUs;
  spdlog::warn("no more recordings folder={} bytes={} reason=\"{}\"", folder_, bytes_, full_);
  return full_;
}

const char* RecordingTotal::why_not(std::uint64_t bytes) const {
  if (bytes_ + bytes > bytes_max_)
    return "all recordings together are as large as --record-total-mb allows";
  struct statvfs disk {};
  if (::statvfs(folder_.c_str(), &disk) != 0) return nullptr;  // writing says what is wrong
  const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  return free < kDiskFreeMin + bytes ? "less than 256 MiB of the disk are free" : nullptr;
}

std::uint64_t RecordingTotal::count() const {
  std::uint64_t sum = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder_, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() != kRecordingEnding) continue;
    std::error_code gone;  // since the listing
    const std::uintmax_t size = at->file_size(gone);
    if (!gone) sum += size + kFileBytes;
  }
  return sum;
}

}  // namespace repath
