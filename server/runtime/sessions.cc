// StreamHub's sessions as a whole: who may act for one, which there are, and their end.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/same_secret.h"
#include "runtime/stream_hub.h"
#include "runtime/threads.h"

namespace repath {
namespace {

absl::Status session_denied(std::string_view prefix, const char* field, const std::string& why) {
  return with_field_prefix(
      make_error(absl::StatusCode::kPermissionDenied, "SESSION_DENIED", field, why), prefix);
}

}  // namespace

absl::Status StreamHub::check_proof(const Session& session, const SessionProof& proof,
                                    std::string_view prefix) {
  const SessionProof& own = session.proof;
  // Without tokens no caller has an identity, and everyone may do everything.
  if (!own.identity.empty() && !proof.identity.empty() && own.identity != proof.identity)
    return session_denied(prefix, "session_id",
                          "the session '" + session.name +
                              "' belongs to another token or certificate; open one of your own");
  if (!own.secret || (proof.secret && is_same_secret(*own.secret, *proof.secret)))
    return absl::OkStatus();
  return session_denied(
      prefix, "session_secret",
      "must be the secret with which the session '" + session.name + "' was opened");
}

SessionPage StreamHub::list(const std::string& after, std::size_t limit, Micros now) const {
  std::map<OwnerId, std::uint64_t> agents;
  for (const AgentId id : engine_.agent_ids(std::nullopt))
    if (const auto owner = engine_.owner_of(id)) ++agents[*owner];
  const WallMicros wall = wall_now_us();
  SessionPage page;
  auto at = sessions_.upper_bound(after);
  for (; at != sessions_.end() && page.sessions.size() < limit; ++at) {
    const Session& session = at->second;
    SessionView& view = page.sessions.emplace_back();
    view.name = session.name;
    view.client = session.opened_by();
    view.is_connected = session.stream.has_value();
    view.has_secret = session.proof.secret.has_value();
    if (const auto count = agents.find(session.owner); count != agents.end())
      view.agents = count->second;
    view.opened_at = session.opened_at;
    view.idle_us = wall - std::min(wall, session.seen_at);
    view.ttl_us = session.ttl_us;
    view.applied_sequence = session.safe_sequence;
    if (session.stream)
      view.unsent_bytes = std::as_const(*streams_.at(*session.stream)).outbox().bytes();
    if (session.expires_at) view.left_us = *session.expires_at - std::min(*session.expires_at, now);
  }
  page.is_last = at == sessions_.end();
  return page;
}

// A client sends again what came after `safe_before`, so a rejection that it may not have read
// keeps that below. The new stream begins with it, and so each batch of it that the client
// acknowledges proves that the client knows.
void StreamHub::begin_count(Session& session, std::uint64_t sequence) {
  if (session.safe_sequence != 0) session.safe_before = session.safe_sequence;
  if (session.unread) {
    session.safe_before = std::min(session.safe_before, session.unread->sequence);
    session.unread = Session::Unread{session.safe_before, 1};
  }
  session.sequence = sequence;
  session.safe_sequence = 0;
  session.unsafe.clear();
}

absl::StatusOr<std::uint64_t> StreamHub::close(const std::string& session_id, Micros now) {
  REPATH_RETURN_IF_ERROR(
      journal_.accepts(journal_.keeps_rows() ? Durability::kLocalDisk : Durability::kApplied));
  const auto at = sessions_.find(session_id);
  if (at == sessions_.end()) return session_unknown(session_id);
  if (at->second.stream) {
    const StreamId stream = *at->second.stream;
    find(stream)->sink().on_end(make_error(absl::StatusCode::kAborted, "SESSION_CLOSED", "",
                                           "the session '" + session_id + "' was closed"));
    drop_stream(stream, now);
  }
  const std::uint64_t removed = remove_session(at->second);
  sessions_.erase(at);
  commit(nullptr);
  return removed;
}

std::uint64_t StreamHub::remove_session(const Session& session) {
  const std::uint64_t removed = journal_.remove_owner(session.owner, EventReason::kSessionExpired);
  journal_.drop_session(session.name);
  unsafe_.erase(session.owner);
  by_owner_.erase(session.owner);
  return removed;
}

}  // namespace repath
