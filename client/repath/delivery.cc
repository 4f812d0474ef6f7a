#include "repath/internal/delivery.h"

namespace repath::client {

void PolledDelivery::post(std::function<void()> callback) {
  std::lock_guard lock(mutex_);
  if (closed_) return;
  due_.push_back(std::move(callback));
  arrived_.notify_one();
}

std::size_t PolledDelivery::run(std::chrono::microseconds wait) {
  std::deque<std::function<void()>> taken;
  {
    std::unique_lock lock(mutex_);
    if (due_.empty() && wait.count() > 0) {
      arrived_.wait_for(lock, wait, [this] { return !due_.empty() || closed_; });
    }
    taken.swap(due_);
  }
  for (auto& callback : taken) callback();
  return taken.size();
}

void PolledDelivery::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  due_.clear();
  arrived_.notify_all();
}

void ImmediateDelivery::post(std::function<void()> callback) {
  std::lock_guard lock(running_);
  if (!closed_) callback();
}

void ImmediateDelivery::close() {
  std::lock_guard lock(running_);
  closed_ = true;
}

}  // namespace repath::client
