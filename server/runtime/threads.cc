#include "runtime/threads.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace repath {
namespace {

std::size_t threads_of(std::uint64_t setting) {
  return setting != 0 ? setting : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

Micros now_us() {
  using std::chrono::steady_clock;
  static const steady_clock::time_point begin = steady_clock::now();
  // From 1, because 0 means "never" to those who keep a time.
  return 1 + static_cast<Micros>(
                 std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - begin)
                     .count());
}

QueryGate::Slot QueryGate::enter() {
  if (taken_.fetch_add(1, std::memory_order_relaxed) >= most_) {
    taken_.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  return Slot(this, [this](void*) { taken_.fetch_sub(1, std::memory_order_relaxed); });
}

Threads::Threads(const Limits& limits)
    : planners_(limits.plan_workers),
      query_gate_(limits.query_queue_max),
      worlds_(threads_of(limits.world_threads)),
      queries_(threads_of(limits.query_threads)),
      writers_(limits.writer_threads) {}

Threads::~Threads() { stop_and_join(); }

void Threads::stop_and_join() {
  for (boost::asio::thread_pool* pool : {&worlds_, &queries_, &writers_}) pool->stop();
  for (boost::asio::thread_pool* pool : {&worlds_, &queries_, &writers_}) pool->join();
}

}  // namespace repath
