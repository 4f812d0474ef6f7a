// A command that follows a stream: it prints a line for each message as it comes, with --json an
// object. It ends after seconds, lines, an interruption, or when the server ends; then it fails.
//
// Thread rule: one thread.
#pragma once

#include <grpcpp/client_context.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>

#include "cli/context.h"

namespace repath::cli {

struct Follow {
  double seconds = 0;       // 0: no limit.
  std::uint64_t count = 0;  // 0: no limit.
};

inline void add_follow_options(CLI::App& command, Follow& follow, const std::string& what) {
  command.get_option("--json")->description("Print one JSON object a line, for each of the " +
                                            what + " as it comes");
  command
      .add_option(
          "--for", follow.seconds,
          "Stop after this many seconds, up to 1000000 (default 0: go on until interrupted)")
      ->check(CLI::Range(0.0, 1e6));
  command.add_option("--count", follow.count,
                     "Stop after this many " + what + " (default 0: no limit)");
}

// Sets the deadline.
inline void begin_follow(const Follow& follow, grpc::ClientContext& call) {
  if (follow.seconds <= 0) return;
  call.set_deadline(std::chrono::system_clock::now() +
                    std::chrono::microseconds(static_cast<std::int64_t>(follow.seconds * 1e6)));
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
