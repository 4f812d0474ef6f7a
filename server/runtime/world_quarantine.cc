// WorldHost after a failed check: the world is quarantined, and all other worlds go on.
#include <string>
#include <utility>

#include "base/error.h"
#include "runtime/world_host.h"

namespace repath {

absl::Status WorldHost::quarantined() const {
  const std::string reason = quarantine_reason();
  return with_fact(make_error(absl::StatusCode::kFailedPrecondition, "QUARANTINED", "world",
                              "an internal check failed in the world '" + facts_->name +
                                  "'; delete the world and make it again (" + reason + ")"),
                   "check", reason);
}

std::string WorldHost::quarantine_reason() const {
  const std::lock_guard lock(figures_mutex_);
  return quarantine_reason_;
}

// Quarantines the world. May run on any thread; only the first failure counts.
void WorldHost::quarantine(std::string_view during, const std::exception_ptr& thrown) {
  Failure failure = describe(thrown);
  {
    const std::lock_guard lock(figures_mutex_);
    if (is_quarantined()) return;
    quarantine_reason_ = failure.reason;
    figures_.quarantined = 1;
    figures_.sessions = figures_.streams = 0;
    is_quarantined_.store(true, std::memory_order_release);
  }
  log_failure(facts_->name, during,
              "the world is quarantined, all others go on; delete it and make it again", failure);
  metrics_.count_quarantine();
  boost::asio::post(strand_, [self = shared_from_this()] { self->end_quarantined(); });
}

// Ends the world without calling the engine. Unsent events are lost.
void WorldHost::end_quarantined() {
  for (auto* timer : {&frame_timer_, &expiry_timer_, &forget_timer_}) timer->cancel();
  const absl::Status status = quarantined();
  hub_.abandon(status);
  feed_.end_all(status);
  release_barriers();
}

}  // namespace repath
