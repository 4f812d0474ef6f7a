// The agents of one game server in one world, over one stream that heals itself.
//
// The session remembers the agents it was given. When the stream breaks it connects again with
// growing waits and resumes: what the server had not yet taken in is sent again, and each agent's
// latest verdict arrives once more; if the server forgot the session, all agents are put in anew at
// their last reported positions. What changes faster than the stream can carry is merged: only the
// latest of each agent is sent, so memory is bounded by the number of agents. Batches are
// acknowledged by themselves, after their events were handed over.
//
// Thread rule: all functions from any thread, also from handlers. Handlers run as Client says
// (poll() or the library's threads), never two at once.
//
// Ownership: the caller owns the session and destroys it before the client and outside handlers; no
// handler runs afterwards. The agents stay on the server for session_ttl; remove() them first if
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
  std::string session_id{};          // Empty: the server makes one. The same again resumes.
  std::uint32_t session_ttl_ms = 0;  // 0 means 30000.
  std::uint32_t ack_window = 0;      // 0 means 3.
  bool keep_paths = true;            // For latest_path(); off saves the memory.
};

enum class SessionState {
  kConnecting,  // Also while connecting again; the agents' paths still count.
  kOpen,
  kClosed,  // For good: refused, taken over by another stream, or the world is gone.
};

struct SessionHandlers {
  // One verdict. The event is the handler's for the length of the call.
  std::function<void(const PathEvent&)> on_event{};
  // After the events of a batch: how far silence speaks now.
  std::function<void(const BatchInfo&)> on_batch{};
  // What the call numbered `call` (or one merged with it) asked for was refused; the session goes
  // on. After the server forgot the session, an agent that another session has put in meanwhile is
  // refused with reason AGENT_OWNED; the session then no longer counts it as its own.
  std::function<void(std::uint64_t call, const Error&)> on_rejected{};
  // The call numbered `call` reported agents that are not there; its other positions were taken in.
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

  // Puts agents in or replaces them. Returns the number of this call: 1 for the session's first
  // call and so on. O(n).
  std::uint64_t upsert(std::vector<Agent> agents);
  // The same, also with agents that belong to another session; upsert() is refused for these with
  // reason AGENT_OWNED. The other session gets kRemoved with reason kTakenOver.
  std::uint64_t take_over(std::vector<Agent> agents);
  // Where agents are now, and which of their paths they follow.
  std::uint64_t report(const std::vector<AgentPosition>& positions);
  std::uint64_t remove(const std::vector<std::uint64_t>& agent_ids);

  // The greatest call number that the events handed over so far take into account, this and all
  // before it.
  [[nodiscard]] std::uint64_t applied() const;
  // The latest event of each agent holds at this revision, for agents and positions up to
  // applied(); nothing is claimed of the revisions before it that were not named.
  [[nodiscard]] std::uint64_t settled_revision() const;
  // The path that counts, null if there is none (broken, unreachable, not there yet, or to a goal
  // that an upsert has replaced) or paths are not kept. It never changes once handed out.
  [[nodiscard]] std::shared_ptr<const Path> latest_path(std::uint64_t agent_id) const;

  [[nodiscard]] SessionState state() const;
  // Empty until the server has said it, if it makes one.
  [[nodiscard]] std::string id() const;

 private:
  std::shared_ptr<SessionCore> core_;
};

}  // namespace repath::client
