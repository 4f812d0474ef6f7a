// These plain values hold what the commands of a world leave behind: records of changes, and rows
// about agents, sessions and answered requests. The room does not look into the bytes; the rooms
// above write and read them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/map_point.h"

namespace repath {

// How safe an acknowledged change is.
enum class Durability : std::uint8_t { kApplied, kLocalDisk };

// Number of a unit of one world, counted from 1 since the world was made or loaded; 0 means none.
enum class Lsn : std::uint64_t {};
constexpr std::uint64_t value(Lsn lsn) { return static_cast<std::uint64_t>(lsn); }

// Microseconds since 1970 of the wall clock, for time limits that go on over a restart.
using WallMicros = std::uint64_t;

struct LogRecord {
  Revision revision{};           // revision that the batch made
  std::uint64_t state_hash = 0;  // of the world at that revision
  std::uint64_t game_tick = 0;   // chosen by the client; handed on to watchers
  std::string batch;             // the batch, as the bytes of its message
  WallMicros applied_at = 0;     // when it was applied; 0: not known
  std::string request_id = {};   // of the request that brought it; may be empty
  bool operator==(const LogRecord&) const = default;
};

// Limits of the batches that are kept for readers. The newest record is always kept.
struct HistoryBound {
  std::uint64_t records = 10'000;
  std::uint64_t bytes = 64u << 20;           // of their batches
  std::uint64_t memory = ~std::uint64_t{0};  // of the records that are in memory, see memory_of
};

// Returns the memory of a record, roughly.
inline std::uint64_t memory_of(const LogRecord& record) {
  return sizeof(LogRecord) + record.batch.size() + record.request_id.size();
}

// An agent as it was asked for last.
struct StoredAgent {
  AgentId id{};
  std::string session;  // name of the session that owns it; empty: none
  std::string spec;     // bytes of the client's message
  bool operator==(const StoredAgent&) const = default;
};

struct SessionRow {
  std::string name;
  Micros ttl_us = 0;           // how long its agents stay after its stream has ended
  std::uint64_t sequence = 0;  // of the last message that took effect
  WallMicros left_at = 0;      // when its stream ended; 0: a stream was open
  std::string taken;           // agents taken from it that it does not know of yet
  std::string secret = {};     // SHA-256 of the secret that resumes it; empty: there is none
  std::string identity = {};   // token or certificate that it belongs to; empty: none
  WallMicros opened_at = 0;    // when it began; 0: not known
  bool operator==(const SessionRow&) const = default;
};

// A request that was answered.
struct RequestRow {
  std::string request_id;
  std::array<std::uint8_t, 32> content{};  // digest of the request
  WallMicros at = 0;                       // when it was answered
  std::string answer;
  bool operator==(const RequestRow&) const = default;
};

// A unit holds what one command of a world leaves behind. A store keeps it whole or not at all.
struct LogUnit {
  std::optional<LogRecord> change;
  std::optional<RequestRow> request;
  std::vector<StoredAgent> agents;            // added or replaced
  std::vector<AgentId> removed_agents;        // after `agents`
  std::vector<SessionRow> sessions;           // added or replaced
  std::vector<std::string> removed_sessions;  // after `sessions`

  bool empty() const;
  // Returns the approximate size in memory and on disk.
  std::uint64_t bytes() const;
};

// Where an agent was. Not in the log.
struct PositionRow {
  AgentId id{};
  MapPoint position;
  WallMicros at = 0;  // when it was reported
  bool operator==(const PositionRow&) const = default;
};

}  // namespace repath
