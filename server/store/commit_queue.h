// The queue in front of the thread that commits: units and jobs, in the order in which they came.
//
// Thread rule: any thread may call any function.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "store/log_state.h"

namespace repath {

// Work on the database for which a thread waits. A job that writes runs within the transaction,
// after the units that came before it.
struct StoreJob {
  std::function<absl::Status()> work;
  std::function<void()> kept;  // runs once its transaction is durable; may be empty
  absl::Status result;
  bool done = false;  // guarded by the queue
};

struct PendingWork {
  // A unit, or
  std::shared_ptr<LogState> log;
  Lsn lsn{};
  LogUnit unit;  // without its change
  std::shared_ptr<const LogRecord> change;
  std::uint64_t bytes = 0;
  // a job.
  std::shared_ptr<StoreJob> job;
};

// Which changes are refused: none, those that want to be durable, all, all until a restart.
enum class Refusal : std::uint8_t { kNone, kDurable, kAll, kFinal };

class CommitQueue {
 public:
  explicit CommitQueue(std::uint64_t pending_bytes_max) : pending_bytes_max_(pending_bytes_max) {}

  void push(PendingWork work);
  void push_read(std::shared_ptr<StoreJob> job);
  // Moves work from the front to `out`, up to the bounds, at least one if there is any.
  void take(std::size_t units_max, std::uint64_t bytes_max, std::deque<PendingWork>* out);
  std::shared_ptr<StoreJob> take_read();
  bool empty() const;
  // Waits until so many entries wait or the time is over.
  void gather(std::size_t entries, std::chrono::microseconds longest);
  // Waits until there is work, wake() was called or the time is over.
  void wait(std::chrono::microseconds longest);
  void wake();

  // Counts units that are durable, or that no world needs any more.
  void settle(std::uint64_t units, std::uint64_t bytes);
  std::uint64_t pending_units() const { return pending_units_.load(); }
  std::uint64_t pending_bytes() const { return pending_bytes_.load(); }
  bool is_over_bound() const { return pending_bytes() > pending_bytes_max_; }

  // Ends a job with its result, and wakes all threads in wait_for.
  void finish(StoreJob& job, absl::Status result);
  // Wakes all threads in wait_for.
  void announce();
  bool is_done(const StoreJob& job) const;
  // Waits until `condition`, which is looked at after each announcement.
  void wait_for(const std::function<bool()>& condition);

  // Sets why changes are refused; returns whether that is another refusal than before. kFinal
  // stays.
  bool refuse(Refusal refusal, const std::string& why);
  absl::Status refusal(Durability wanted) const;
  Refusal refusal() const { return refusal_.load(); }

 private:
  const std::uint64_t pending_bytes_max_;
  std::atomic<std::uint64_t> pending_units_{0};
  std::atomic<std::uint64_t> pending_bytes_{0};
  std::atomic<Refusal> refusal_{Refusal::kNone};
  mutable std::mutex mutex_;  // guards all members below
  std::condition_variable has_work_;
  std::condition_variable done_;
  std::deque<PendingWork> work_;
  std::deque<std::shared_ptr<StoreJob>> reads_;
  bool is_woken_ = false;
  std::size_t wakes_at_ = 0;  // number of entries that the thread that commits waits for; 0: none
  std::string why_;
};

}  // namespace repath
