// The ordered log of one world: one committed batch is one record, and the world is a deterministic
// fold over them.
//
// Thread rule: owned by the world's strand; every call is made there, and `done` may be called at
// once or later on that strand. Invariants: 1. revisions of records are consecutive; 2. oldest() <=
// end(), and every record in [oldest(), end()) can be read; 3. what was answered as durable stays
// readable until the history bound drops it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/ids.h"

namespace repath {

// How far an acknowledged change is safe.
enum class Durability : std::uint8_t { kApplied, kLocalDisk };

struct LogRecord {
  Revision revision{};           // that the batch made
  std::uint64_t state_hash = 0;  // of the world at that revision
  std::uint64_t game_tick = 0;   // the client's; handed on to watchers
  std::string batch;             // world/codec.h bytes
};

// The batches kept for readers: at most so many records, and so many bytes of batches. At least the
// newest is kept.
struct HistoryBound {
  std::uint64_t records = 10'000;
  std::uint64_t bytes = 64u << 20;
};

class WorldLog {
 public:
  using OnDurable = std::function<void(absl::Status)>;

  virtual ~WorldLog() = default;

  // Whether changes can be made so safe. FAILED_PRECONDITION, reason DURABILITY_UNAVAILABLE, if
  // not; asked before a change is applied.
  virtual absl::Status accepts(Durability wanted) const = 0;

  // Takes the record over; `done` is called once, when it is as safe as `wanted`.
  // REQUIRES: record.revision == end(), accepts(wanted).ok().
  virtual void append(LogRecord record, Durability wanted, OnDurable done) = 0;

  // Copies of the records from `start` on: at most `records_max` of them and `bytes_max` of batches
  // together, but at least one if there is one. OUT_OF_RANGE with reason HISTORY_GONE and the fact
  // oldest_revision below oldest(), with reason REVISION_NOT_YET above end(). O(bytes copied).
  virtual absl::StatusOr<std::vector<LogRecord>> read(Revision start, std::size_t records_max,
                                                      std::size_t bytes_max) const = 0;

  // The first revision that can be read; end() if none.
  virtual Revision oldest() const = 0;
  // The revision that the next record must have.
  virtual Revision end() const = 0;
};

}  // namespace repath
