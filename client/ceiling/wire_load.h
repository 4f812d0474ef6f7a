// Makes calls without looking at the bytes, so that the caller's work is the same for every server.
//
// Thread rule: one thread; the calls run on gRPC's threads and have ended on return.
#pragma once

#include <grpcpp/channel.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace repath::ceiling {

// A method and a request for it.
struct WireCall {
  std::string method;   // "/package.Service/Method"
  std::string request;  // as on the wire
};

struct UnaryTally {
  std::uint64_t calls = 0;         // answered
  std::uint64_t failed = 0;        // refused, or answered with another length than the first
  std::uint64_t answer_bytes = 0;  // of each answer
  double seconds = 0;
};
// Keeps `concurrency` calls under way for `seconds`, on one connection.
UnaryTally call_over_and_over(const std::shared_ptr<grpc::Channel>& channel, const WireCall& call,
                              int concurrency, std::chrono::milliseconds time);

struct PushTally {
  std::uint64_t items = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;  // of messages
  double seconds = 0;       // from the calls to their last items
  bool complete = true;     // no stream ended early
};
// Opens the stream, reads `items` items (fields with the number `item_field`) and leaves it.
// Repeats that until the time is over, at least once. Calls `before`, which may be null, before
// each reading; its time does not count. If it returns false, the measurement ends as incomplete.
PushTally read_over_and_over(const std::shared_ptr<grpc::Channel>& channel, const WireCall& call,
                             int item_field, std::uint64_t items, std::chrono::milliseconds time,
                             const std::function<bool()>& before);

}  // namespace repath::ceiling
