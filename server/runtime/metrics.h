// The figures for operators, in the text format of Prometheus. Names begin with "repath_"; units
// are seconds and bytes. Every label has a fixed set of values, whatever clients do.
//
// Thread rule: any thread. Counting takes well under a microsecond.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "agents/agent.h"
#include "agents/stats.h"
#include "base/ids.h"
#include "store/store.h"

namespace repath {

// The figures of one world at the end of a frame, or the sum of several worlds.
struct WorldFigures {
  Stats engine;
  std::uint64_t frames_over_budget = 0;
  std::uint64_t late_frames = 0;
  double oldest_wait_seconds = 0;   // in a sum the longest
  std::uint64_t memory_bytes = 0;   // current value
  std::uint64_t history_bytes = 0;  // part of it: changes kept for readers
  std::uint64_t answers_bytes = 0;  // part of it: answers kept for repeated requests
  std::uint64_t sessions = 0;       // current number
  std::uint64_t streams = 0;        // current number of streams of sessions and watches
  std::uint64_t coalesced = 0;      // updates that were coalesced before they were sent
  std::uint64_t quarantined = 0;    // current value: 1 if a check failed in the world
  std::uint64_t loaded = 0;         // current value: 1 if the world is in memory

  // Keeps only the counters, for a world that no longer exists.
  void end();
  WorldFigures& operator+=(const WorldFigures& other);
};

class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // Counts a frame; `took` is the planning time of all its portions.
  void count_frame(Micros took);
  // Counts a verdict; `waited` is the time since the change that caused it.
  void count_verdict(EventType type, Micros waited);
  // Counts a world that was quarantined because a check failed in it.
  void count_quarantine();
  // Counts a call or stream that is over. `method` is a served one, such as
  // "/repath.v1.PathService/FindPath", or another word of a fixed set, because each is kept for
  // good. `code` is a name such as "NOT_FOUND".
  void count_call(std::string_view method, std::string_view code, Micros took);

  // The figures of the data folder's store.
  struct StoreState {
    StoreFigures figures;
    bool takes_changes = true;  // false: there is no space, or the disk has failed
  };
  // Returns all metrics, with the sums over the worlds. `store` is empty if there is no data
  // folder. `long_pieces`: see Threads.
  std::string text(const WorldFigures& sum, std::uint64_t worlds,
                   const std::optional<StoreState>& store = std::nullopt,
                   std::uint64_t long_pieces = 0) const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace repath
