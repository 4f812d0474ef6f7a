// What a session's agents should be, and how much of it the server has taken in. No network in it.
// Not installed.
//
// Thread rule: guarded by its owner.
// Invariants:
//  1. A message carries ids of one call only, and messages are made in the order of their oldest
//  calls, so that a refused
//     message is one caller's.
//  2. applied_call() is the greatest number such that everything asked by it and all calls before
//  it was taken in.
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
  void begin_stream() { last_sequence_ = 0; }
  // The stream is open. What was written and not taken in is to be sent again; if the server forgot
  // the session, all is.
  void opened(bool resumed);
  // For messages that are not the ledger's own (open, acknowledge).
  std::uint64_t take_sequence() { return ++last_sequence_; }
  // The next message to write, its sequence filled in; empty if there is nothing to say, or too
  // much is in flight.
  std::optional<v1::SessionRequest> next();

  // The server has taken in all messages of this stream up to `sequence`.
  void applied(std::uint64_t sequence);
  // The server refused the message; agents that it would have put in are forgotten. Returns the
  // call it belonged to, empty if it is not the ledger's. If the message was refused because the
  // agent at place `owned` is another session's, a report or removal is sent again without it
  // (empty: nobody need know), and so are the agents that are put in again.
  std::optional<std::uint64_t> rejected(std::uint64_t sequence,
                                        std::optional<std::size_t> owned = std::nullopt);
  // The call that a message in flight belongs to, empty if it is not the ledger's.
  [[nodiscard]] std::optional<std::uint64_t> call_of(std::uint64_t sequence) const;
  // Another session has taken the agent: it is forgotten, unless it is to be put in again. After
  // applied() of the batch that says so.
  void taken_over(std::uint64_t agent_id);
  // Whether an upsert that the server has not taken in replaces the agent's question, so that what
  // comes of it is about the question before.
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
  void send_again(const InFlight& message);
  void send_again(const InFlight& message, std::size_t place);
  void fill(InFlight* message, v1::SessionRequest* request);

  std::map<std::uint64_t, Agent> agents_;  // As they should be, positions as last reported.
  std::map<std::uint64_t, AgentPosition> reports_;  // Of the ids in report_queue_.
  CallQueue upsert_queue_;
  CallQueue take_over_queue_;
  CallQueue again_queue_;  // An id is in one of these three.
  CallQueue report_queue_;
  CallQueue remove_queue_;
  std::deque<InFlight> in_flight_;  // Ascending by sequence.
  // Agents whose question an upsert replaces that was not taken in, with its sequence; 0: it was
  // not written.
  std::map<std::uint64_t, std::uint64_t> new_questions_;
  std::uint64_t last_call_ = 0;
  std::uint64_t last_sequence_ = 0;
};

}  // namespace repath::client
