// The sessions and streams of one world. It decides which session owns an agent, and which streams
// get a verdict, and when.
//
// Not thread-safe; owned by the world's strand. Borrows the engine, which must outlive it.
// Invariants, beside 4, 11 and 12 of the room's README:
// 1. A session has at most one stream. Opening it again ends the older stream with ABORTED.
// 2. When a session resumes, each agent's latest verdict is sent once. A session without a stream
//    ends, with its agents, when its time to live is over.
// 3. A rejected message changes nothing but the sequence number. A resumed session is told of no
//    message after it as safe until its client is known to have read the rejection.
// 4. An agent without an owner may be changed by every caller. An agent changes owners only by an
//    upsert, and its old owner's stream then sends REMOVED (kTakenOver). Watches do not get that
//    event: for them the agent continues.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/sha256.h"
#include "engine/engine.h"
#include "runtime/durable_state.h"
#include "runtime/journal.h"
#include "runtime/latest_verdicts.h"
#include "runtime/metrics.h"
#include "runtime/stream.h"
#include "runtime/verdict_diary.h"

namespace repath {

enum class StreamId : std::uint64_t {};

// Returns 32 hexadecimal digits from the system's random numbers, for sessions that came without a
// name and for epochs. Any thread.
std::string random_name();

// The proof that a caller shows to act for a session.
struct SessionProof {
  std::optional<Sha256::Digest> secret = {};  // SHA-256 of the secret; empty: it gave none
  std::string identity = {};  // name of its token or certificate; empty: the server has no tokens
};

struct SessionOpen {
  std::string session_id;  // empty: a name is made
  Micros ttl_us = 30'000'000;
  std::uint32_t ack_window = 3;  // [1, 16]
  std::uint64_t sequence = 0;    // sequence of the message that opens the session
  std::string client = {};       // name of the client that opens it; empty: not known
  SessionProof proof = {};       // must be shown again by everyone who acts for the session
};

struct SessionMessage {
  struct Acknowledge {
    std::uint64_t batch_number = 0;
  };
  struct Upsert {
    std::vector<AgentSpec> agents;
    bool take_over = false;
    // Each agent as the caller's protocol writes it, for the log of a durable world; else empty.
    std::vector<std::string> bytes = {};
  };
  struct Report {
    std::vector<PositionReport> positions;
  };
  struct Remove {
    std::vector<AgentId> agents;
  };
  // A message that the transport could not interpret.
  struct Refused {
    absl::Status status;
  };
  std::uint64_t sequence = 0;
  std::variant<Acknowledge, Upsert, Report, Remove, Refused> action;
};

// The caller of a call outside a stream: a session, or (empty) no session. A sequence above 0 gives
// the call a place among the messages of the session's stream.
struct Caller {
  std::string session_id;
  std::uint64_t sequence = 0;
  SessionProof proof = {};
};

// A session as operators see it.
struct SessionView {
  std::string name;
  std::string client;  // that opened it last; empty: not known
  bool is_connected = false;
  bool has_secret = false;
  std::uint64_t agents = 0;
  WallMicros opened_at = 0;  // 0: not known
  Micros idle_us = 0;        // since its last message or the end of its stream
  Micros ttl_us = 0;
  Micros left_us = 0;  // until it expires; 0 while it has a stream
  std::uint64_t applied_sequence = 0;
  std::uint64_t unsent_bytes = 0;
};

struct SessionPage {
  std::vector<SessionView> sessions;  // ascending by name
  bool is_last = true;
};

struct WatchOpen {
  std::vector<AgentId> agents;  // empty: all
  Revision start_revision{};    // verdicts up to this revision are left out at the start
};

class StreamHub {
 public:
  struct Bounds {
    std::uint64_t sessions_max = 1024;
    std::uint64_t watches_max = 1024;
    std::uint64_t sessions_per_client_max = 1024;
    std::uint64_t backlog_bytes_max = std::uint64_t{256} << 20;  // of events not sent yet
    std::size_t diary_bytes = 0;  // memory for past verdicts; 0: none are kept
  };
  // Borrows all; counts verdicts in `metrics`. Everything that outlives a command goes through the
  // journal, and each function below that changes something ends with Journal::commit().
  StreamHub(Engine& engine, Journal& journal, const Bounds& bounds, Metrics& metrics);
  // A hub whose world keeps nothing.
  StreamHub(Engine& engine, const Bounds& bounds, Metrics& metrics);

