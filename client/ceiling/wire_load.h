// Calls with bytes that are not looked at, so that what the caller does is the same for every
// server.
//
// Thread rule: one thread; the calls themselves run on gRPC's threads, and are over on return.
#pragma once

#include <grpcpp/channel.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace repath::ceiling {

// A method and what is sent to it.
struct WireCall {
  std::string method;   // "/package.Service/Method"
  std::string request;  // as on the wire
};

struct UnaryTally {
  std::uint64_t calls = 0;         // answered
  std::uint64_t failed = 0;        // refused, or another length than the first
  std::uint64_t answer_bytes = 0;  // of each answer
  double seconds = 0;
};
// Keeps `concurrency` calls on the way for so long, on one connection.
UnaryTally call_over_and_over(const std::shared_ptr<grpc::Channel>& channel, const WireCall& call,
                              int concurrency, std::chrono::milliseconds time);

struct PushTally {
  std::uint64_t items = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;  // of messages
  double seconds = 0;       // from the calls to their last items
  bool complete = true;     // no stream ended early
};
// Opens the stream, reads until `items` have come (fields of the number `item_field` of each
// message), leaves it, and does so again until the time is over, at least once. Calls `before`,
// which may be null, before each, untimed; if it returns false that was the end, and not complete.
PushTally read_over_and_over(const std::shared_ptr<grpc::Channel>& channel, const WireCall& call,
                             int item_field, std::uint64_t items, std::chrono::milliseconds time,
                             const std::function<bool()>& before);

}  // namespace repath::ceiling
