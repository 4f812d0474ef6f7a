// Due times of events, whatever the server does: an open loop. Latency counts from these times and
// not from the actual sending, so that a stalled server does not thin out its own measurements
// (coordinated omission; Tene, "How NOT to measure latency"). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "load/clock.h"

namespace repath::load {

// A number of events per second, evenly spaced, for some time.
struct Phase {
  double seconds = 0;
  double per_second = 0;
};

class Schedule {
 public:
  explicit Schedule(std::vector<Phase> phases);

  // Returns when event `number` (from 0) is due, counted from the start; empty after the last
  // phase. O(phases).
  std::optional<Nanos> due(std::uint64_t number) const;
  std::uint64_t events() const;
  double length_seconds() const;

 private:
  struct Stretch {
    double from = 0;  // seconds
    double per_second = 0;
    std::uint64_t first = 0;  // number of its first event
    std::uint64_t events = 0;
  };
  std::vector<Stretch> stretches_;
  double length_ = 0;
};

}  // namespace repath::load
