// From what was sent and what came to how long it took. A change is known by its revision, which
// its answer tells; what comes before the answer waits for it. All times are from when a change was
// meant to be sent (see schedule.h), and only changes meant for the measured window count, whenever
// their verdicts come. Thread rule: one thread.
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

  // Changes meant for [from, to) count. Revisions up to `base` of a world came before the run.
  void set_window(Nanos from, Nanos to) { from_ = from, to_ = to; }
  void set_base(int world, std::uint64_t base) { of(world).base = base; }
  bool counts(Nanos intended) const { return intended >= from_ && intended < to_; }

  // The answer to a change. Revisions of one world may come in any order, each once.
  void committed(int world, std::uint64_t revision, Nanos intended);
  // Something came that `revision` is the first cause of.
  void heard(int world, Kind kind, std::uint64_t revision, Nanos at);
  // The world's last revision that was answered.
  std::uint64_t last_revision(int world) const;
  // How long ago the first change was meant to be sent that a session has not settled; 0: none.
  Nanos oldest_open(int world, std::uint64_t settled, Nanos at) const;
  // What never came is counted as if it came now, which is the least that it can take; returns how
  // many. `settled`: of one session, as it last said.
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
    std::vector<Nanos> intended;  // of revision base + 1 + i; 0: not known yet
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
