// The work of a Session: keeps a stream open, writes the ledger's messages, hands events over. Not
// installed.
//
// Thread rule: all functions from any thread. `mutex_` guards everything but the handlers; handlers
// run under `handing_over_` and never under `mutex_`.
//
// Invariants:
//  1. At most one stream is alive, and at most one write is under way.
//  2. A batch is acknowledged only after its events were handed over.
#pragma once

#include <grpcpp/alarm.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "repath/internal/agent_ledger.h"
#include "repath/internal/stubs.h"
#include "repath/pending.h"
#include "repath/session.h"

namespace repath::client {

class SessionLink;

// The wait before the next attempt: doubled after each that failed, from `first` up to `max`.
struct Backoff {
  std::chrono::milliseconds first{50};
  std::chrono::milliseconds max{5'000};
};

class SessionCore : public std::enable_shared_from_this<SessionCore> {
 public:
  // Starts connecting.
  static std::shared_ptr<SessionCore> make(std::shared_ptr<Stubs> stubs,
                                           std::shared_ptr<Deliverer> deliverer,
                                           SessionOptions options, SessionHandlers handlers,
                                           Backoff backoff);
  // Returns once no handler runs; none will start.
  void close();

  // As Session's functions of the same names.
  std::uint64_t upsert(std::vector<Agent> agents);
  std::uint64_t take_over(std::vector<Agent> agents);
  std::uint64_t report(const std::vector<AgentPosition>& positions);
  std::uint64_t remove(const std::vector<std::uint64_t>& agent_ids);
  std::uint64_t applied() const;
  std::uint64_t settled_revision() const;
  std::shared_ptr<const Path> latest_path(std::uint64_t agent_id) const;
  SessionState state() const;
  std::string id() const;
  std::string secret() const;

  // Called by the link, each on a gRPC thread.
  void on_message(const v1::SessionResponse& message);
  void on_written();
  // The stream is broken: from now on nothing may be written.
  void on_broken();
  // The link is gone.
  void on_ended(const grpc::Status& status);

 private:
  SessionCore(std::shared_ptr<Stubs> stubs, std::shared_ptr<Deliverer> deliverer,
              SessionOptions options, SessionHandlers handlers, Backoff backoff);

  void connect();
  void write_next();  // Requires mutex_.
  // Facts of a batch at its arrival.
  struct Arrival {
    std::uint64_t stream = 0;
    std::uint64_t applied_call = 0;
    std::vector<bool> is_outdated{};  // Of each event, as AgentLedger::is_outdated.
  };
  std::uint64_t put_in(std::vector<Agent> agents, bool take_over);
  void on_opened(const v1::SessionResponse::Opened& opened);
  void on_rejected(const v1::SessionResponse::Rejected& rejected);
  void on_unknown(const v1::SessionResponse::Unknown& unknown);
  void on_batch(const v1::EventBatch& batch);
  void hand_over(const v1::EventBatch& batch, const Arrival& arrival);
  void keep_path(const PathEvent& event);  // Requires mutex_.
  void tell_state(SessionState state, Error why);
  void post(std::function<void(SessionCore&)> what);

  const std::shared_ptr<Deliverer> deliverer_;
  const SessionHandlers handlers_;
  const Backoff backoff_;

  std::recursive_mutex handing_over_;
  std::atomic<bool> closed_{false};  // Set by close(): no handler starts any more.

  mutable std::mutex mutex_;
  std::shared_ptr<Stubs> stubs_;  // Let go by close(): the last reference to a channel must not be
                                  // dropped on a gRPC thread (calls.h), and an alarm's holds this.
  SessionOptions options_;        // session_id is the server's once it is known.
  SessionState state_ = SessionState::kConnecting;
  AgentLedger ledger_;
  SessionLink* link_ = nullptr;  // Owns itself; null unless messages may come.
  bool open_ = false;            // The server has sent Opened on link_.
  bool writing_ = false;
  std::uint64_t stream_ =
      0;  // Counts streams; a batch of an earlier one is not acknowledged on a later one.
  std::uint64_t to_acknowledge_ = 0;  // 0: nothing.
  std::chrono::milliseconds wait_;
  grpc::Alarm alarm_;
  std::uint64_t opened_incarnation_ = 0;  // The latest Opened names it.

  // As handed over.
  std::string epoch_;
  std::uint64_t incarnation_ = 0;
  std::uint64_t applied_call_ = 0;
  std::uint64_t settled_revision_ = 0;
  std::map<std::uint64_t, std::shared_ptr<const Path>> paths_;
};

}  // namespace repath::client
