// Questions to a world and its answers, as plain values. runtime/journal.h has ApplyCommand.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "runtime/durable_state.h"
#include "runtime/journal.h"
#include "runtime/query_pool.h"
#include "runtime/verdict_diary.h"
#include "runtime/world_facts.h"

namespace repath {

struct WorldInfo {
  std::shared_ptr<const WorldFacts> facts;
  Revision revision{};
  std::uint64_t state_hash = 0;
  std::vector<Profile> profiles;
  std::uint64_t obstacles = 0;
  std::uint64_t agents = 0;
  std::uint64_t memory_bytes = 0;
  Revision oldest{};
  DurableState durable = {};
  std::string quarantine_reason = {};  // empty: the world is served
  // Whether the world is in memory. If not, the figures are those known last, or 0.
  bool is_loaded = true;
  bool is_new = false;  // the request that this answers has made the world
};

// Memory of all worlds together. Any thread.
struct MemoryTotal {
  std::atomic<std::uint64_t> bytes{0};
};

struct ReportAnswer {
  Revision revision{};
  std::vector<AgentId> unknown;  // in the order of the report
};

struct AgentListCommand {
  AgentId from{};
  std::size_t limit = 100;
  bool with_paths = false;
  std::vector<AgentId> agents;  // ascending; empty: all
};

struct AgentList {
  std::vector<AgentView> agents;
  std::optional<AgentId> next;  // first agent of the next page
  Revision revision{};
};

// How long a tick waits for its session's messages by default.
inline constexpr Micros kBarrierUs = 10'000'000;

struct TickCommand {
  std::string session_id;
  WorkUnits budget_units = 0;  // 0: budget_us counts
  Micros budget_us = 0;        // if also 0: the world's own budget
  // The tick begins once the session's messages up to this sequence have taken effect; 0: at once.
  std::uint64_t after_sequence = 0;
  // Longest wait for these messages; 0: as long as the caller waits.
  Micros barrier_us = kBarrierUs;
};

struct TickAnswer {
  StepReport step;
  Revision settled{};
  std::uint64_t applied_sequence = 0;
  std::uint64_t last_batch = 0;
  std::uint64_t state_hash = 0;
};

struct PastVerdicts {
  std::vector<DiaryEntry> entries;  // the oldest first
  Micros now = 0;                   // by the clock of DiaryEntry::at
};

struct ChangePage {
  std::vector<LogRecord> records;
  Revision revision{};
};

// What is needed to make a world that equals another one at `revision`. With a store that is
// enough. Without one, this has the content itself, or the records that lead there from the
// beginning of the other world.
struct ForkPoint {
  Revision revision{};
  std::shared_ptr<const WorldContent> content = nullptr;
  std::vector<LogRecord> records = {};
};

struct WorldStats {
  Stats engine;
  Revision revision{};
  std::uint64_t frames_over_budget = 0;
  WorkUnits last_grant = 0;
  double units_per_us = 0;
  double frame_us_p50 = 0;
  double frame_us_p99 = 0;
};

struct QueryFor {
  std::string profile = "default";
  TeamId team{};
  Revision min_revision{};
  Revision at_revision{};  // 0: now; else the world as it was then, see Registry::query
  ClientKey client{};      // takes turns with the others
};

}  // namespace repath
