#include "store/memory_world_log.h"

#include <utility>

#include "base/check.h"
#include "base/error.h"

namespace repath {

MemoryWorldLog::MemoryWorldLog(Revision first, HistoryBound bound) : bound_(bound), end_(first) {}

absl::Status MemoryWorldLog::accepts(Durability wanted) const {
  if (wanted == Durability::kApplied) return absl::OkStatus();
  return make_error(absl::StatusCode::kFailedPrecondition, "DURABILITY_UNAVAILABLE", "durability",
                    "this server keeps worlds in memory only; ask for APPLIED");
}

void MemoryWorldLog::append(LogRecord record, Durability wanted, OnDurable done) {
  REPATH_CHECK(record.revision == end_);
  REPATH_CHECK(accepts(wanted).ok());
  end_ = next(end_);
  bytes_ += record.batch.size();
  records_.push_back(std::move(record));
  while (records_.size() > 1 && (records_.size() > bound_.records || bytes_ > bound_.bytes)) {
    bytes_ -= records_.front().batch.size();
    records_.pop_front();
  }
  done(absl::OkStatus());
}

absl::StatusOr<std::vector<LogRecord>> MemoryWorldLog::read(Revision start, std::size_t records_max,
                                                            std::size_t bytes_max) const {
  if (start < oldest()) {
    const std::string bound = std::to_string(value(oldest()));
    return with_fact(make_error(absl::StatusCode::kOutOfRange, "HISTORY_GONE", "start_revision",
                                "the history kept starts at revision " + bound),
                     "oldest_revision", bound);
  }
  if (start > end_) {
    return make_error(absl::StatusCode::kOutOfRange, "REVISION_NOT_YET", "start_revision",
                      "the next batch will be revision " + std::to_string(value(end_)));
  }
  std::vector<LogRecord> found;
  std::size_t bytes = 0;
  for (std::size_t i = value(start) - value(oldest()); i < records_.size(); ++i) {
    bytes += records_[i].batch.size();
    if (found.size() == records_max || (!found.empty() && bytes > bytes_max)) break;
    found.push_back(records_[i]);
  }
  return found;
}

Revision MemoryWorldLog::oldest() const {
  return records_.empty() ? end_ : records_.front().revision;
}

}  // namespace repath
