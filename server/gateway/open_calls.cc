#include "gateway/open_calls.h"

#include <utility>

namespace repath {

bool OpenCalls::enter(grpc::ClientContext& call, End end) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return false;
  calls_.emplace(&call, std::move(end));
  return true;
}

void OpenCalls::leave(grpc::ClientContext& call) {
  const std::lock_guard lock(mutex_);
  calls_.erase(&call);
  // Under the lock: close() may return, and this object be gone, as soon as it is released.
  if (calls_.empty()) is_empty_.notify_all();
}

void OpenCalls::wait_until(std::chrono::steady_clock::time_point time) {
  std::unique_lock lock(mutex_);
  is_empty_.wait_until(lock, time, [this] { return calls_.empty(); });
}

void OpenCalls::close() {
  std::unique_lock lock(mutex_);
  is_closed_ = true;
  for (const auto& [call, end] : calls_) {
    call->TryCancel();
    if (end) end();
  }
  is_empty_.wait(lock, [this] { return calls_.empty(); });
}

}  // namespace repath
