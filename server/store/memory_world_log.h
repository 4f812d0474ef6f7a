// A WorldLog in the server's memory; its records are lost when the process ends.
#pragma once

#include <deque>

#include "store/world_log.h"

namespace repath {

class MemoryWorldLog final : public WorldLog {
 public:
  // `first` is the revision of the first record to come: 2 for a new world.
  MemoryWorldLog(Revision first, HistoryBound bound);

  absl::Status accepts(Durability wanted) const override;
  // Appends the record and calls `done` before it returns. Drops the oldest records beyond the
  // bound.
  void append(LogRecord record, Durability wanted, OnDurable done) override;
  absl::StatusOr<std::vector<LogRecord>> read(Revision start, std::size_t records_max,
                                              std::size_t bytes_max) const override;
  Revision oldest() const override;
  Revision end() const override { return end_; }

 private:
  HistoryBound bound_;
  Revision end_;
  std::deque<LogRecord> records_;
  std::uint64_t bytes_ = 0;  // size of the records' batches
};

}  // namespace repath
