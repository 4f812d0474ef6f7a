// The agents of a session as the game wants them, and how much of that the server has taken in. It
// does no networking. Not installed.
//
// Thread rule: guarded by its owner.
// Invariants:
//  1. A message has ids of one call only, and messages are made in the order of their oldest calls.
//     So a refused message belongs to one caller. Calls that name the same agent reach the server
//     in their order, also when they are repeated.
//  2. applied_call() is the greatest number such that the server has taken in this call and all
//     calls before it. On a durable world that means that they outlive a restart of the server.
//  3. Memory is bounded by the number of agents plus kInFlightMax messages.
//  4. Sequences go on over all streams of the session. If they began again with each stream,
//     Opened.applied_sequence could name a message of an earlier stream than the last one.
#pragma once

#include <cstddef>
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
  // Returns whether an upsert of this agent would ask a new question, so that its path no longer
  // counts.
  [[nodiscard]] bool asks_anew(const Agent& agent) const;

  // Begins a stream. Returns the sequence of its `open`.
  std::uint64_t begin_stream() { return ++last_sequence_; }
  // The stream is open. Messages after `applied_sequence` are sent again, as far as a later call
  // does not make them needless; if the server forgot the session, every agent is. With `reloaded`
  // the server has loaded the world again since: it may have lost the last positions, so every
  // agent's position is sent again.
  void opened(bool resumed, bool reloaded = false, std::uint64_t applied_sequence = 0);
  // Returns the sequence of an `acknowledge`, which is not the ledger's own message.
  std::uint64_t take_sequence() { return written_ = ++last_sequence_; }
  // Returns the next message with its sequence; empty if there is nothing to send, or too much is
  // in flight.
  std::optional<v1::SessionRequest> next();

  // The server has taken in all messages up to `sequence`, for good.
  void applied(std::uint64_t sequence);
  // Events now take into account all messages up to `sequence`. On a durable world they may not be
  // on its disk yet.
  void taken(std::uint64_t sequence);

  struct Refusal {
    std::uint64_t call = 0;
    std::optional<std::size_t> place{};  // Index of the agent at fault in the list of the call.
  };
  // The server refused the message. `named`: index of the agent at fault in it; `is_owned`: the
  // reason is that this agent belongs to another session. Returns the call that the message
  // belonged to; empty if it was not the ledger's. Agents that the message would have added are
  // dropped, unless a newer one adds them. A report or removal with an owned agent is sent again
  // without it, and the result is empty. If the message adds agents
  // that the server forgot with the session, only the one at fault is dropped.
  std::optional<Refusal> rejected(std::uint64_t sequence,
                                  std::optional<std::size_t> named = std::nullopt,
                                  bool is_owned = false);
  // Returns the call of a message in flight; empty if it is not the ledger's.
  [[nodiscard]] std::optional<std::uint64_t> call_of(std::uint64_t sequence) const;
  // Drops an agent that another session has taken, unless it is to be added again. Call it after
  // applied() of the batch that reports it.
  void taken_over(std::uint64_t agent_id);
  // Returns whether an event is about a question that the game has replaced, or about an agent that
  // it has removed. The goal_generation tells if it is greater than those before. Otherwise each
  // event counts as such until the server has taken the call in.
  [[nodiscard]] bool is_outdated(std::uint64_t agent_id, std::uint64_t goal_generation) const;

  [[nodiscard]] std::uint64_t applied_call() const;
  // Returns the last of the calls that directly follow `call` and name no agent; else `call`.
  [[nodiscard]] std::uint64_t with_empty_calls(std::uint64_t call) const {
    return call >= last_filled_call_ ? last_call_ : call;
  }

 private:
  // kAgain: agents that the server forgot with the session.
  enum class Kind { kUpsert, kTakeOver, kAgain, kReport, kRemove };
  struct InFlight {
    std::uint64_t sequence = 0;
    Kind kind = Kind::kUpsert;
    std::uint64_t call = 0;
    std::vector<std::uint64_t> ids;
    std::vector<std::size_t> places;
    std::vector<AgentPosition> positions;  // With kReport, beside ids.
  };
  struct Wanted {
    Agent agent;               // With its last reported position.
    std::uint64_t call = 0;    // The last upsert of it,
    std::size_t place = 0;     // and its index there.
    std::uint64_t added = 0;   // Sequence of the last message that adds it; 0: none yet.
    std::uint64_t placed = 0;  // The same of the last message with its position.
  };
  // A question that an upsert replaces or a removal ends.
  struct Replaced {
    std::uint64_t sequence = 0;  // The message that does it; 0 until it is written.
    // The greatest one of the questions replaced since the server has taken one in.
    std::uint64_t goal_generation = 0;
  };

  CallQueue& queue(Kind kind);
  std::uint64_t begin_call(std::size_t agents);
  [[nodiscard]] bool is_to_be_put_in(std::uint64_t id) const;
  void replace_question(std::uint64_t id);
  void forget(std::uint64_t id);
  void forget_refused(std::uint64_t id, std::uint64_t sequence);
  void report_again();
  void put_back(const InFlight& message);
  void put_back_agent(const InFlight& message, std::size_t index);
  void put_back_removal(const InFlight& message, std::size_t index);
  void put_back_position(const InFlight& message, std::size_t index);
  void send_without(const InFlight& message, std::size_t left_out);
  void fill(InFlight* message, v1::SessionRequest* request);

  std::map<std::uint64_t, Wanted> agents_;
  std::map<std::uint64_t, AgentPosition> reports_;  // By the ids in report_queue_.
  CallQueue upsert_queue_;
  CallQueue take_over_queue_;
  CallQueue again_queue_;  // An id is in one of these three.
  CallQueue report_queue_;
  CallQueue remove_queue_;
  std::deque<InFlight> in_flight_;              // Ascending by sequence.
  std::map<std::uint64_t, Replaced> replaced_;  // By agent, until that is applied.
  std::uint64_t last_call_ = 0;
  std::uint64_t last_filled_call_ = 0;  // That named an agent.
  std::uint64_t last_sequence_ = 0;
  std::uint64_t written_ = 0;  // Sequence of the last message that is no `open`.
  std::uint64_t last_taken_ = 0;
};

}  // namespace repath::client
