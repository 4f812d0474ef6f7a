// Counters of a run, in total and second by second. Plain data; the run's thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "load/histogram.h"
#include "load/meter.h"
#include "repath/v1/agent.pb.h"

namespace repath::load {

inline constexpr std::size_t kEventTypes = 11;

struct Tally {
  std::uint64_t events = 0;   // changes due in the window and sent
  std::uint64_t skipped = 0;  // due changes for which no place was found
  std::uint64_t batches = 0;
  std::uint64_t reports = 0;  // messages
  std::uint64_t positions = 0;
  std::uint64_t upserts = 0;                          // agents
  std::array<std::uint64_t, kEventTypes> verdicts{};  // by EventType
  std::map<std::string, std::uint64_t> errors;        // by code
  Histogram waited_frames;                            // of verdicts, as reported by the server
  Histogram late_sends_us;                            // delay after the due time
  std::uint64_t late_sends = 0;                       // delays of more than a millisecond
  std::uint64_t frames_late = 0;  // frames of squads left out, or begun more than a frame late
  std::uint64_t frames_sent = 0;  // frames of squads played
  double frame_cpu_seconds = 0;   // walking, composing and sending, on the run's thread
  Gauge short_queries;
  Gauge long_queries;
  std::uint64_t queries = 0;

  std::uint64_t all_verdicts() const;
  std::uint64_t all_errors() const;
};

// One second of the window, as it was at its end. Times in milliseconds unless stated otherwise.
struct Second {
  double at = 0;  // seconds from the window's begin; below 0: warming up
  std::uint64_t events = 0;
  std::uint64_t verdicts = 0;
  std::uint64_t positions = 0;
  std::uint64_t errors = 0;
  std::uint64_t waiting = 0;  // greatest number of waiting agents
  std::optional<double> invalidated_p50, invalidated_p99;
  std::optional<double> replanned_p50, replanned_p99;
  std::optional<double> staleness_p50, staleness_p99;
  double oldest_unsettled = 0;  // age of the oldest unsettled change when the second ended
  std::optional<double> query_p50, query_p99;
  std::optional<double> frame_p50, frame_p99;  // of the server, planning
  std::uint64_t frames = 0;
  std::uint64_t frames_over_budget = 0;
  std::optional<double> server_cores, server_rss_mb;
  double generator_cores = 0;
  std::optional<double> foreign_cores;
};

}  // namespace repath::load
