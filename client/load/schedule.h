// When things are meant to happen, whatever the server does: an open loop. Latency is counted from
// these times, not from when the generator got round to it, so that a server which stalls does not
// thin out its own measurements (coordinated omission; Tene, "How NOT to measure latency").
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "load/clock.h"

namespace repath::load {

// So many each second, evenly spaced, for some time.
struct Phase {
  double seconds = 0;
  double per_second = 0;
};

class Schedule {
 public:
  explicit Schedule(std::vector<Phase> phases);

  // When event `number` (from 0) is due, from the start; nothing behind the last phase. O(phases).
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
