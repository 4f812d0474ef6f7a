// Runs a function once after a while, on a gRPC thread. Not installed.
#pragma once

#include <grpcpp/alarm.h>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace repath::client {

// Calls `then(true)` after `delay`, or `then(false)` at once if `alarm` is cancelled or destroyed
// first; exactly once either way. `then` is destroyed after the call, so it may own the alarm.
inline void run_after(grpc::Alarm& alarm, std::chrono::milliseconds delay,
                      std::function<void(bool)> then) {
  auto* once = new std::function<void(bool)>(std::move(then));
  alarm.Set(std::chrono::system_clock::now() + delay, [once](bool elapsed) {
    const std::unique_ptr<std::function<void(bool)>> own(once);
    (*own)(elapsed);
  });
}

}  // namespace repath::client
