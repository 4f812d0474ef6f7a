#include "runtime/threads.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"

namespace repath {
namespace {

std::size_t threads_of(std::uint64_t setting) {
  return setting != 0 ? setting : std::max(1u, std::thread::hardware_concurrency());
}

// Threads of gRPC, the admin server and the signal watch; gRPC has about two for each core.
std::uint64_t other_threads() { return 16 + 2 * std::max(1u, std::thread::hardware_concurrency()); }

// A backup keeps one of them for as long as it takes.
constexpr std::size_t kDiskThreads = 3;
constexpr std::size_t kLargeMakers = 1;

}  // namespace

absl::Status check_threads(const Limits& limits) {
  const std::uint64_t wanted = threads_of(limits.world_threads) + WorldPool::kStandIns + 1 +
                               2 * threads_of(limits.query_threads) + limits.long_queries_max +
                               kLargeMakers + limits.writer_threads + kDiskThreads +
                               limits.plan_workers + other_threads();
  std::promise<void> may_end;
  const std::shared_future<void> end = may_end.get_future().share();
  std::vector<std::thread> made;
  made.reserve(wanted);
  std::string why;
  try {
    while (made.size() < wanted) made.emplace_back([end] { end.wait(); });
  } catch (const std::system_error& error) {
    why = error.what();
  }
  may_end.set_value();
  for (std::thread& thread : made) thread.join();
  if (why.empty()) return absl::OkStatus();
  return make_error(absl::StatusCode::kResourceExhausted, "THREADS", "",
                    "the server needs " + std::to_string(wanted) + " threads and got " +
                        std::to_string(made.size()) + " (" + why +
                        "); raise the limit of processes or memory, or lower world-threads, "
                        "query-threads, writer-threads and plan-workers");
}

std::uint64_t wall_now_us() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(since).count());
}

Micros now_us() {
  using std::chrono::steady_clock;
  static const steady_clock::time_point begin = steady_clock::now();
  // Begins at 1, because callers that store a time use 0 for "never".
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

absl::Status QueryGate::full() const {
  return with_fact(make_error(absl::StatusCode::kResourceExhausted, "QUERY_QUEUE_FULL", "",
                              "the limit of " + std::to_string(most_) +
                                  " queries waiting or running is reached; try again"),
                   "retry_delay_ms", "100");
}

Threads::Threads(const Limits& limits)
    : planners_(limits.plan_workers),
      query_gate_(limits.query_queue_max),
      worlds_(threads_of(limits.world_threads)),
      queries_(threads_of(limits.query_threads), limits.long_queries_max),
      makers_(threads_of(limits.query_threads)),
      large_makers_(kLargeMakers),
      writers_(limits.writer_threads),
      disk_(kDiskThreads) {}

Threads::~Threads() { stop_and_join(); }

void Threads::stop_and_join() {
  const std::array pools{&makers_, &large_makers_, &disk_};
  worlds_.stop();
  for (boost::asio::thread_pool* pool : pools) pool->stop();
  queries_.stop_and_join();
  worlds_.join();
  for (boost::asio::thread_pool* pool : pools) pool->join();
  writers_.join();
}

}  // namespace repath
