// The calls that a client has under way, so that its end can cancel them and wait for them. Not
// installed.
//
// Why wait: in gRPC 1.51 the last reference to a channel must not be dropped on a gRPC callback
// thread (it would join itself), and every call holds one. Calls therefore register here, and the
// client drops its own reference last.
//
// Thread rule: all functions from any thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace repath::client {

// A call that can be cancelled; it still ends in its own way.
class Cancellable {
 public:
  virtual ~Cancellable() = default;
  virtual void cancel() = 0;
};

class Calls {
 public:
  // Returns false after finish(): then no call may start.
  bool enter(Cancellable* call) {
    std::lock_guard lock(mutex_);
    if (!finished_) running_.insert(call);
    return !finished_;
  }

  // Ends cancel() for `call`. finish() still waits for the call.
  void retire(Cancellable* call) {
    std::lock_guard lock(mutex_);
    if (running_.erase(call) > 0) ++retired_;
  }

  // Ends a retired call.
  void leave() {
    std::lock_guard lock(mutex_);
    if (--retired_ == 0 && running_.empty()) none_.notify_all();
  }

  // Cancels all calls and returns when each has left.
  void finish() {
    std::unique_lock lock(mutex_);
    finished_ = true;
    for (Cancellable* call : running_) call->cancel();
    none_.wait(lock, [this] { return running_.empty() && retired_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  std::set<Cancellable*> running_;
  int retired_ = 0;  // Calls that are being destroyed.
  bool finished_ = false;
};

// Leaves on destruction. Make it a call's first member: it is destroyed after everything that holds
// the channel. The call's destructor must begin with retire(): from then on the call is in pieces
// and cannot be cancelled.
class Registration {
 public:
  explicit Registration(std::shared_ptr<Calls> calls) : calls_(std::move(calls)) {}
  ~Registration() {
    if (entered_ == nullptr) return;
    calls_->retire(entered_);
    calls_->leave();
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  bool enter(Cancellable* call) {
    if (calls_->enter(call)) entered_ = call;
    return entered_ != nullptr;
  }

  void retire() {
    if (entered_ != nullptr) calls_->retire(entered_);
  }

 private:
  std::shared_ptr<Calls> calls_;
  Cancellable* entered_ = nullptr;
};

}  // namespace repath::client
