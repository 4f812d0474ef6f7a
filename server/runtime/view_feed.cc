#include "runtime/view_feed.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"

namespace repath {

absl::Status ViewFeed::open(StreamId id, std::shared_ptr<ViewSink> sink) {
  if (viewers_.size() >= viewers_max_)
    return make_error(absl::StatusCode::kResourceExhausted, "WATCHES_MAX", "",
                      "the world has " + std::to_string(viewers_max_) + " viewers, its limit");
  viewers_.emplace(id, Viewer{std::move(sink)});
  return absl::OkStatus();
}

void ViewFeed::ready(StreamId id) {
  if (const auto at = viewers_.find(id); at != viewers_.end()) at->second.is_sending = false;
}

void ViewFeed::close(StreamId id) {
  viewers_.erase(id);
  if (viewers_.empty()) last_.reset();
}

void ViewFeed::compare(ViewFrame& frame) const {
  static const std::vector<AgentGlance> none;
  const std::vector<AgentGlance>& before = last_ == nullptr ? none : last_->agents;
  std::size_t old = 0;
  for (std::uint32_t i = 0; i < frame.agents.size(); ++i) {
    const AgentGlance& now = frame.agents[i];
    for (; old < before.size() && before[old].id < now.id; ++old)
      frame.removed.push_back(before[old].id);
    const bool is_known = old < before.size() && before[old].id == now.id;
    if (!is_known || before[old] != now) frame.changed.push_back(i);
    if (is_known) ++old;
  }
  for (; old < before.size(); ++old) frame.removed.push_back(before[old].id);
}

void ViewFeed::send(const std::function<std::shared_ptr<ViewFrame>()>& look) {
  const bool is_wanted =
      std::ranges::any_of(viewers_, [](const auto& viewer) { return !viewer.second.is_sending; });
  for (auto& [id, viewer] : viewers_) ++viewer.silent;
  if (!is_wanted) return;
  const std::shared_ptr<ViewFrame> frame = look();
  compare(*frame);
  const bool is_news = last_ == nullptr || !frame->changed.empty() || !frame->removed.empty() ||
                       frame->revision != last_->revision || frame->settled != last_->settled;
  frame->number = last_ == nullptr ? 1 : last_->number + 1;
  last_ = frame;
  for (auto& [id, viewer] : viewers_) {
    if (viewer.is_sending) continue;
    const std::uint64_t before = std::exchange(viewer.last, frame->number);
    // A viewer that has the picture before has this one too, if there is no news.
    if (before + 1 == frame->number && !is_news && viewer.silent < kSilentPeriods) continue;
    viewer.is_sending = true;
    viewer.silent = 0;
    viewer.sink->on_view(frame, before);
  }
}

void ViewFeed::end_all(const absl::Status& status) {
  for (auto& [id, viewer] : viewers_) viewer.sink->on_end(status);
  viewers_.clear();
  last_.reset();
}

}  // namespace repath
