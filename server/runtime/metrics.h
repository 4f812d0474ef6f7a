// What an operator watches, in the text format that Prometheus reads. Names begin with "repath_",
// units are seconds and bytes, and no label takes more values than stand in this code or in the
// protocol, whatever clients do.
//
// Thread rule: any thread. Counting costs well under a microsecond.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "agents/agent.h"
#include "agents/stats.h"
#include "base/ids.h"

namespace repath {

// What one world says of itself at the end of a frame; or the sum of several.
struct WorldFigures {
  Stats engine;
  std::uint64_t frames_over_budget = 0;
  std::uint64_t late_frames = 0;
  double oldest_wait_seconds = 0;  // of a sum: the longest
  std::uint64_t memory_bytes = 0;  // now
  std::uint64_t sessions = 0;      // now
  std::uint64_t streams = 0;       // now, of sessions and watches
  std::uint64_t coalesced = 0;     // updates that were replaced before they were sent
  std::uint64_t quarantined = 0;   // now: 1 if a check failed in the world

  // Of a world that is no more only what was counted stays.
  void end();
  WorldFigures& operator+=(const WorldFigures& other);
};

class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // A frame has planned for so long, in all its portions.
  void count_frame(Micros took);
  // An agent's verdict, so long after the change behind it.
  void count_verdict(EventType type, Micros waited);
  // A check failed in a world, which was put aside.
  void count_quarantine();
  // A call or stream is over. `method` as "/repath.v1.PathService/FindPath": one that is served;
  // `code` as "NOT_FOUND".
  void count_call(std::string_view method, std::string_view code, Micros took);

  // Everything, with the worlds' sums.
  std::string text(const WorldFigures& sum, std::uint64_t worlds) const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace repath
