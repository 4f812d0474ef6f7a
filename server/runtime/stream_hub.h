// The sessions and streams of one world: who owns which agents, whose stream gets which verdict,
// and when.
//
// Not thread-safe; owned by the world's strand. Borrows the engine, which must outlive it.
// Invariants: 1. a session has at most one stream; opening it again ends the older one with
// ABORTED; 2. while a session has no stream nothing is kept for it but which agents were taken from
// it, as long as its client has not acknowledged that: on resuming, each agent's latest verdict is
// sent once; 3. a detached session and its agents
// go when its time to live is over; 4. a refused message has changed nothing but the sequence
// number; 5. only its owner changes an agent, everybody one of nobody's: an agent changes hands by
// an upsert alone, and its old owner's stream then sends REMOVED (kTakenOver) for it. Watches do
// not hear of that: for them the agent goes on.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "runtime/latest_verdicts.h"
#include "runtime/metrics.h"
#include "runtime/stream.h"

namespace repath {

enum class StreamId : std::uint64_t {};

struct SessionOpen {
  std::string session_id;  // empty: one is made
  Micros ttl_us = 30'000'000;
  std::uint32_t ack_window = 3;  // [1, 16]
  std::uint64_t sequence = 0;    // of the message that opens
};

struct SessionMessage {
  struct Acknowledge {
    std::uint64_t batch_number = 0;
  };
  struct Upsert {
    std::vector<AgentSpec> agents;
    bool take_over = false;
  };
  struct Report {
    std::vector<PositionReport> positions;
  };
  struct Remove {
    std::vector<AgentId> agents;
  };
  // The transport could not make sense of it.
  struct Refused {
    absl::Status status;
  };
  std::uint64_t sequence = 0;
  std::variant<Acknowledge, Upsert, Report, Remove, Refused> action;
};

// Who makes a call outside a stream: a session, or (empty) nobody. A sequence above 0 gives the
// call a place among the messages of the session's stream.
struct Caller {
  std::string session_id;
  std::uint64_t sequence = 0;
};

struct WatchOpen {
  std::vector<AgentId> agents;  // empty: all
  Revision start_revision{};    // verdicts up to it are left out on starting
};

class StreamHub {
 public:
  struct Bounds {
    std::uint64_t sessions_max = 1024;
    std::uint64_t watches_max = 1024;
  };
  // Borrows both; verdicts are counted in `metrics`.
  StreamHub(Engine& engine, const Bounds& bounds, Metrics& metrics);

  std::uint64_t sessions() const { return sessions_.size(); }
  std::uint64_t streams() const { return streams_.size(); }
  // Events that newer ones replaced before a stream took them, in all. O(streams).
  std::uint64_t coalesced() const;

  // `id` is the caller's choice, never used before. RESOURCE_EXHAUSTED, reason SESSIONS_MAX, at the
  // limit. The sink gets on_opened and, if the session was there, what its agents' latest verdicts
  // are.
  absl::Status open_session(StreamId id, const SessionOpen& open, std::shared_ptr<EventSink> sink,
                            Micros now);
  // Starts with each agent's latest verdict. RESOURCE_EXHAUSTED, reason WATCHES_MAX.
  absl::Status open_watch(StreamId id, WatchOpen open, std::shared_ptr<EventSink> sink, Micros now);
  // One message of a session. Refusals go to the sink. An unknown stream (it was taken over) is
  // passed over. Returns whether agents may have changed.
  bool take(StreamId stream, SessionMessage message, Micros now);
  // A watch's batch was written: the next may follow.
  void ready(StreamId stream, Micros now);
  // The transport is gone. Its session lives on for its time to live.
  void detach(StreamId stream, Micros now);

  // One call outside a stream. Refuses an unknown session as owner_of() does, a sequence that is
  // not above the session's last as INVALID_ARGUMENT, reason SEQUENCE_NOT_RISING, one without a
  // session with reason SESSION_MISSING, and another session's agent with PERMISSION_DENIED, reason
  // AGENT_OWNED: all of the message or nothing. Events wait for the next deliver().
  absl::Status upsert(const Caller& caller, const SessionMessage::Upsert& message, Micros now);
  // Returns the ids that no agent has, in the order of the message.
  absl::StatusOr<std::vector<AgentId>> report(const Caller& caller,
                                              const SessionMessage::Report& message, Micros now);
  // Returns how many went.
  absl::StatusOr<std::uint64_t> remove(const Caller& caller, const SessionMessage::Remove& message);

