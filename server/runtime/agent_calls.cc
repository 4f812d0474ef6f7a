// StreamHub's upsert, report and remove: the changes that callers make to agents, and who may make
// them.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "runtime/stream_hub.h"
#include "runtime/threads.h"

namespace repath {
namespace {

// Maximum number of agents that may be taken from a session before its client acknowledges it.
constexpr std::size_t kTakenMax = 65'536;

absl::Status owned(const std::string& field) {
  return make_error(absl::StatusCode::kPermissionDenied, "AGENT_OWNED", field,
                    "the agent belongs to another session; upsert it with take_over to take it");
}

// Makes the event for an agent's old owner after another owner has taken the agent.
AgentEvent taken_over(const AgentView& agent, Revision revision) {
  AgentEvent event;
  event.type = EventType::kRemoved;
  event.reason = EventReason::kTakenOver;
  event.agent = agent.spec.id;
  event.owner = agent.owner;
  event.revision = revision;
  event.position = agent.node;
  event.spot = agent.spot;
  event.path_version = agent.verdict.path_version;
  event.goal_generation = agent.spec.goal_generation;
  return event;
}

}  // namespace

bool StreamHub::may_change(AgentId agent, OwnerId caller) const {
  const std::optional<OwnerId> owner = engine_.owner_of(agent);
  return !owner || *owner == kNoOwner || *owner == caller;
}

absl::StatusOr<OwnerId> StreamHub::begin_call(const Caller& caller, bool changes) {
  if (changes)  // its answer waits for the disk, if the world has one
    REPATH_RETURN_IF_ERROR(
        journal_.accepts(journal_.keeps_rows() ? Durability::kLocalDisk : Durability::kApplied));
  absl::StatusOr<OwnerId> owner = owner_of(caller.session_id);
  if (!owner.ok()) return owner;
  if (*owner == kNoOwner) {
    if (caller.sequence == 0) return owner;
    return invalid_field("SESSION_MISSING", "sequence", "must be 0 in a call without a session_id");
  }
  Session& session = sessions_.at(caller.session_id);
  REPATH_RETURN_IF_ERROR(check_proof(session, caller.proof, ""));
  session.seen_at = wall_now_us();
  if (caller.sequence == 0) return owner;
  if (caller.sequence <= session.sequence) {
    return invalid_field("SEQUENCE_NOT_RISING", "sequence",
                         "must be greater than " + std::to_string(session.sequence));
  }
  session.sequence = caller.sequence;
  if (session.stream) find(*session.stream)->set_sequence(caller.sequence);
  return owner;
}

absl::StatusOr<StreamHub::Taken> StreamHub::to_take(OwnerId caller,
                                                    const SessionMessage::Upsert& message) const {
  Taken taken;
  for (std::size_t i = 0; i < message.agents.size(); ++i) {
    const AgentId agent = message.agents[i].id;
    const std::optional<OwnerId> owner = engine_.owner_of(agent);
    if (!owner || *owner == caller) continue;
    if (*owner != kNoOwner && !message.take_over) return owned(item("agents", i) + ".id");
    const auto session = by_owner_.find(*owner);
    if (session != by_owner_.end() && session->second->taken.size() >= kTakenMax) {
      return make_error(absl::StatusCode::kResourceExhausted, "TAKEN_MAX",
                        item("agents", i) + ".id",
                        "the session that owns the agent has not yet acknowledged the loss of " +
                            std::to_string(kTakenMax) + " agents; try again later");
    }
    const auto views = engine_.agents(agent, 1, /*with_paths=*/false, std::nullopt);
    taken.push_back(taken_over(views.at(0), engine_.revision()));
  }
  return taken;
}

// Moves each agent from its old owner's stream to the new owner's, which does not have its verdict
// yet.
void StreamHub::hand_over(Taken taken, OwnerId caller) {
  const std::optional<StreamId> to = attached(caller);
  std::set<OwnerId> losers;
  for (AgentEvent& event : taken) {
    const std::optional<StreamId> from = attached(event.owner);
    const auto session = by_owner_.find(event.owner);
    const EventPtr shared = share(std::move(event));
    if (from) put(*from, *streams_.at(*from), shared);
    if (session != by_owner_.end()) {
      session->second->taken[shared->agent] = shared;
      losers.insert(shared->owner);
    }
    if (!to) continue;
    change_outbox(*streams_.at(*to), [&](Outbox& outbox) { outbox.put_latest(shared->agent); });
    touched_.insert(*to);
  }
  for (const OwnerId loser : losers) record(*by_owner_.at(loser));
}

absl::Status StreamHub::upsert_as(OwnerId caller, const SessionMessage::Upsert& message,
                                  Micros now) {
  REPATH_ASSIGN_OR_RETURN(Taken taken, to_take(caller, message));
  std::vector<AgentId> added;
  for (const AgentSpec& agent : message.agents)
    if (!engine_.owner_of(agent.id)) added.push_back(agent.id);
  route_events(now);  // earlier events go to the earlier owners
  Session* session = session_of(caller);
  REPATH_RETURN_IF_ERROR(journal_.upsert(message.agents, message.bytes, caller,
                                         session == nullptr ? "" : session->name, now));
  // Otherwise a reader would take the end of an earlier agent with this id for the end of the new
  // one.
  for (const AgentId agent : added) drop_unsent(agent, caller);
  route_events(now);
  hand_over(std::move(taken), caller);
  if (session == nullptr) return absl::OkStatus();
  for (const AgentSpec& agent : message.agents) session->taken.erase(agent.id);
  record(*session);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<AgentId>> StreamHub::report_as(OwnerId caller,
                                                          const SessionMessage::Report& message,
                                                          Micros now) {
  for (std::size_t i = 0; i < message.positions.size(); ++i)
    if (!may_change(message.positions[i].id, caller)) return owned(item("positions", i) + ".id");
  return journal_.report(message.positions, now);
}

absl::StatusOr<std::uint64_t> StreamHub::remove_as(OwnerId caller,
                                                   const SessionMessage::Remove& message) {
  for (std::size_t i = 0; i < message.agents.size(); ++i)
    if (!may_change(message.agents[i], caller)) return owned(item("agent_ids", i));
  const std::uint64_t removed = journal_.remove(message.agents, EventReason::kRemovedByClient);
  if (Session* session = session_of(caller)) record(*session);
  return removed;
}

absl::Status StreamHub::upsert(const Caller& caller, const SessionMessage::Upsert& message,
                               Micros now) {
  REPATH_ASSIGN_OR_RETURN(const OwnerId owner, begin_call(caller, /*changes=*/true));
  absl::Status status = upsert_as(owner, message, now);
  commit(session_of(owner));
  return status;
}

absl::StatusOr<std::vector<AgentId>> StreamHub::report(const Caller& caller,
                                                       const SessionMessage::Report& message,
                                                       Micros now) {
  REPATH_ASSIGN_OR_RETURN(const OwnerId owner, begin_call(caller, /*changes=*/false));
  auto unknown = report_as(owner, message, now);
  commit(session_of(owner));
  return unknown;
}

absl::StatusOr<std::uint64_t> StreamHub::remove(const Caller& caller,
                                                const SessionMessage::Remove& message) {
  REPATH_ASSIGN_OR_RETURN(const OwnerId owner, begin_call(caller, /*changes=*/true));
  auto removed = remove_as(owner, message);
  commit(session_of(owner));
  return removed;
}

void StreamHub::restore_session(const SessionRow& row, OwnerId owner, Micros expires_at) {
  Session& session = sessions_[row.name];
  session.owner = owner;
  session.name = row.name;
  session.ttl_us = row.ttl_us;
  session.sequence = session.safe_sequence = row.sequence;
  session.expires_at = expires_at;
  session.left_at = session.seen_at = row.left_at;
  session.opened_at = row.opened_at;
  session.proof.identity = row.identity;
  Sha256::Digest secret{};
  if (row.secret.size() == secret.size()) {
    std::ranges::copy(row.secret, secret.begin());
    session.proof.secret = secret;
  }
  by_owner_[owner] = &session;
  last_owner_ = std::max(last_owner_, static_cast<std::uint32_t>(owner));
  for (std::size_t at = 0; at + kTakenBytes <= row.taken.size(); at += kTakenBytes) {
    AgentEvent event;
    event.type = EventType::kRemoved;
    event.reason = EventReason::kTakenOver;
    for (std::size_t i = 0; i < kTakenBytes; ++i)
      event.agent =
          AgentId{value(event.agent) | std::uint64_t{static_cast<unsigned char>(row.taken[at + i])}
                                           << (8 * i)};
    event.owner = owner;
    event.revision = engine_.revision();
    const AgentId agent = event.agent;
    session.taken[agent] = share(std::move(event));
  }
}

}  // namespace repath
