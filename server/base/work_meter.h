// Limits what it may cost to read a file, to build a world from it, or to try changes of a world.
// The meter counts work units against a limit, compares memory with a limit before it is allocated,
// and lets the work be stopped from outside. By asking its meter, a room without clocks and threads
// obeys deadlines, clients that have gone and a server that shuts down.
//
// A work unit takes about 3 ns (docs/measurements.md has the machine): one orientation test, or a
// look at one vertex. Not thread-safe: use one meter for each task.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "base/stop_token.h"

namespace repath {

struct WorkLimits {
  std::uint64_t units = std::uint64_t{1} << 28;         // about a second
  std::uint64_t units_per_byte = 256;                   // extra units for each byte of the file
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;  // without the file itself
};

inline constexpr WorkLimits kNoWorkLimits{~std::uint64_t{0}, 0, ~std::uint64_t{0}};

class WorkMeter {
 public:
  // `bytes` is the size of the file. Borrows `stop`, which may be null.
  explicit WorkMeter(const WorkLimits& limits = {}, std::uint64_t bytes = 0,
                     const StopToken* stop = nullptr)
      : limit_(limits.units + limits.units_per_byte * bytes),
        memory_(limits.memory_bytes),
        stop_(stop) {
    refill();
  }

  // Counts `units`. Returns false if this passes the limit or if the work shall stop, and at every
  // later call; the caller then gives up. O(1): asks the stop token once every kSlice units.
  [[nodiscard]] bool spend(std::uint64_t units) {
    if (units >= slice_) return look(units);  // also for 0 units once the meter is over
    slice_ -= units;
    return true;
  }
  // Returns whether `units` more are within the limit, without counting them.
  bool affords(std::uint64_t units) const { return !is_over() && units <= limit_ - spent(); }
  // Returns whether spend() has ever returned false.
  bool is_over() const { return is_over_; }
  // Returns whether the stop token ended the work, and not the limit.
  bool is_stopped() const { return is_stopped_; }
  std::uint64_t spent() const { return taken_ - slice_; }
  std::uint64_t limit() const { return limit_; }
  std::uint64_t memory_limit() const { return memory_; }

  // Returns the error to report after is_over() or where affords(units) is false: CANCELLED with
  // reason CANCELLED, or RESOURCE_EXHAUSTED with reason IMPORT_TOO_LARGE. `at` is the field or the
  // place in the file ("floors[3]", "tile 4"); `units` are the units that were asked for.
  absl::Status error(std::string_view at, std::uint64_t units = 0) const;
  // Returns RESOURCE_EXHAUSTED with reason IMPORT_TOO_LARGE if `bytes` exceed the memory limit.
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
  std::uint64_t taken_ = 0;  // taken from the limit, including the slice
  std::uint64_t slice_ = 0;  // left of the current slice
  bool is_over_ = false;
  bool is_stopped_ = false;
};

}  // namespace repath