  // NOT_FOUND, reason SESSION_UNKNOWN, naming the field "session_id". Empty: kNoOwner.
  absl::StatusOr<OwnerId> owner_of(const std::string& session_id) const;
  // The session's last message or call that has been taken in, also while it has no stream; 0 if
  // there is no such session.
  std::uint64_t sequence_of(const std::string& session_id) const;
  // The stream of a session, null if it has none or there is no such session.
  const Stream* stream_of(const std::string& session_id) const;

  // Moves the engine's new events to the outboxes and sends what the windows allow. With `frame`
  // also notices: once for each frame, so that they do not follow every message.
  void deliver(Micros now);
  void deliver_frame(std::uint64_t frame, Micros now);

  // When the next detached session expires, if one will.
  std::optional<Micros> next_expiry() const;
  void expire(Micros now);

  // What is kept for streams that begin at the same time (see LatestVerdicts).
  std::optional<Micros> latest_expiry() const { return latest_.expiry(); }
  void expire_latest(Micros now) { latest_.expire(now); }

  // Sends what is left and ends every stream with `status`.
  void end_all(const absl::Status& status, Micros now);
  // Ends every stream with `status` and forgets the sessions, without asking the engine: it is
  // broken.
  void abandon(const absl::Status& status);
  bool has(StreamId id) const { return streams_.contains(id); }

 private:
  struct Session {
    OwnerId owner{};
    Micros ttl_us = 0;
    std::uint64_t sequence = 0;  // the last one taken in
    std::optional<StreamId> stream;
    Micros expires_at = 0;                // while it has no stream
    std::map<AgentId, EventPtr> taken{};  // from it, and not acknowledged: what it is sent of them
  };
  using Taken = std::vector<AgentEvent>;  // REMOVED, for the owners of before

  // Returns the reason of refusal.
  absl::Status apply(SessionMessage::Acknowledge& action, Stream& stream, Micros now);
  absl::Status apply(SessionMessage::Upsert& action, Stream& stream, Micros now);
  absl::Status apply(SessionMessage::Report& action, Stream& stream, Micros now);
  absl::Status apply(SessionMessage::Remove& action, Stream& stream, Micros now);
  absl::Status apply(SessionMessage::Refused& action, Stream& stream, Micros now);

  // What upsert(), report() and remove() do once it is known who calls.
  absl::Status upsert_as(OwnerId caller, const SessionMessage::Upsert& message, Micros now);
  absl::StatusOr<std::vector<AgentId>> report_as(OwnerId caller,
                                                 const SessionMessage::Report& message, Micros now);
  absl::StatusOr<std::uint64_t> remove_as(OwnerId caller, const SessionMessage::Remove& message);
  absl::StatusOr<OwnerId> begin_call(const Caller& caller);
  // Whether the agent is the caller's to change: it is its own, nobody's, or not there.
  bool may_change(AgentId agent, OwnerId caller) const;
  // The agents of the message that are another session's, with what that session will be sent.
  absl::StatusOr<Taken> to_take(OwnerId caller, const SessionMessage::Upsert& message) const;
  void hand_over(Taken taken, OwnerId caller);

  // Puts the engine's new events into the outboxes.
  void route_events();
  // The agent's question was replaced: nothing that streams have not sent of it counts any more.
  void drop_unsent(AgentId agent, OwnerId owner);
  void put(StreamId id, Stream& stream, const EventPtr& event);
  void pump(Stream& stream, Micros now, bool notice);
  Stream* find(StreamId id);

  Engine& engine_;
  LatestVerdicts latest_;
  Bounds bounds_;
  Metrics& metrics_;
  std::map<std::string, Session> sessions_;
  std::map<OwnerId, Session*> by_owner_;  // the same
  std::map<StreamId, std::unique_ptr<Stream>> streams_;
  std::map<OwnerId, StreamId> attached_;  // streams by the owner they are for
  std::set<StreamId> touched_;            // since the last deliver()
  std::uint64_t watches_ = 0;
  std::uint32_t last_owner_ = 0;
  std::uint64_t frame_ = 0;
  std::uint64_t coalesced_before_ = 0;  // of streams that are gone
};

}  // namespace repath
