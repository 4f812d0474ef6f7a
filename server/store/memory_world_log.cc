#include "store/memory_world_log.h"

#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "store/read_range.h"

namespace repath {

MemoryWorldLog::MemoryWorldLog(Revision first, HistoryBound bound) : bound_(bound), end_(first) {}

absl::Status MemoryWorldLog::accepts(Durability wanted) const {
  if (wanted == Durability::kApplied) return absl::OkStatus();
  return make_error(absl::StatusCode::kFailedPrecondition, "DURABILITY_UNAVAILABLE", "durability",
                    "this server keeps worlds in memory only; ask for APPLIED");
}

Lsn MemoryWorldLog::append(LogUnit unit) {
  REPATH_CHECK(!unit.empty());
  last_ = Lsn{value(last_) + 1};
  if (!unit.change) return last_;
  REPATH_CHECK(unit.change->revision == end_);
  end_ = next(end_);
  bytes_ += unit.change->batch.size();
  memory_ += memory_of(*unit.change);
  records_.push_back(*std::move(unit.change));
  const auto is_too_much = [this] {
    return records_.size() > bound_.records || bytes_ > bound_.bytes || memory_ > bound_.memory;
  };
  while (records_.size() > 1 && is_too_much()) {
    bytes_ -= records_.front().batch.size();
    memory_ -= memory_of(records_.front());
    records_.pop_front();
  }
  return last_;
}

absl::StatusOr<LogPage> MemoryWorldLog::read(Revision start, std::size_t records_max,
                                             std::size_t bytes_max) const {
  REPATH_RETURN_IF_ERROR(check_read_range(start, oldest(), end_));
  LogPage page;
  std::size_t bytes = 0;
  for (std::size_t i = value(start) - value(oldest()); i < records_.size(); ++i) {
    bytes += records_[i].batch.size();
    if (page.records.size() == records_max || (!page.records.empty() && bytes > bytes_max)) break;
    page.records.push_back(records_[i]);
  }
  return page;
}

Revision MemoryWorldLog::oldest() const {
  return records_.empty() ? end_ : records_.front().revision;
}

}  // namespace repath
