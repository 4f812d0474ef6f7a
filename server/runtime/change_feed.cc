#include "runtime/change_feed.h"

#include <iterator>
#include <utility>

#include "base/error.h"

namespace repath {

absl::Status ChangeFeed::open(StreamId id, Revision start, std::shared_ptr<ChangeSink> sink) {
  if (readers_.size() >= readers_max_) {
    return make_error(absl::StatusCode::kResourceExhausted, "WATCHES_MAX", "",
                      "the world has " + std::to_string(readers_max_) + " watches, its limit");
  }
  Reader reader{start == Revision{0} ? log_.readable_end() : start, std::move(sink)};
  if (auto records = log_.read(reader.next, 1, 1); !records.ok()) return records.status();
  if (pump(id, reader, /*even_empty=*/true)) readers_.emplace(id, std::move(reader));
  return absl::OkStatus();
}

bool ChangeFeed::pump(StreamId id, Reader& reader, bool even_empty) {
  if (reader.is_sending || reader.is_reading || (reader.next >= log_.readable_end() && !even_empty))
    return true;
  auto page = log_.read(reader.next, kChangesMax, kChangesBytes);
  if (!page.ok()) return send(reader, page.status());
  if (page->on_disk) {
    reader.is_reading = true;
    read_from_disk_(id, reader.next);
    return true;
  }
  return send(reader, std::move(page->records));
}

bool ChangeFeed::send(Reader& reader, absl::StatusOr<std::vector<LogRecord>> records) {
  if (!records.ok()) {
    reader.sink->on_end(records.status());
    return false;
  }
  if (!records->empty()) reader.next = next(records->back().revision);
  reader.is_sending = true;
  note_durable_();
  reader.sink->on_changes(*std::move(records), previous(reader.next));
  return true;
}

void ChangeFeed::give(StreamId id, absl::StatusOr<std::vector<LogRecord>> records) {
  const auto at = readers_.find(id);
  if (at == readers_.end()) return;
  at->second.is_reading = false;
  if (!send(at->second, std::move(records))) readers_.erase(at);
}

void ChangeFeed::ready(StreamId id) {
  const auto at = readers_.find(id);
  if (at == readers_.end()) return;
  at->second.is_sending = false;
  if (!pump(id, at->second, /*even_empty=*/false)) readers_.erase(at);
}

void ChangeFeed::pump() {
  for (auto at = readers_.begin(); at != readers_.end();)
    at = pump(at->first, at->second, /*even_empty=*/false) ? std::next(at) : readers_.erase(at);
}

void ChangeFeed::end_all(const absl::Status& status) {
  for (auto& [id, reader] : readers_) reader.sink->on_end(status);
  readers_.clear();
}

}  // namespace repath