  std::uint64_t sessions() const { return sessions_.size(); }
  std::uint64_t streams() const { return streams_.size(); }
  // Sets what later batches and answers report about the disk. In a world that lives in memory
  // alone it is never called. May be read from any thread.
  void set_durable(const DurableState& state) { durable_.set(state); }
  DurableState durable() const { return durable_.get(); }
  // Total number of events that newer ones replaced before a stream took them. O(streams).
  std::uint64_t coalesced() const;

  // Opens or resumes a session. The caller chooses `id`, which must be new. The sink gets
  // on_opened() and, if the session existed, the latest verdicts of its agents. RESOURCE_EXHAUSTED
  // with reason SESSIONS_MAX at the limit of the world or of the client. PERMISSION_DENIED with
  // reason SESSION_DENIED if the session has a secret and the caller another one or none (field
  // "open.session_secret"), or belongs to another identity ("open.session_id").
  absl::Status open_session(StreamId id, const SessionOpen& open, std::shared_ptr<EventSink> sink,
                            Micros now);
  // Opens a watch, which starts with each agent's latest verdict. RESOURCE_EXHAUSTED with reason
  // WATCHES_MAX.
  absl::Status open_watch(StreamId id, WatchOpen open, std::shared_ptr<EventSink> sink, Micros now);
  // Applies one message of a session. Rejections go to the sink. Ignores an unknown stream, which
  // another stream has replaced. Returns whether agents may have changed.
  bool take(StreamId stream, SessionMessage message, Micros now);
  // Reports that a watch's batch was written and the next may follow.
  void ready(StreamId stream, Micros now);
  // Reports that the transport is gone. Its session lives on for its time to live.
  void detach(StreamId stream, Micros now);

  // Run one call outside a stream. It takes effect as a whole or not at all. Events wait for the
  // next deliver(). Reasons of errors: SESSION_UNKNOWN as in owner_of(); SESSION_DENIED as in
  // open_session(), with fields "session_secret" and "session_id"; SEQUENCE_NOT_RISING if the
  // sequence is not above the session's last; SESSION_MISSING for a sequence without a session;
  // AGENT_OWNED (PERMISSION_DENIED) if the agent belongs to another session.
  absl::Status upsert(const Caller& caller, const SessionMessage::Upsert& message, Micros now);
  // Returns the ids of unknown agents, in the order of the message.
  absl::StatusOr<std::vector<AgentId>> report(const Caller& caller,
                                              const SessionMessage::Report& message, Micros now);
  // Returns the number of agents removed.
  absl::StatusOr<std::uint64_t> remove(const Caller& caller, const SessionMessage::Remove& message);

  // Returns the owner of a session's agents; kNoOwner for an empty id. NOT_FOUND with reason
  // SESSION_UNKNOWN and the field "session_id" for an unknown session.
  absl::StatusOr<OwnerId> owner_of(const std::string& session_id) const;
  // Returns the sequence of the session's last message or call that took effect, also while it has
  // no stream; 0 for an unknown session.
  std::uint64_t sequence_of(const std::string& session_id) const;
  const VerdictDiary& diary() const { return diary_; }
  // Returns the first `limit` sessions after the name `after`, ascending by name. O(sessions +
  // agents x log agents).
  SessionPage list(const std::string& after, std::size_t limit, Micros now) const;
  // Ends a session as expire() does, and its stream with ABORTED and reason SESSION_CLOSED. Returns
  // the number of agents removed. Events wait for the next deliver(). Errors as owner_of(), and
  // UNAVAILABLE with reason STORE_UNAVAILABLE.
  absl::StatusOr<std::uint64_t> close(const std::string& session_id, Micros now);
  // Returns the stream of a session; null if there is no such stream.
  const Stream* stream_of(const std::string& session_id) const;

