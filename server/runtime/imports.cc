#include "runtime/imports.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"

namespace repath {

absl::Status ImportLedger::hold(std::uint64_t bytes) {
  std::uint64_t held = bytes_;
  do {
    if (bytes > bytes_max_ || held > bytes_max_ - bytes)
      return make_error(absl::StatusCode::kResourceExhausted, "IMPORTS_MEMORY", "",
                        "all imports under way hold " + std::to_string(held) + " bytes, this one " +
                            "needs " + std::to_string(bytes) + " more; the limit is " +
                            std::to_string(bytes_max_));
  } while (!bytes_.compare_exchange_weak(held, held + bytes));
  return absl::OkStatus();
}

void ImportLedger::add(const std::shared_ptr<UnboundStream>& stream) {
  {
    const std::lock_guard lock(mutex_);
    if (streams_.size() >= look_at_) {
      std::erase_if(streams_, [](const auto& known) { return known.expired(); });
      look_at_ = std::max<std::size_t>(64, 2 * streams_.size());
    }
    streams_.push_back(stream);
    if (end_.ok()) return;
  }
  stream->on_drain(end_);
}

void ImportLedger::end(const absl::Status& status) {
  std::vector<std::weak_ptr<UnboundStream>> streams;
  {
    const std::lock_guard lock(mutex_);
    streams.swap(streams_);
    end_ = status;
  }
  for (const auto& known : streams)
    if (const auto stream = known.lock()) stream->on_drain(status);
}

void MakingStop::add(std::shared_ptr<const StopToken> caller) {
  const std::lock_guard lock(mutex_);
  callers_.push_back(std::move(caller));
}

bool MakingStop::stop_requested() const {
  if (draining_ || ended_) return true;
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(
      callers_, [](const auto& caller) { return caller != nullptr && caller->stop_requested(); });
}

}  // namespace repath
