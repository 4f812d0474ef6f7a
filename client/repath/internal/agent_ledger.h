// The agents of a session as the game wants them, and how much of that the server has taken in. It
// does no networking. Not installed.
//
// Thread rule: guarded by its owner.
// Invariants:
//  1. A message has ids of one call only, and messages are made in the order of their oldest calls.
//     So a refused message belongs to one caller.
//  2. applied_call() is the greatest number such that the server has taken in this call and all
//     calls before it. On a durable world that means that they outlive a restart of the server.
//  3. Memory is bounded by the number of agents plus kInFlightMax messages.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "repath/internal/call_queue.h"
#include "repath/v1/agent.pb.h"
#include "repath/values.h"

namespace repath::client {

class AgentLedger {
 public:
  static constexpr std::size_t kInFlightMax = 64;  // Messages written and not yet taken in.
  static constexpr std::size_t kUpsertsMax =
      1024;  // Agents in one message; the server's limit is 4096.
  static constexpr std::size_t kPositionsMax =
      8192;  // The server's limit is 16384, also for removals.

  // Each returns the number of the call, counted from 1.
  std::uint64_t upsert(std::vector<Agent> agents, bool take_over = false);
  std::uint64_t report(const std::vector<AgentPosition>& positions);
  std::uint64_t remove(const std::vector<std::uint64_t>& agent_ids);

  // A stream starts: sequence numbers count from 1 again.
  void begin_stream() { last_sequence_ = last_taken_ = 0; }
  // The stream is open. Messages that the server had not taken in are sent again; if it forgot the
  // session, everything is. With `reloaded` the server has loaded the world again since: it may
  // have lost the last positions, so every agent's position is sent again.
  void opened(bool resumed, bool reloaded = false);
  // For messages that are not the ledger's own (open, acknowledge).
  std::uint64_t take_sequence() { return ++last_sequence_; }
  // Returns the next message with its sequence; empty if there is nothing to send, or too much is
  // in flight.
  std::optional<v1::SessionRequest> next();

  // The server has taken in all messages of this stream up to `sequence`, for good.
  void applied(std::uint64_t sequence);
  // Events now take into account all messages of this stream up to `sequence`. On a durable world
  // they may not be on its disk yet.
  void taken(std::uint64_t sequence);
  // The server refused the message; agents that it would have added are dropped. Returns the call
  // that it belonged to; empty if it was not the ledger's. If the reason was that the agent at
  // index `owned` belongs to another session, a report or removal is sent again without that agent,
  // and the result is empty. A repeated addition is sent again without it, too.
  std::optional<std::uint64_t> rejected(std::uint64_t sequence,
                                        std::optional<std::size_t> owned = std::nullopt);
  // Returns the call of a message in flight; empty if it is not the ledger's.
  [[nodiscard]] std::optional<std::uint64_t> call_of(std::uint64_t sequence) const;
  // Drops an agent that another session has taken, unless it is to be added again. Call it after
  // applied() of the batch that reports it.
  void taken_over(std::uint64_t agent_id);
  // Whether an upsert that is not taken in yet replaces the agent's question, so that events of it
  // are about the question before.
  [[nodiscard]] bool is_asked_anew(std::uint64_t agent_id) const {
    return new_questions_.contains(agent_id);
  }

  [[nodiscard]] std::uint64_t applied_call() const;

 private:
  // kAgain: agents that the server forgot with the session.
  enum class Kind { kUpsert, kTakeOver, kAgain, kReport, kRemove };
  struct InFlight {
    std::uint64_t sequence = 0;
    Kind kind = Kind::kUpsert;
    std::uint64_t call = 0;
    std::vector<std::uint64_t> ids;
    std::vector<AgentPosition> positions;  // With kReport, beside ids.
  };

  CallQueue& queue(Kind kind);
  [[nodiscard]] bool is_to_be_put_in(std::uint64_t id) const;
  void forget(std::uint64_t id);
  void report_again();
  void send_again(const InFlight& message);
  void send_again(const InFlight& message, std::size_t place);
  void fill(InFlight* message, v1::SessionRequest* request);

  std::map<std::uint64_t, Agent> agents_;  // As wanted, with their last reported positions.
  std::map<std::uint64_t, AgentPosition> reports_;  // By the ids in report_queue_.
  CallQueue upsert_queue_;
  CallQueue take_over_queue_;
  CallQueue again_queue_;  // An id is in one of these three.
  CallQueue report_queue_;
  CallQueue remove_queue_;
  std::deque<InFlight> in_flight_;  // Ascending by sequence.
  // Agents whose question an upsert replaces that is not taken in yet, with the sequence of that
  // upsert; 0: not written yet.
  std::map<std::uint64_t, std::uint64_t> new_questions_;
  std::uint64_t last_call_ = 0;
  std::uint64_t last_sequence_ = 0;
  std::uint64_t last_taken_ = 0;
};

}  // namespace repath::client