  // Moves the engine's new events to the outboxes and sends as much as the windows allow. Only
  // deliver_frame() sends notices: once in each frame, so that they do not follow every message.
  void deliver(Micros now);
  void deliver_frame(std::uint64_t frame, Micros now);

  // Returns when the next session without a stream expires; empty if there is none.
  std::optional<Micros> next_expiry() const;
  // Ends the sessions whose time is over, with their agents, and returns them.
  struct Expired {
    std::string name;
    std::string identity;  // of SessionProof
  };
  std::vector<Expired> expire(Micros now);

  // Puts a session there as it was before the world was loaded, without a stream. It expires at
  // `expires_at`. The agents of `owner` are its agents. REQUIRES: neither name nor owner is known.
  void restore_session(const SessionRow& row, OwnerId owner, Micros expires_at);
  // Takes note that units up to `durable` are on the disk. Returns whether a stream has news of it
  // for its client.
  bool note_durable(Lsn durable);

  // See LatestVerdicts.
  std::optional<Micros> latest_expiry() const { return latest_.expiry(); }
  void expire_latest(Micros now) { latest_.expire(now); }

  // Sends everything that is left and ends every stream with `status`, because the world or the
  // server ends. No session of these streams expires any more: the next start counts its time to
  // live from its own beginning. REQUIRES: no stream is opened any more.
  void end_all(const absl::Status& status, Micros now);
  // Ends every stream with `status` and forgets the sessions, without calling the engine, which is
  // broken.
  void abandon(const absl::Status& status);
  bool has(StreamId id) const { return streams_.contains(id); }

 private:
  static constexpr std::size_t kTakenBytes = 8;  // of an agent in SessionRow::taken
  struct Session {
    OwnerId owner{};
    std::string name{};
    std::string client{};  // that opened it last; empty: not known
    SessionProof proof{};  // that its callers must show
    WallMicros opened_at = 0;
    WallMicros seen_at = 0;  // when its last message came, or its stream ended
    Micros ttl_us = 0;
    std::uint64_t sequence = 0;  // of the last message that took effect
    std::optional<StreamId> stream;
    // Empty while it has a stream, or had one when all streams ended.
    std::optional<Micros> expires_at;
    WallMicros left_at = 0;  // when its last stream ended; 0 as long as expires_at is empty
    // Agents taken from it and not acknowledged yet, each with the event to send.
    std::map<AgentId, EventPtr> taken{};
    // Messages of its last stream that took effect and are not durable yet, each with the unit that
    // it waits for; both ascend.
    std::deque<std::pair<std::uint64_t, Lsn>> unsafe{};
    std::uint64_t safe_sequence = 0;  // all of its last stream up to it are durable; 0: none yet
    // The last message of the streams before that is known to be safe.
    std::uint64_t safe_before = 0;
    Lsn last_unit{};  // newest unit of one of its messages
    // Rejections that its client may not have read; empty: none. A stream is read in order, so an
    // acknowledged batch proves that what was sent before it has been read.
    struct Unread {
      std::uint64_t sequence = 0;  // of the last message before the first one rejected
      std::uint64_t batch = 0;     // first one after the last rejection
    };
    std::optional<Unread> unread{};

    // The client that opened it last. After a restart only its token or certificate is known.
    const std::string& opened_by() const { return client.empty() ? proof.identity : client; }
  };
  using Taken = std::vector<AgentEvent>;  // REMOVED events for the previous owners

  // Applies a message of the session, and tells the stream if it is rejected.
  void apply_message(SessionMessage& message, Stream& stream, Session& session, Micros now);
  // Apply an action and return the reason of a rejection.
  absl::Status apply(SessionMessage::Acknowledge& action, Stream& stream, Micros now);
  absl::Status apply(SessionMessage::Upsert& action, Stream& stream, Micros now);
  absl::Status apply(SessionMessage::Report& action, Stream& stream, Micros now);
  absl::Status apply(SessionMessage::Remove& action, Stream& stream, Micros now);
  absl::Status apply(SessionMessage::Refused& action, Stream& stream, Micros now);

