// Where callbacks wait for poll(), or run at once. Not installed.
//
// Thread rule: post() and close() from any thread; run() from one thread at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "repath/pending.h"

namespace repath::client {

// Keeps callbacks for run(). Callbacks posted after close() are dropped.
class PolledDelivery final : public Deliverer {
 public:
  void post(std::function<void()> callback) override;
  // Runs all callbacks posted before the call; if there are none, waits up to `wait` for one.
  // Returns how many ran.
  std::size_t run(std::chrono::microseconds wait);
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> due_;
  bool closed_ = false;
};

// Runs callbacks on the posting thread, one at a time.
class ImmediateDelivery final : public Deliverer {
 public:
  void post(std::function<void()> callback) override;
  // Returns once no callback runs; none will start. Not from inside a callback.
  void close();

 private:
  std::recursive_mutex running_;  // A callback may cause another at once.
  bool closed_ = false;
};

}  // namespace repath::client
