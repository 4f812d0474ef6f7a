// The agents of one game server in one world, over one stream that reconnects by itself.
//
// The session remembers its agents. When the stream breaks, it reconnects with growing waits and
// resumes: it repeats messages that the server had not taken in, and each agent's latest verdict
// arrives once more. The server ends with what the game last said of each agent: upserts and
// removals of the same agent keep their order, and of positions the latest one is sent. If the
// server has forgotten the session, all agents are added again at their last reported positions. If
// the server was restarted, settled_revision() begins at 0 again, and messages that were not on its
// disk are repeated, with the positions of all agents. Each agent then gets a new verdict: kNewPath
// with reason kRecovered, kUnreachable, kPartial or kStartBlocked. Its path of before counts until
// then. Changes that come faster than the stream can carry are merged: only the latest of each
// agent is sent, so memory is bounded by the number of agents. Batches are acknowledged
// automatically, after their events were handed over.
//
// Thread rule: all functions from any thread, also from handlers. Handlers run as Client says
// (poll() or the library's threads), never two at once.
//
// Ownership: the caller owns the session and destroys it before the client and outside handlers; no
// handler runs afterwards. The agents stay on the server for session_ttl_ms; remove() them first if
// they should not.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "repath/result.h"
#include "repath/values.h"

namespace repath::client {

struct SessionOptions {
  std::string world{};
  std::string session_id{};  // Empty: the server chooses one. A known id resumes.
  // Secret of the session, at most 64 bytes. Other clients without it can neither resume the
  // session nor act for it. Empty: the library chooses one if session_id is empty too; else there
  // is none.
  std::string session_secret{};
  std::uint32_t session_ttl_ms = 0;  // 0 means 30000.
  std::uint32_t ack_window = 0;      // 0 means 3.
  bool keep_paths = true;            // For latest_path(); off saves the memory.
};

enum class SessionState {
  kConnecting,  // Also while it reconnects; the agents' paths still count.
  kOpen,
  kClosed,  // For good: refused, taken over by another stream, or the world is gone.
};

struct SessionHandlers {
  // Takes one verdict. The event is valid during the call.
  std::function<void(const PathEvent&)> on_event{};
  // Called after the events of a batch, with the revision at which silence means CONFIRMED.
  std::function<void(const BatchInfo&)> on_batch{};
  // The server refused the call numbered `call`, or one merged with it; the session goes on. An
  // index in Error::field is that in the list of this call. A refusal that is lost with a broken
  // stream is not handed over. If the
  // server forgot the session and another session has added an agent since, that agent is refused
  // with reason AGENT_OWNED. The session then drops it.
  std::function<void(std::uint64_t call, const Error&)> on_rejected{};
  // The call numbered `call` reported agents that do not exist; its other positions took effect.
  std::function<void(std::uint64_t call, const std::vector<std::uint64_t>& agent_ids)> on_unknown{};
  // kConnecting with the reason after a break, kOpen, kClosed with the reason.
  std::function<void(SessionState, const Error&)> on_state{};
};

class SessionCore;

class Session {
 public:
  // By Client::open_session.
  explicit Session(std::shared_ptr<SessionCore> core);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Adds or replaces agents. Returns the number of this call, counted from 1 in each session. More
  // than 1024 agents go in several messages, and so do more than 8192 positions or removals. Each
  // message takes effect or is refused by itself, so a call may take effect in part. O(n log n).
  std::uint64_t upsert(std::vector<Agent> agents);
  // The same, also with agents that belong to another session; upsert() is refused for these with
  // reason AGENT_OWNED. The other session gets kRemoved with reason kTakenOver.
  std::uint64_t take_over(std::vector<Agent> agents);
  // Reports positions of agents, and the paths that they follow.
  std::uint64_t report(const std::vector<AgentPosition>& positions);
  // Removes agents. latest_path() has none of theirs from now on. A server that had forgotten the
  // session by then sends no kRemoved for them.
  std::uint64_t remove(const std::vector<std::uint64_t>& agent_ids);

  // Returns the greatest call number such that the events so far take into account this call and
  // all before it. On a durable world these calls also outlive a restart of the server; only then
  // may the number fall.
  [[nodiscard]] std::uint64_t applied() const;
  // Returns the revision at which the latest event of each agent holds, for agents and positions up
  // to applied(). Revisions that no batch named are left out. 0 after a restart of the server,
  // until every agent has its new verdict.
  [[nodiscard]] std::uint64_t settled_revision() const;
  // Returns the agent's current path. Null if it has none (broken, unreachable, not computed yet,
  // to a goal that an upsert has replaced, or of an agent that was removed) or if paths are not
  // kept. A path counts from the event that brings it, if Agent::goal_generation is greater than in
  // all upserts of the agent before; else once the server has taken the upsert in. A path that was
  // returned does not change.
  [[nodiscard]] std::shared_ptr<const Path> latest_path(std::uint64_t agent_id) const;

  [[nodiscard]] SessionState state() const;
  // Returns the session id; empty until the server has chosen it.
  [[nodiscard]] std::string id() const;
  // Returns the secret; empty if the session has none. Another process needs both, id and secret,
  // to resume the session.
  [[nodiscard]] std::string secret() const;

 private:
  std::shared_ptr<SessionCore> core_;
};

}  // namespace repath::client
