// The way back to a server that was killed and started again while a run goes on (`repath verify
// --restart-s`). It waits for the server and opens the session of before. It checks that all is
// there that a durable world has acknowledged: its epoch, every revision that an answer named, the
// session. The caller sends again what was not acknowledged. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/context.h"
#include "repath/v1/agent.pb.h"
#include "repath/v1/world.pb.h"
#include "verify/session_link.h"
#include "verify/tally.h"

namespace repath::verify {

class Comeback {
 public:
  // `patience_s`: longest wait for the server, in seconds; 0: a broken connection ends the run.
  // Borrows the other two.
  Comeback(double patience_s, cli::CommandContext& context, Tally& tally)
      : patience_(patience_s), context_(context), tally_(tally) {}

  // Takes the world as it was made. Returns false after it has reported that the world is not
  // durable although restarts are to come.
  bool begin(const v1::World& made);
  bool is_on() const { return patience_.count() > 0; }
  // Time that the server must keep the session without a stream, milliseconds; 0: its default.
  std::uint32_t session_ttl_ms() const;

  // Opens the session again after `broken` ended a call or the stream. `revision`: the greatest
  // that an answer has named. `is_durable`: a batch has acknowledged a message of the session.
  // Returns nothing after it has reported why the run cannot go on.
  std::optional<v1::SessionResponse::Opened> reopen(const grpc::Status& broken,
                                                    std::unique_ptr<SessionLink>* session,
                                                    std::uint64_t revision, bool is_durable);
  // Notes that all agents are settled.
  void settled();

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<v1::SessionResponse::Opened> open(std::unique_ptr<SessionLink>* session);
  void check(const v1::SessionResponse::Opened& opened, std::uint64_t revision, bool is_durable);

  std::chrono::duration<double> patience_;
  cli::CommandContext& context_;
  Tally& tally_;
  std::string epoch_;
  std::uint64_t incarnation_ = 0;
  std::optional<Clock::time_point> broke_at_;  // and not all agents have been settled since
};

// Whether the status says that the connection is gone, or that the server is about to go.
bool is_broken(const grpc::Status& status);

}  // namespace repath::verify
