#include "store/sqlite_world_log.h"

#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "store/read_range.h"
#include "store/store_errors.h"

namespace repath {

SqliteWorldLog::SqliteWorldLog(std::shared_ptr<LogState> state, CommitQueue& queue, Revision end,
                               std::uint64_t window_records, std::uint64_t window_bytes)
    : state_(std::move(state)),
      queue_(queue),
      window_records_(window_records),
      window_bytes_(window_bytes),
      end_(end),
      counted_from_(state_->snapshot_revision.load()) {}

SqliteWorldLog::~SqliteWorldLog() {
  state_->set_progress({});
  state_->is_open = false;
}

absl::Status SqliteWorldLog::accepts(Durability wanted) const {
  if (state_->is_damaged.load())
    return world_damaged(state_->key, "repath.db: pages that the world's rows need");
  return queue_.refusal(wanted);
}

Lsn SqliteWorldLog::append(LogUnit unit) {
  REPATH_CHECK(!unit.empty());
  PendingWork work;
  work.bytes = unit.bytes();
  if (unit.change) {
    REPATH_CHECK(unit.change->revision == end_);
    end_ = next(end_);
    auto record = std::make_shared<const LogRecord>(*std::move(unit.change));
    unit.change.reset();
    bytes_ += record->batch.size();
    memory_ += memory_of(*record);
    counted_bytes_ += record->batch.size();
    window_.push_back(record);
    work.change = std::move(record);
    trim();
  }
  last_ = Lsn{value(last_) + 1};
  work.log = state_;
  work.lsn = last_;
  work.unit = std::move(unit);
  queue_.push(std::move(work));
  return last_;
}

// Drops records that are durable and beyond the window.
void SqliteWorldLog::trim() {
  const Revision durable = durable_revision();
  const std::uint64_t memory_max = state_->history.memory;
  const auto is_too_much = [&] {
    return window_.size() > window_records_ || bytes_ > window_bytes_ || memory_ > memory_max;
  };
  while (window_.size() > 1 && is_too_much() && window_.front()->revision <= durable) {
    bytes_ -= window_.front()->batch.size();
    memory_ -= memory_of(*window_.front());
    window_.pop_front();
  }
}

absl::StatusOr<LogPage> SqliteWorldLog::read(Revision start, std::size_t records_max,
                                             std::size_t bytes_max) const {
  REPATH_RETURN_IF_ERROR(check_read_range(start, oldest(), end_));
  LogPage page;
  const Revision readable = readable_end();
  if (start >= readable) return page;
  const Revision in_memory = window_.empty() ? end_ : window_.front()->revision;
  if (start < in_memory) {
    page.on_disk = true;
    return page;
  }
  std::size_t bytes = 0;
  for (std::size_t i = value(start) - value(in_memory); i < window_.size(); ++i) {
    const LogRecord& record = *window_[i];
    bytes += record.batch.size();
    if (record.revision >= readable || page.records.size() == records_max ||
        (!page.records.empty() && bytes > bytes_max))
      break;
    page.records.push_back(record);
  }
  return page;
}

WorldLog::SinceSnapshot SqliteWorldLog::since_snapshot() const {
  const std::uint64_t snapshot = state_->snapshot_revision.load();
  if (snapshot != counted_from_) {
    counted_from_ = snapshot;
    counted_bytes_ = 0;
    for (const auto& record : window_)
      if (value(record->revision) > snapshot) counted_bytes_ += record->batch.size();
  }
  return {value(end_) - 1 - snapshot, counted_bytes_};
}

}  // namespace repath
