#include "gateway/unsent_texts.h"

#include <algorithm>
#include <utility>

namespace repath {

void UnsentTexts::begin(const void* owner, std::uint64_t bytes, Close close) {
  const std::lock_guard lock(mutex_);
  texts_.push_back({owner, bytes, std::move(close)});
  bytes_ += bytes;
  while (bytes_ > most_ && texts_.size() > 1) {
    texts_.front().close();
    bytes_ -= texts_.front().bytes;
    texts_.pop_front();
  }
}

void UnsentTexts::end(const void* owner) {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(texts_, owner, &Text::owner);
  if (at == texts_.end()) return;  // it was closed
  bytes_ -= at->bytes;
  texts_.erase(at);
}

}  // namespace repath
