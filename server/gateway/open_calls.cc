#include "gateway/open_calls.h"

namespace repath {

bool OpenCalls::enter(grpc::ClientContext& call) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return false;
  calls_.insert(&call);
  return true;
}

void OpenCalls::leave(grpc::ClientContext& call) {
  const std::lock_guard lock(mutex_);
  calls_.erase(&call);
  // Under the lock: close() may return, and this object be gone, as soon as it is released.
  if (calls_.empty()) is_empty_.notify_all();
}

void OpenCalls::close() {
  std::unique_lock lock(mutex_);
  is_closed_ = true;
  for (grpc::ClientContext* call : calls_) call->TryCancel();
  is_empty_.wait(lock, [this] { return calls_.empty(); });
}

}  // namespace repath
