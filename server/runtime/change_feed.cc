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
  Reader reader{start == Revision{0} ? log_.end() : start, std::move(sink), false};
  if (auto records = log_.read(reader.next, 1, 1); !records.ok()) return records.status();
  if (pump(reader, /*even_empty=*/true)) readers_.emplace(id, std::move(reader));
  return absl::OkStatus();
}

bool ChangeFeed::pump(Reader& reader, bool even_empty) {
  if (reader.busy || (reader.next >= log_.readable_end() && !even_empty)) return true;
  auto page = log_.read(reader.next, kChangesMax, kChangesBytes);
  if (!page.ok()) {
    reader.sink->on_end(page.status());
    return false;
  }
  if (!page->records.empty()) reader.next = next(page->records.back().revision);
  reader.busy = true;
  reader.sink->on_changes(std::move(page->records), previous(reader.next));
  return true;
}

void ChangeFeed::ready(StreamId id) {
  const auto at = readers_.find(id);
  if (at == readers_.end()) return;
  at->second.busy = false;
  if (!pump(at->second, /*even_empty=*/false)) readers_.erase(at);
}

void ChangeFeed::pump() {
  for (auto at = readers_.begin(); at != readers_.end();)
    at = pump(at->second, /*even_empty=*/false) ? std::next(at) : readers_.erase(at);
}

void ChangeFeed::end_all(const absl::Status& status) {
  for (auto& [id, reader] : readers_) reader.sink->on_end(status);
  readers_.clear();
}

}  // namespace repath
