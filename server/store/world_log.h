// The ordered log of one world: each committed batch is one record, and the world is a
// deterministic fold over the records.
//
// Thread rule: owned by the world's strand. Every call is made there, and `done` may be called at
// once or later on that strand. Invariants:
// 1. Revisions of records are consecutive.
// 2. oldest() <= end(), and every record in [oldest(), end()) can be read.
// 3. A record that was acknowledged as durable stays readable until the history bound drops it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/ids.h"

namespace repath {

// How safe an acknowledged change is.
enum class Durability : std::uint8_t { kApplied, kLocalDisk };

struct LogRecord {
  Revision revision{};           // revision that the batch made
  std::uint64_t state_hash = 0;  // of the world at that revision
  std::uint64_t game_tick = 0;   // chosen by the client; handed on to watchers
  std::string batch;             // the batch, as the bytes of its message
};

// Limits of the batches that are kept for readers: a number of records and the size of their
// batches. The newest record is always kept.
struct HistoryBound {
  std::uint64_t records = 10'000;
  std::uint64_t bytes = 64u << 20;
};

class WorldLog {
 public:
  using OnDurable = std::function<void(absl::Status)>;

  virtual ~WorldLog() = default;

  // Returns OK if the log can make changes as safe as `wanted`, otherwise FAILED_PRECONDITION with
  // reason DURABILITY_UNAVAILABLE. The caller asks before it applies a change.
  virtual absl::Status accepts(Durability wanted) const = 0;

  // Takes the record over and calls `done` once, when the record is as safe as `wanted`. REQUIRES:
  // record.revision == end(), accepts(wanted).ok().
  virtual void append(LogRecord record, Durability wanted, OnDurable done) = 0;

  // Returns copies of the records from `start` on: at most `records_max` records and `bytes_max`
  // bytes of batches together, but at least one record if there is one. Errors: OUT_OF_RANGE with
  // reason HISTORY_GONE and the fact oldest_revision if `start` is below oldest(), with reason
  // REVISION_NOT_YET if it is above end(). O(bytes copied).
  virtual absl::StatusOr<std::vector<LogRecord>> read(Revision start, std::size_t records_max,
                                                      std::size_t bytes_max) const = 0;

  // Returns the first revision that can be read; end() if there is none.
  virtual Revision oldest() const = 0;
  // Returns the revision that the next record must have.
  virtual Revision end() const = 0;
};

}  // namespace repath
