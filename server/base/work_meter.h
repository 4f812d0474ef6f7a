// Bounds what reading a file, or making a world of it, may cost: work units are counted against a
// limit, memory is compared with one before it is taken, and the work can be stopped from outside.
// A room without clocks and threads asks its meter and so obeys deadlines, clients that have gone
// and a server that shuts down.
//
// A work unit is about 3 ns on the machine of README.md: one orientation test, one vertex looked
// at. Not thread-safe: one task, one meter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "base/stop_token.h"

namespace repath {

struct WorkLimits {
  std::uint64_t units = std::uint64_t{1} << 28;         // about a second
  std::uint64_t units_per_byte = 256;                   // more for each byte of the file
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;  // beside the file itself
};

inline constexpr WorkLimits kNoWorkLimits{~std::uint64_t{0}, 0, ~std::uint64_t{0}};

class WorkMeter {
 public:
  // `bytes`: the file's. Borrows `stop`, which may be null.
  explicit WorkMeter(const WorkLimits& limits = {}, std::uint64_t bytes = 0,
                     const StopToken* stop = nullptr)
      : limit_(limits.units + limits.units_per_byte * bytes),
        memory_(limits.memory_bytes),
        stop_(stop) {
    refill();
  }

  // Counts so many units. False from the first call on that passes the limit or finds that the work
  // shall stop; the caller then gives up. O(1); asks the stop token once every kSlice units.
  [[nodiscard]] bool spend(std::uint64_t units) {
    if (units > slice_) return look(units);
    slice_ -= units;
    return true;
  }
  // Whether so many units more are within the limit. Counts nothing.
  bool affords(std::uint64_t units) const { return !is_over() && units <= limit_ - spent(); }
  // spend() has returned false.
  bool is_over() const { return is_over_; }
  std::uint64_t spent() const { return taken_ - slice_; }
  std::uint64_t limit() const { return limit_; }
  std::uint64_t memory_limit() const { return memory_; }

  // After is_over(), or where affords(units) is false: CANCELLED with reason CANCELLED, or
  // RESOURCE_EXHAUSTED with reason IMPORT_TOO_LARGE. `at` is the field or the place in the file
  // ("floors[3]", "tile 4"); `units` is what was asked for.
  absl::Status error(std::string_view at, std::uint64_t units = 0) const;
  // RESOURCE_EXHAUSTED with reason IMPORT_TOO_LARGE unless so many bytes are within the limit.
  absl::Status check_memory(std::uint64_t bytes, std::string_view at) const;

 private:
  static constexpr std::uint64_t kSlice = std::uint64_t{1} << 16;

  bool look(std::uint64_t units);
  void refill() {
    slice_ = std::min(kSlice, limit_ - taken_);
    taken_ += slice_;
  }

  std::uint64_t limit_;
  std::uint64_t memory_;
  const StopToken* stop_;
  std::uint64_t taken_ = 0;  // from the limit, the slice included
  std::uint64_t slice_ = 0;  // left of it
  bool is_over_ = false;
  bool is_stopped_ = false;
};

}  // namespace repath
