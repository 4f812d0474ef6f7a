// The limit of a command that follows a stream: seconds, lines, or an interruption.
//
// Thread rule: one thread.
#pragma once

#include <grpcpp/client_context.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <iostream>

#include "cli/context.h"

namespace repath::cli {

struct Follow {
  double seconds = 0;       // 0: no limit.
  std::uint64_t count = 0;  // 0: no limit.
};

inline void add_follow_options(CLI::App& command, Follow& follow, const char* what) {
  command
      .add_option(
          "--for", follow.seconds,
          "Stop after this many seconds, up to 1000000 (default 0: go on until interrupted)")
      ->check(CLI::Range(0.0, 1e6));
  command.add_option("--count", follow.count,
                     std::string("Stop after this many ") + what + " (default 0: no limit)");
}

// Sets the deadline. With --json a limit is required: without one it reports an error and returns
// false.
inline bool begin_follow(CommandContext& context, const Follow& follow, grpc::ClientContext& call) {
  if (context.json && follow.seconds <= 0 && follow.count == 0) {
    context.usage_error("--json prints one object at the end: give --for or --count");
    return false;
  }
  if (follow.seconds > 0) {
    call.set_deadline(std::chrono::system_clock::now() +
                      std::chrono::microseconds(static_cast<std::int64_t>(follow.seconds * 1e6)));
  }
  return true;
}

// Returns whether a stream need not go on after `seen` lines: they are all that was asked for, or
// stdout takes no more of them.
inline bool is_enough(const Follow& follow, std::uint64_t seen) {
  return seen == follow.count || !std::cout;
}

// Returns whether the stream ended as planned; if not, reports a refusal.
inline bool ended_well(CommandContext& context, const Follow& follow, const grpc::Status& status,
                       bool counted) {
  if (counted || (follow.seconds > 0 && status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED))
    return true;
  return context.accepted(status);
}

}  // namespace repath::cli
