#include "runtime/world_pool.h"

#include <algorithm>
#include <chrono>

#include "runtime/threads.h"

namespace repath {
namespace {

// Time after which a stand-in looks whether it is still needed, and the watch looks again.
constexpr std::chrono::microseconds kTurn(WorldPool::kLongUs);
// The watch sleeps after so many looks without any work, so that an idle server costs nothing.
constexpr int kIdleLooks = 50;

}  // namespace

thread_local WorldPool::Slot* WorldPool::mine_ = nullptr;

WorldPool::Piece::Piece() : slot_(mine_) {
  if (slot_ == nullptr) return;
  if (slot_->since.load(std::memory_order_relaxed) != 0) {
    slot_ = nullptr;
    return;
  }
  // In this order, as the watch says that it sleeps and then looks once more.
  slot_->since.store(now_us(), std::memory_order_seq_cst);
  if (slot_->pool->is_watch_asleep_.load(std::memory_order_seq_cst)) slot_->pool->wake_watch();
}

WorldPool::Piece::~Piece() {
  if (slot_ != nullptr) slot_->since.store(0, std::memory_order_release);
}

WorldPool::WorldPool(std::size_t threads) : keeps_open_(context_.get_executor()) {
  for (std::size_t i = 0; i < threads + kStandIns; ++i) slots_.emplace_back().pool = this;
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this, i] { work(slots_[i]); });
  for (std::size_t i = 0; i < kStandIns; ++i)
    threads_.emplace_back([this, i, threads] { stand_in(slots_[threads + i], i); });
  threads_.emplace_back([this] { watch(); });
}

WorldPool::~WorldPool() = default;

void WorldPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  context_.stop();
  wake_watch_.notify_all();
  wake_stand_ins_.notify_all();
}

void WorldPool::join() {
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

void WorldPool::work(Slot& slot) {
  mine_ = &slot;
  context_.run();
}

void WorldPool::stand_in(Slot& slot, std::size_t number) {
  mine_ = &slot;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_stand_ins_.wait(lock, [&] { return is_stopping_ || wanted_ > number; });
      if (is_stopping_) return;
    }
    context_.run_one_for(kTurn);
  }
}

void WorldPool::wake_watch() {
  {
    const std::lock_guard lock(mutex_);
    is_watch_asleep_.store(false, std::memory_order_relaxed);
  }
  wake_watch_.notify_one();
}

std::size_t WorldPool::look(Micros now, bool* is_busy) {
  std::size_t count = 0;
  for (Slot& slot : slots_) {
    const Micros since = slot.since.load(std::memory_order_seq_cst);
    if (since == 0) continue;
    *is_busy = true;
    if (now < since + kLongUs) continue;
    ++count;
    if (slot.counted == since) continue;
    slot.counted = since;
    long_pieces_.fetch_add(1, std::memory_order_relaxed);
  }
  return count;
}

void WorldPool::watch() {
  int idle = 0;
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    bool is_busy = false;
    const std::size_t wanted = std::min(look(now_us(), &is_busy), kStandIns);
    const bool is_more = wanted > wanted_;
    wanted_ = wanted;
    if (is_more) wake_stand_ins_.notify_all();
    idle = is_busy ? 0 : idle + 1;
    if (idle < kIdleLooks) {
      wake_watch_.wait_for(lock, kTurn, [this] { return is_stopping_; });
      continue;
    }
    is_watch_asleep_.store(true, std::memory_order_seq_cst);
    (void)look(now_us(), &is_busy);
    if (!is_busy)
      wake_watch_.wait(lock, [this] {
        return is_stopping_ || !is_watch_asleep_.load(std::memory_order_relaxed);
      });
    is_watch_asleep_.store(false, std::memory_order_relaxed);
    idle = 0;
  }
}

}  // namespace repath
