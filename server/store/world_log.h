// The ordered log of one world that is in memory. Each command that changes something appends one
// unit; the world is a deterministic fold over the changes in them.
//
// Thread rule: owned by the world's strand, and every call is made there. The function given to
// on_progress() may be called on any thread. Invariants:
// 1. Revisions of changes are consecutive. Units become durable in the order of their numbers.
// 2. oldest() <= readable_end() <= end(), and every record in [oldest(), readable_end()) can be
//    read here or through Store::read.
// 3. A record that can be read is durable, if the log can make anything durable, and stays readable
//    until the history bound drops it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/ids.h"
#include "store/log_unit.h"

namespace repath {

// Records in order. `on_disk` says that the records asked for are older than what the log holds in
// memory; then there are none here, and Store::read has them.
struct LogPage {
  std::vector<LogRecord> records;
  bool on_disk = false;
};

class WorldLog {
 public:
  // Units that are not durable yet become durable all the same.
  virtual ~WorldLog() = default;

  // Returns OK if the log can make changes as safe as `wanted` and takes more now. Errors:
  // FAILED_PRECONDITION with reason DURABILITY_UNAVAILABLE if this store never can; UNAVAILABLE
  // with reason STORE_UNAVAILABLE if it cannot now, and the message says why. The caller asks
  // before it changes anything.
  virtual absl::Status accepts(Durability wanted) const = 0;

  // Takes a unit and returns its number. It neither waits nor fails. REQUIRES: the unit is not
  // empty; the revision of its change is end().
  virtual Lsn append(LogUnit unit) = 0;

  // Return the greatest number of a unit that is durable, and the greatest such revision. A log in
  // memory gives the number of the newest unit, and revision 0.
  virtual Lsn durable() const = 0;
  virtual Revision durable_revision() const = 0;

  // Sets what is called after durable() has grown, or after the answer of accepts() may have
  // changed. It must not block. The end of the log waits for a call under way and drops it.
  // REQUIRES: set once, before the first append.
  virtual void on_progress(std::function<void()> call) = 0;

  // Returns copies of the readable records from `start` on: at most `records_max` records and
  // `bytes_max` bytes of batches together, but at least one record if there is one. Errors:
  // OUT_OF_RANGE with reason HISTORY_GONE and the fact oldest_revision if `start` is below
  // oldest(), with reason REVISION_NOT_YET if it is above end(). O(bytes copied).
  virtual absl::StatusOr<LogPage> read(Revision start, std::size_t records_max,
                                       std::size_t bytes_max) const = 0;

  // Returns the first revision that can be read; readable_end() if there is none.
  virtual Revision oldest() const = 0;
  // Returns the first revision that cannot be read yet.
  virtual Revision readable_end() const = 0;
  // Returns the revision that the next change must have.
  virtual Revision end() const = 0;

  // Returns the memory of the records that the log holds for readers.
  virtual std::uint64_t memory_bytes() const = 0;

  // Counts what was appended since the newest snapshot. The caller decides when the next one is
  // due.
  struct SinceSnapshot {
    std::uint64_t records = 0;
    std::uint64_t bytes = 0;  // of their batches
  };
  virtual SinceSnapshot since_snapshot() const = 0;
};

}  // namespace repath
