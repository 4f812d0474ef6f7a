// Computes latencies from changes sent and verdicts received. A change is identified by its
// revision, which its answer has; verdicts that come before the answer wait for it. All times count
// from when the change was due (schedule.h). Only changes due in the measured window count,
// whenever their verdicts come. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "load/clock.h"
#include "load/histogram.h"

namespace repath::load {

// A figure over the whole window, and since the last second began. Microseconds.
struct Gauge {
  Histogram all;
  Histogram second;
  void add(std::uint64_t value) {
    all.add(value);
    second.add(value);
  }
};

enum class Kind { kInvalidated, kReplanned, kSettled, kSettledSlowly };

class Meter {
 public:
  explicit Meter(int worlds) : worlds_(static_cast<std::size_t>(worlds)) {}

  // Changes due in [from, to) count. Revisions up to `base` of a world came before the run.
  void set_window(Nanos from, Nanos to) { from_ = from, to_ = to; }
  void set_base(int world, std::uint64_t base) { of(world).base = base; }
  bool counts(Nanos intended) const { return intended >= from_ && intended < to_; }

  // Takes the answer to a change. Revisions of one world may come in any order, each once.
  void committed(int world, std::uint64_t revision, Nanos intended);
  // Counts a verdict whose first cause is `revision`.
  void heard(int world, Kind kind, std::uint64_t revision, Nanos at);
  // The world's last revision that was answered.
  std::uint64_t last_revision(int world) const;
  // Returns how long ago the first change was due that a session has not settled; 0 if there is
  // none.
  Nanos oldest_open(int world, std::uint64_t settled, Nanos at) const;
  // Counts verdicts that never came as if they came now, which is a lower bound, and returns their
  // number. `settled` is the settled revision that the session was last sent.
  std::uint64_t give_up(int world, Kind kind, std::uint64_t settled, Nanos at);

  const Gauge& gauge(Kind kind) const { return gauges_[static_cast<std::size_t>(kind)]; }
  void begin_second();

 private:
  struct Waiting {
    Kind kind;
    std::uint64_t revision;
    Nanos at;
  };
  struct World {
    std::uint64_t base = 1;
    std::vector<Nanos> intended;  // of revision base + 1 + i; 0: unknown so far
    std::vector<Waiting> waiting;
  };
  World& of(int world) { return worlds_[static_cast<std::size_t>(world)]; }
  void add(Kind kind, Nanos intended, Nanos at);

  std::vector<World> worlds_;
  Gauge gauges_[4];
  Nanos from_ = 0;
  Nanos to_ = 0;
};

}  // namespace repath::load
