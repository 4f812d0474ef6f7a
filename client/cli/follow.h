// How long a command follows a stream: for some seconds, for some lines, or until it is
// interrupted.
//
// Thread rule: one thread.
#pragma once

#include <grpcpp/client_context.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>

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

// Sets the deadline. One JSON object needs an end: returns false, after an error, if there is none.
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

// Says whether the stream ended the way it was meant to; if not, reports it as a refusal.
inline bool ended_well(CommandContext& context, const Follow& follow, const grpc::Status& status,
                       bool counted) {
  if (counted || (follow.seconds > 0 && status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED))
    return true;
  return context.accepted(status);
}

}  // namespace repath::cli
