// A WorldLog in the server's memory; its records are lost when the process ends.
#pragma once

#include <deque>

#include "store/world_log.h"

namespace repath {

class MemoryWorldLog final : public WorldLog {
 public:
  // `first` is the revision of the first change to come: 2 for a new world.
  MemoryWorldLog(Revision first, HistoryBound bound);

  absl::Status accepts(Durability wanted) const override;
  // Keeps the change alone. Drops the oldest records beyond the bound.
  Lsn append(LogUnit unit) override;
  Lsn durable() const override { return last_; }
  Revision durable_revision() const override { return Revision{0}; }
  void on_progress(std::function<void()>) override {}  // nothing comes later
  absl::StatusOr<LogPage> read(Revision start, std::size_t records_max,
                               std::size_t bytes_max) const override;
  Revision oldest() const override;
  Revision readable_end() const override { return end_; }
  Revision end() const override { return end_; }
  std::uint64_t memory_bytes() const override { return memory_; }
  SinceSnapshot since_snapshot() const override { return {}; }

 private:
  HistoryBound bound_;
  Revision end_;
  Lsn last_{};
  std::deque<LogRecord> records_;
  std::uint64_t bytes_ = 0;   // size of the records' batches
  std::uint64_t memory_ = 0;  // of the records
};

}  // namespace repath
