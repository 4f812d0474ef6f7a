// Notices frames that took too long, and says what they did: for the log. Ticks are not watched;
// the client that asks for one sees how long it takes.
//
// Not thread-safe; owned by the world's strand. Times are microseconds of the clock of the frames.
#pragma once

#include <optional>
#include <string>

#include "agents/stats.h"
#include "runtime/frame_pacer.h"

namespace repath {

class FrameWatch {
 public:
  // Least time between two lines of one world.
  static constexpr Micros kEveryUs = 1'000'000;

  // A frame is slow if it plans for more than twice `options.budget_us`. With a budget in work
  // units, whose time the world's maker has chosen, it is slow if it plans for more than two
  // periods.
  explicit FrameWatch(const FrameOptions& options);

  Micros limit() const { return limit_us_; }
  // A frame begins; `stats` are the world's figures of now.
  void begin(const Stats& stats);
  // The current frame has planned for `took` so far. If it is slow, returns the figures of the log
  // line, `name=value` and separated by spaces: what the frame did until now, by `stats`. At most
  // one line a frame and one in kEveryUs; `more` counts the slow frames in between.
  std::optional<std::string> check(Micros took, const Stats& stats, Micros now);

 private:
  Micros limit_us_;
  Stats before_;  // when the current frame began
  bool is_slow_ = false;
  std::optional<Micros> last_line_;
  std::uint64_t more_ = 0;
};

}  // namespace repath