  // Do the work of upsert(), report() and remove() once the caller is known.
  absl::Status upsert_as(OwnerId caller, const SessionMessage::Upsert& message, Micros now);
  absl::StatusOr<std::vector<AgentId>> report_as(OwnerId caller,
                                                 const SessionMessage::Report& message, Micros now);
  absl::StatusOr<std::uint64_t> remove_as(OwnerId caller, const SessionMessage::Remove& message);
  // `changes`: the call will change something that must be durable.
  absl::StatusOr<OwnerId> begin_call(const Caller& caller, bool changes);
  // Returns whether the caller owns the agent, it has no owner, or it is unknown.
  bool may_change(AgentId agent, OwnerId caller) const;
  // Returns the events for the previous owners of the message's agents that belong to other
  // sessions.
  absl::StatusOr<Taken> to_take(OwnerId caller, const SessionMessage::Upsert& message) const;
  void hand_over(Taken taken, OwnerId caller);

  // Returns SESSION_DENIED unless the proof is the session's. `prefix` is put before the field.
  static absl::Status check_proof(const Session& session, const SessionProof& proof,
                                  std::string_view prefix);
  static absl::Status session_unknown(const std::string& session_id);
  // Removes the session's agents and its row. Returns the number of agents.
  std::uint64_t remove_session(const Session& session);

  // Begins the count of the messages of a new stream, whose `open` has this sequence.
  static void begin_count(Session& session, std::uint64_t sequence);
  // Records the session as it is now.
  void record(const Session& session);
  // Ends a command of the session; null: of none.
  void commit(Session* session);
  // Takes note of the session's messages that are durable if all units up to `durable` are.
  static void note_safe(Session& session, Lsn durable);
  // Ends a stream of a session that goes on without one.
  void drop_stream(StreamId id, Micros now);
  // Removes a stream and returns the session that had it; null for a watch, or if it is unknown.
  Session* take_away(StreamId id);

  // Puts the engine's new events into the outboxes.
  void route_events(Micros now);
  // Drops the agent's unsent events from all streams, because its question was replaced.
  void drop_unsent(AgentId agent, OwnerId owner);
  template <class Do>
  void for_each_watch_of(AgentId agent, Do&& act);
  void put(StreamId id, Stream& stream, const EventPtr& event);
  // Changes the stream's outbox by `change(Outbox&)`, and counts what it then holds.
  template <class Change>
  void change_outbox(Stream& stream, Change&& change) {
    const std::size_t before = stream.outbox().bytes();
    change(stream.outbox());
    backlog_bytes_ += stream.outbox().bytes() - before;
  }
  void pump(Stream& stream, Micros now, bool notice);
  // Ends the streams that hold most, if all together hold too much. Their clients read too slowly.
  void shed(Micros now);
  Stream* find(StreamId id);
  // Returns the owner's session; null for kNoOwner.
  Session* session_of(OwnerId owner);
  // Returns the stream of the owner's session, if it has one.
  std::optional<StreamId> attached(OwnerId owner) const;

  Engine& engine_;
  std::unique_ptr<Journal> own_journal_;
  Journal& journal_;
  LatestVerdicts latest_;
  Bounds bounds_;
  VerdictDiary diary_;
  Metrics& metrics_;
  DurableMark durable_;
  std::map<std::string, Session> sessions_;
  std::map<OwnerId, Session*> by_owner_;  // the same sessions by owner
  std::set<OwnerId> unsafe_;              // sessions with messages that are not durable yet
  std::map<StreamId, std::unique_ptr<Stream>> streams_;
  std::set<StreamId> touched_;  // streams touched since the last deliver()
  std::uint64_t watches_ = 0;
  std::uint64_t backlog_bytes_ = 0;  // of all outboxes
  std::uint32_t last_owner_ = 0;
  std::uint64_t frame_ = 0;
  std::uint64_t coalesced_before_ = 0;  // events of streams that have ended
};

}  // namespace repath
