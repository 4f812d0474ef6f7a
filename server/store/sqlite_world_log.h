// The WorldLog of a world on disk: it hands units to the thread that commits, and keeps the newest
// records in memory for readers.
#pragma once

#include <deque>

#include "store/commit_queue.h"
#include "store/sqlite_store.h"
#include "store/world_log.h"

namespace repath {

class SqliteWorldLog final : public WorldLog {
 public:
  // Borrows the queue. `end` is the revision of the first change to come.
  SqliteWorldLog(std::shared_ptr<LogState> state, CommitQueue& queue, Revision end,
                 std::uint64_t window_records, std::uint64_t window_bytes);
  ~SqliteWorldLog() override;

  absl::Status accepts(Durability wanted) const override;
  Lsn append(LogUnit unit) override;
  Lsn durable() const override { return Lsn{state_->durable.load()}; }
  Revision durable_revision() const override { return Revision{state_->durable_revision.load()}; }
  void on_progress(std::function<void()> call) override { state_->set_progress(std::move(call)); }
  absl::StatusOr<LogPage> read(Revision start, std::size_t records_max,
                               std::size_t bytes_max) const override;
  Revision oldest() const override { return Revision{state_->floor.load()}; }
  Revision readable_end() const override { return next(durable_revision()); }
  Revision end() const override { return end_; }
  std::uint64_t memory_bytes() const override { return memory_; }
  SinceSnapshot since_snapshot() const override;

 private:
  void trim();

  const std::shared_ptr<LogState> state_;
  CommitQueue& queue_;
  const std::uint64_t window_records_;
  const std::uint64_t window_bytes_;
  Revision end_;
  Lsn last_{};
  std::deque<std::shared_ptr<const LogRecord>> window_;  // ends before end_
  std::uint64_t bytes_ = 0;                              // size of their batches
  std::uint64_t memory_ = 0;
  // Bytes appended since `counted_from_`, the newest snapshot that was seen.
  mutable std::uint64_t counted_from_ = 0;
  mutable std::uint64_t counted_bytes_ = 0;
};

}  // namespace repath
