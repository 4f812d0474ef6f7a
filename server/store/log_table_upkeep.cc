// LogTable's part that drops rows which no world needs any more.
#include <algorithm>

#include "store/log_table.h"

namespace repath {

void LogTable::drop_marks(WorldKey key, std::uint64_t floor) {
  drop_marks_.with(value(key), floor).run();
}

bool LogTable::look_for_expired(WallMicros oldest, WallMicros now, std::size_t rows_max) {
  // A row that was passed counts from its time on.
  if (now >= passed_until_) {
    looked_to_ = 0;
    passed_until_ = kNever;
  }
  std::size_t seen = 0;
  requests_behind_.with(looked_to_, std::uint64_t{rows_max});
  while (requests_behind_.next() && requests_behind_.number(7) <= now_.flushed.request) {
    const Answered row = answered_at(requests_behind_);
    const bool whole = is_whole(row);
    const bool is_future = whole && row.request.at > now;
    if (whole && !is_future && row.request.at >= oldest) break;
    looked_to_ = requests_behind_.number(7);
    if (is_future) passed_until_ = std::min(passed_until_, row.request.at);
    if (whole && !is_future) expired_to_ = looked_to_;
    ++seen;
  }
  requests_behind_.reset();
  return seen == rows_max;
}

std::vector<std::uint64_t> LogTable::expired_requests(std::size_t rows_max) {
  std::vector<std::uint64_t> rows;
  expired_requests_.with(expired_to_, std::uint64_t{rows_max});
  while (expired_requests_.next()) rows.push_back(expired_requests_.number(0));
  return rows;
}

void LogTable::drop_requests(std::span<const std::uint64_t> rows) {
  for (const std::uint64_t seq : rows) delete_request_.with(seq).run();
}

bool LogTable::sweep(const std::map<std::uint64_t, std::uint64_t>& floors, std::uint64_t last,
                     std::size_t rows_max) {
  std::vector<std::uint64_t> gone;
  std::size_t seen = 0;
  next_records_.with(now_.swept, last, std::uint64_t{rows_max});
  while (next_records_.next()) {
    ++seen;
    now_.swept = next_records_.number(0);
    const auto floor = floors.find(next_records_.number(1));
    if (floor == floors.end() || next_records_.number(2) < floor->second)
      gone.push_back(now_.swept);
  }
  for (const std::uint64_t seq : gone) delete_record_.with(seq).run();
  const bool at_end = seen < rows_max;
  if (at_end) now_.swept = 0;
  now_.rows -= std::min<std::uint64_t>(now_.rows, gone.size());
  now_.dead = at_end ? 0 : now_.dead - std::min<std::uint64_t>(now_.dead, gone.size());
  write_ends();
  return !at_end;
}

}  // namespace repath
