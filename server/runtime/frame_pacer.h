// Decides when a world's next frame is due and how much it may plan. Converts between microseconds
// and work units. A frame plans in portions and lets commands in between (see the room's README).
//
// Not thread-safe; owned by the world's strand. Times are microseconds of one clock that does not
// go back. Invariant: frames are at least a period apart. With a budget in work units every grant
// is that number; with a budget in microseconds it follows the measured speed.
#pragma once

#include <array>
#include <cstdint>

#include "agents/budget.h"
#include "base/ids.h"

namespace repath {

struct FrameOptions {
  double rate_hz = 60;
  WorkUnits budget_units = 0;  // 0: budget_us counts
  Micros budget_us = 12'000;
};

class FramePacer {
 public:
  // Upper limits of a portion, whatever the budget, so that other worlds on the thread go on.
  static constexpr WorkUnits kPortionUnitsMax = 50'000;
  static constexpr Micros kPortionUsMax = 4000;

  explicit FramePacer(const FrameOptions& options);

  // Returns when the next frame may begin: a period after the last one was due, or at once if that
  // time has passed.
  Micros next_due(Micros now) const;
  // Begins at `now` a frame that was due at `due`; more than half a period later it counts as late.
  void begin(Micros due, Micros now);
  // Begins a frame that a client asked for and that plans all of `grant` in one go.
  void begin_tick(WorkUnits grant);
  // Adds to the frame: of `granted` units it spent these, in `took` microseconds. The speed is
  // learned from the work done, because a debt is paid in no time.
  void end(WorkUnits granted, const SpentUnits& spent, Micros took);

  // Returns the grant of a frame with the world's own budget.
  WorkUnits grant() const;
  // Returns the grant of the next portion of the current frame. It is 0 if another frame is due at
  // `now`, or if less than a slice of the budget is left.
  WorkUnits grant_portion(Micros now) const;
  // Returns the grant of a frame of `budget_us` microseconds at the learned speed, at least one
  // least slice (64 units).
  WorkUnits grant_for(Micros budget_us) const;

  // Returns the microseconds that the current frame has planned so far; 0 without frames.
  Micros took() const { return took_; }
  double units_per_us() const { return units_per_us_; }
  std::uint64_t late_frames() const { return late_frames_; }
  // Number of frames whose planning exceeded their budget by more than one slice (5 % of it, at
  // least 64 units).
  std::uint64_t frames_over_budget() const { return frames_over_budget_; }
  WorkUnits last_grant() const { return last_grant_; }
  // Returns the planning time, in microseconds, of the frame at quantile `q` of the last 1024; 0
  // without frames. q in [0, 1].
  double frame_us_quantile(double q) const;

 private:
  static constexpr std::size_t kKept = 1024;
  static constexpr std::uint64_t kPortions = 4;  // portions in a frame that uses its whole budget

  // Work whose time was measured.
  struct Portion {
    WorkUnits granted = 0;  // at least `done`
    WorkUnits done = 0;
    Micros took = 0;
  };

  // Learns the speed once enough was done; small portions add up until then.
  void learn_from(const Portion& portion);
  double slice_us() const;
  bool is_over_budget() const;

  FrameOptions options_;
  Micros period_us_;
  Micros last_due_ = 0;
  double units_per_us_ = 1;
  std::uint64_t late_frames_ = 0;
  std::uint64_t frames_over_budget_ = 0;
  WorkUnits last_grant_ = 0;
  WorkUnits used_ = 0;  // by the current frame
  Micros took_ = 0;     // by the current frame
  Portion unlearned_;
  bool was_over_ = false;  // whether the current frame exceeded its budget
  std::array<float, kKept> took_us_{};
  std::uint64_t frames_ = 0;  // number of frames begun
};

}  // namespace repath
