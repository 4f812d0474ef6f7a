// When a world's next frame is due and how much it may plan: the mapping between microseconds and
// work units.
//
// A frame plans in portions, and lets commands in between: none waits longer than for one portion,
// and what comes while the frame has budget left is planned in it.
//
// Not thread-safe; owned by the world's strand. Times are microseconds of one clock that never goes
// back. Invariants: 1. frames are at least a period apart, a late one is counted and never made up
// for; 2. with a budget in work units every grant is that number; with one in microseconds it
// follows the measured speed.
#pragma once

#include <array>
#include <cstdint>

#include "base/ids.h"

namespace repath {

struct FrameOptions {
  double rate_hz = 60;
  WorkUnits budget_units = 0;  // 0: by budget_us
  Micros budget_us = 12'000;
};

class FramePacer {
 public:
  // No portion is longer, whatever the budget: a few milliseconds, so that a world with a huge
  // budget does not hold up the others on its thread.
  static constexpr WorkUnits kPortionUnitsMax = 50'000;
  static constexpr Micros kPortionUsMax = 4000;

  explicit FramePacer(const FrameOptions& options);

  // When the next frame may begin: a period after the last one was due; at once if that is past.
  Micros next_due(Micros now) const;
  // A frame that was due at `due` begins at `now`. Counts it as late if it begins more than half a
  // period after.
  void begin(Micros due, Micros now);
  // A frame that somebody else calls for, and that plans all of `grant` in one go.
  void begin_tick(WorkUnits grant);
  // The frame planned `used` of `granted` units in `took` microseconds, beside what it did before.
  void end(WorkUnits granted, WorkUnits used, Micros took);

  // For a frame of the world's own budget.
  WorkUnits grant() const;
  // For the next portion of the frame that began last, if another is not due at `now`; 0 once what
  // is left of its budget is less than a slice.
  WorkUnits grant_portion(Micros now) const;
  // For a frame of so many microseconds: at the learned speed, at least one least slice (64).
  WorkUnits grant_for(Micros budget_us) const;

  // What the frame that began last has planned so far, in microseconds; 0 without frames.
  Micros took() const { return took_; }
  double units_per_us() const { return units_per_us_; }
  std::uint64_t late_frames() const { return late_frames_; }
  // Frames whose planning took more than their budget and one slice (5 % of it, at least 64 units).
  std::uint64_t frames_over_budget() const { return frames_over_budget_; }
  WorkUnits last_grant() const { return last_grant_; }
  // Microseconds that the frame at this quantile of the last 1024 planned for; 0 without frames. q
  // in [0, 1].
  double frame_us_quantile(double q) const;

 private:
  static constexpr std::size_t kKept = 1024;
  static constexpr std::uint64_t kPortions = 4;  // in a frame that uses all of its budget

  void begin_frame(WorkUnits grant);
  double slice_us() const;
  bool is_over_budget() const;

  FrameOptions options_;
  Micros period_us_;
  Micros last_due_ = 0;
  double units_per_us_ = 1;
  std::uint64_t late_frames_ = 0;
  std::uint64_t frames_over_budget_ = 0;
  WorkUnits last_grant_ = 0;
  WorkUnits used_ = 0;     // by the frame that began last
  Micros took_ = 0;        // likewise
  bool was_over_ = false;  // likewise
  std::array<float, kKept> took_us_{};
  std::uint64_t frames_ = 0;  // that began
};

}  // namespace repath
