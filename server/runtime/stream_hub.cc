#include "runtime/stream_hub.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "runtime/threads.h"

namespace repath {
namespace {

absl::Status exhausted(std::string_view reason, std::uint64_t most, std::string_view what) {
  return make_error(
      absl::StatusCode::kResourceExhausted, reason, "",
      "the world has " + std::to_string(most) + " " + std::string(what) + ", its limit");
}

}  // namespace

std::string random_name() {
  std::random_device device;
  std::string name;
  for (int word = 0; word < 4; ++word) absl::StrAppend(&name, absl::Hex(device(), absl::kZeroPad8));
  return name;
}

StreamHub::StreamHub(Engine& engine, Journal& journal, const Bounds& bounds, Metrics& metrics)
    : engine_(engine),
      journal_(journal),
      latest_(engine),
      bounds_(bounds),
      diary_(bounds.diary_bytes),
      metrics_(metrics) {}

StreamHub::StreamHub(Engine& engine, const Bounds& bounds, Metrics& metrics)
    : engine_(engine),
      own_journal_(std::make_unique<Journal>(engine)),
      journal_(*own_journal_),
      latest_(engine),
      bounds_(bounds),
      diary_(bounds.diary_bytes),
      metrics_(metrics) {}

std::uint64_t StreamHub::coalesced() const {
  std::uint64_t sum = coalesced_before_;
  for (const auto& [id, stream] : streams_) sum += std::as_const(*stream).outbox().coalesced();
  return sum;
}

Stream* StreamHub::find(StreamId id) {
  const auto at = streams_.find(id);
  return at == streams_.end() ? nullptr : at->second.get();
}

StreamHub::Session* StreamHub::session_of(OwnerId owner) {
  const auto at = by_owner_.find(owner);
  return at == by_owner_.end() ? nullptr : at->second;
}

std::optional<StreamId> StreamHub::attached(OwnerId owner) const {
  const auto session = by_owner_.find(owner);
  return session == by_owner_.end() ? std::nullopt : session->second->stream;
}

absl::Status StreamHub::open_session(StreamId id, const SessionOpen& open,
                                     std::shared_ptr<EventSink> sink, Micros now) {
  const std::string name = open.session_id.empty() ? random_name() : open.session_id;
  const auto known = sessions_.find(name);
  const bool resumed = known != sessions_.end();
  if (resumed) REPATH_RETURN_IF_ERROR(check_proof(known->second, open.proof, "open."));
  if (!resumed && sessions_.size() >= bounds_.sessions_max) {
    return exhausted("SESSIONS_MAX", bounds_.sessions_max, "sessions");
  }
  const auto same_client = [&](const auto& entry) {
    return entry.second.opened_by() == open.client && entry.first != name;
  };
  if (!open.client.empty() && sessions_.size() >= bounds_.sessions_per_client_max &&
      static_cast<std::uint64_t>(std::ranges::count_if(sessions_, same_client)) >=
          bounds_.sessions_per_client_max) {
    return exhausted("SESSIONS_MAX", bounds_.sessions_per_client_max, "sessions of this client");
  }
  Session& session = sessions_[name];
  if (!resumed) {
    session.owner = OwnerId{++last_owner_};
    session.name = name;
    session.opened_at = wall_now_us();
    by_owner_[session.owner] = &session;
  }
  if (session.stream) {
    const StreamId older = *session.stream;
    find(older)->sink().on_end(make_error(absl::StatusCode::kAborted, "SESSION_TAKEN_OVER", "",
                                          "another stream opened the session '" + name + "'"));
    drop_stream(older, now);
  }
  session.client = open.client;
  if (open.proof.secret) session.proof.secret = open.proof.secret;
  if (!open.proof.identity.empty()) session.proof.identity = open.proof.identity;
  session.seen_at = wall_now_us();
  session.ttl_us = open.ttl_us;
  session.stream = id;
  session.left_at = 0;
  session.expires_at.reset();
  note_safe(session, journal_.durable());
  begin_count(session, open.sequence);
  auto stream = std::make_unique<Stream>(Audience{session.owner, {}}, open.ack_window,
                                         std::move(sink), &durable_);
  stream->set_sequence(open.sequence);
  record(session);
  std::vector<AgentId> agents;
  if (resumed) agents = engine_.agent_ids(session.owner);
  stream->sink().on_opened(
      {name, resumed, engine_.revision(), agents.size(), durable(), session.safe_before});
  stream->begin_with(std::move(agents), Revision{});
  Stream& opened = *streams_.emplace(id, std::move(stream)).first->second;
  for (const auto& [agent, event] : session.taken) opened.outbox().put(event);
  backlog_bytes_ += opened.outbox().bytes();
  commit(&session);
  pump(opened, now, /*notice=*/true);
  return absl::OkStatus();
}

absl::Status StreamHub::open_watch(StreamId id, WatchOpen open, std::shared_ptr<EventSink> sink,
                                   Micros now) {
  if (watches_ >= bounds_.watches_max)
    return exhausted("WATCHES_MAX", bounds_.watches_max, "watches");
  std::ranges::sort(open.agents);
  open.agents.erase(std::unique(open.agents.begin(), open.agents.end()), open.agents.end());
  std::vector<AgentId> first = open.agents.empty() ? latest_.agents() : open.agents;
  auto stream = std::make_unique<Stream>(Audience{std::nullopt, std::move(open.agents)}, 1,
                                         std::move(sink), &durable_);
  stream->begin_with(std::move(first), open.start_revision);
  ++watches_;
  Stream& opened = *streams_.emplace(id, std::move(stream)).first->second;
  backlog_bytes_ += opened.outbox().bytes();
  pump(opened, now, /*notice=*/true);
  return absl::OkStatus();
}

void StreamHub::pump(Stream& stream, Micros now, bool notice) {
  if (stream.outbox().begins()) latest_.use(now);
  change_outbox(stream, [&](Outbox&) { stream.pump(latest_, frame_, now, notice); });
}

void StreamHub::shed(Micros now) {
  std::vector<std::pair<std::size_t, StreamId>> most;
  for (const auto& [id, stream] : streams_) most.emplace_back(stream->outbox().bytes(), id);
  std::ranges::sort(most, std::ranges::greater());
  const absl::Status status =
      make_error(absl::StatusCode::kResourceExhausted, "STREAM_BACKLOG", "",
                 "the client reads too slowly: the events that the world's streams have not sent "
                 "exceed their limit (--stream-backlog-mb); open the stream again");
  for (const auto& [bytes, id] : most) {
    if (backlog_bytes_ <= bounds_.backlog_bytes_max / 4 * 3) return;
    find(id)->sink().on_end(status);
    drop_stream(id, now);
  }
}

bool StreamHub::take(StreamId id, SessionMessage message, Micros now) {
  Stream* stream = find(id);
  if (stream == nullptr) return false;
  if (message.sequence <= stream->sequence()) {
    stream->sink().on_rejected(
        message.sequence,
        invalid_field("SEQUENCE_NOT_RISING", "sequence",
                      "must be greater than " + std::to_string(stream->sequence())));
    return false;
  }
  Session& session = *by_owner_.at(*stream->audience().owner);
  session.seen_at = wall_now_us();
  apply_message(message, *stream, session, now);
  commit(&session);
  const bool is_acknowledgement =
      std::holds_alternative<SessionMessage::Acknowledge>(message.action);
  if (!is_acknowledgement) deliver(now);
  return !is_acknowledgement;
}

void StreamHub::apply_message(SessionMessage& message, Stream& stream, Session& session,
                              Micros now) {
  const std::uint64_t before = session.sequence;
  stream.set_sequence(message.sequence);
  session.sequence = message.sequence;
  const absl::Status status =
      std::visit([&](auto& action) { return apply(action, stream, now); }, message.action);
  if (status.ok()) return;
  stream.sink().on_rejected(message.sequence, status);
  const std::uint64_t known = session.unread ? session.unread->sequence : before;
  session.unread = Session::Unread{known, stream.last_batch() + 1};
}

absl::Status StreamHub::apply(SessionMessage::Acknowledge& action, Stream& stream, Micros now) {
  const auto arrived = stream.acknowledge(action.batch_number);
  if (!arrived.ok()) return arrived.status();
  const OwnerId owner = *stream.audience().owner;
  for (const auto& [agent, version] : arrived->paths) {
    if (engine_.owner_of(agent) == owner) engine_.acknowledge(agent, version);
  }
  Session& session = *by_owner_.at(owner);
  for (const EventPtr& event : arrived->taken) {
    const auto at = session.taken.find(event->agent);
    if (at != session.taken.end() && at->second == event) session.taken.erase(at);
  }
  if (session.unread && action.batch_number >= session.unread->batch) session.unread.reset();
  if (!arrived->taken.empty()) record(session);
  commit(&session);
  pump(stream, now, /*notice=*/false);
  return absl::OkStatus();
}

absl::Status StreamHub::apply(SessionMessage::Upsert& action, Stream& stream, Micros now) {
  REPATH_RETURN_IF_ERROR(journal_.accepts(Durability::kApplied));
  return with_field_prefix(upsert_as(*stream.audience().owner, action, now), "upsert.");
}

absl::Status StreamHub::apply(SessionMessage::Report& action, Stream& stream, Micros now) {
  auto unknown = report_as(*stream.audience().owner, action, now);
  if (!unknown.ok()) return with_field_prefix(unknown.status(), "report.");
  if (!unknown->empty()) stream.sink().on_unknown(stream.sequence(), *std::move(unknown));
  return absl::OkStatus();
}

absl::Status StreamHub::apply(SessionMessage::Remove& action, Stream& stream, Micros) {
  REPATH_RETURN_IF_ERROR(journal_.accepts(Durability::kApplied));
  return with_field_prefix(remove_as(*stream.audience().owner, action).status(), "remove.");
}

absl::Status StreamHub::apply(SessionMessage::Refused& action, Stream&, Micros) {
  return action.status;
}

void StreamHub::ready(StreamId id, Micros now) {
  Stream* stream = find(id);
  if (stream == nullptr) return;
  (void)stream->acknowledge(stream->last_batch());
  pump(*stream, now, /*notice=*/false);
}

void StreamHub::detach(StreamId id, Micros now) {
  drop_stream(id, now);
  commit(nullptr);
}

StreamHub::Session* StreamHub::take_away(StreamId id) {
  const auto at = streams_.find(id);
  if (at == streams_.end()) return nullptr;
  const std::optional<OwnerId> owner = at->second->audience().owner;
  backlog_bytes_ -= at->second->outbox().bytes();
  coalesced_before_ += at->second->outbox().coalesced();
  streams_.erase(at);
  if (!owner) {
    --watches_;
    return nullptr;
  }
  Session* const session = by_owner_.at(*owner);
  session->stream.reset();
  session->seen_at = wall_now_us();
  return session;
}

void StreamHub::drop_stream(StreamId id, Micros now) {
  Session* const session = take_away(id);
  if (session == nullptr) return;
  session->expires_at = now + session->ttl_us;
  session->left_at = session->seen_at;
  record(*session);
}

absl::StatusOr<OwnerId> StreamHub::owner_of(const std::string& session_id) const {
  if (session_id.empty()) return kNoOwner;
  const auto at = sessions_.find(session_id);
  if (at != sessions_.end()) return at->second.owner;
  return session_unknown(session_id);
}

absl::Status StreamHub::session_unknown(const std::string& session_id) {
  return make_error(absl::StatusCode::kNotFound, "SESSION_UNKNOWN", "session_id",
                    "there is no session '" + session_id + "'; it may have expired");
}

std::uint64_t StreamHub::sequence_of(const std::string& session_id) const {
  const auto at = sessions_.find(session_id);
  return at == sessions_.end() ? 0 : at->second.sequence;
}

const Stream* StreamHub::stream_of(const std::string& session_id) const {
  const auto at = sessions_.find(session_id);
  if (at == sessions_.end() || !at->second.stream) return nullptr;
  return streams_.at(*at->second.stream).get();
}

void StreamHub::put(StreamId id, Stream& stream, const EventPtr& event) {
  change_outbox(stream, [&](Outbox& outbox) { outbox.put(event); });
  touched_.insert(id);
}

template <class Do>
void StreamHub::for_each_watch_of(AgentId agent, Do&& act) {
  if (watches_ == 0) return;
  for (auto& [id, stream] : streams_)
    if (!stream->audience().owner && stream->audience().includes(agent)) act(id, *stream);
}

void StreamHub::route_events(Micros now) {
  latest_.forget();  // the engine may have changed
  for (AgentEvent& event : engine_.take_events()) {
    if (event.type == EventType::kAsked) {
      drop_unsent(event.agent, event.owner);
      continue;
    }
    metrics_.count_verdict(event.type, event.waited_us);
    const std::optional<StreamId> to = attached(event.owner);
    if (!to && watches_ == 0 && !diary_.keeps()) continue;
    const EventPtr shared = share(std::move(event));
    diary_.add(shared, now);
    if (to) put(*to, *streams_.at(*to), shared);
    for_each_watch_of(shared->agent, [&](StreamId id, Stream& watch) { put(id, watch, shared); });
    if (backlog_bytes_ > bounds_.backlog_bytes_max) shed(now_us());
  }
}

void StreamHub::drop_unsent(AgentId agent, OwnerId owner) {
  const auto drop = [agent](Outbox& outbox) { outbox.drop(agent); };
  if (const auto to = attached(owner)) change_outbox(*streams_.at(*to), drop);
  for_each_watch_of(agent, [&](StreamId, Stream& watch) { change_outbox(watch, drop); });
}

void StreamHub::deliver(Micros now) {
  route_events(now);
  for (const StreamId id : std::exchange(touched_, {})) {
    if (Stream* stream = find(id)) pump(*stream, now, /*notice=*/false);
  }
}

void StreamHub::deliver_frame(std::uint64_t frame, Micros now) {
  frame_ = frame;
  route_events(now);
  touched_.clear();
  for (auto& [id, stream] : streams_) pump(*stream, now, /*notice=*/true);
}

std::optional<Micros> StreamHub::next_expiry() const {
  std::optional<Micros> first;
  for (const auto& [name, session] : sessions_) {
    if (session.expires_at && (!first || *session.expires_at < *first)) first = session.expires_at;
  }
  return first;
}

std::vector<StreamHub::Expired> StreamHub::expire(Micros now) {
  std::vector<Expired> expired;
  std::erase_if(sessions_, [&](const auto& entry) {
    const Session& session = entry.second;
    if (!session.expires_at || *session.expires_at > now) return false;
    remove_session(session);
    expired.push_back({session.name, session.proof.identity});
    return true;
  });
  commit(nullptr);
  deliver(now);
  return expired;
}

void StreamHub::end_all(const absl::Status& status, Micros now) {
  route_events(now);
  for (auto& [id, stream] : streams_) stream->finish(latest_, frame_, now, status);
  // A session's row goes on to say that it has a stream, so its time begins at the next start.
  while (!streams_.empty())
    if (const Session* session = take_away(streams_.begin()->first)) record(*session);
  backlog_bytes_ = 0;
  commit(nullptr);
  latest_.forget();
}

void StreamHub::abandon(const absl::Status& status) {
  for (auto& [id, stream] : streams_) stream->sink().on_end(status);
  streams_.clear();
  touched_.clear();
  by_owner_.clear();
  unsafe_.clear();
  sessions_.clear();
  watches_ = 0;
  backlog_bytes_ = 0;
  latest_.forget();
}

// ---- what outlives the process ----

void StreamHub::record(const Session& session) {
  if (!journal_.keeps_rows()) return;
  const std::uint64_t sequence = session.unread ? session.unread->sequence : session.sequence;
  SessionRow row{session.name, session.ttl_us, sequence, session.left_at, {}};
  if (const auto& secret = session.proof.secret) row.secret.assign(secret->begin(), secret->end());
  row.identity = session.proof.identity;
  row.opened_at = session.opened_at;
  row.taken.reserve(session.taken.size() * kTakenBytes);
  for (const auto& [agent, event] : session.taken)
    for (std::size_t i = 0; i < kTakenBytes; ++i)
      row.taken.push_back(static_cast<char>((value(agent) >> (8 * i)) & 0xff));
  journal_.put(std::move(row));
}

void StreamHub::commit(Session* session) {
  const Lsn before = journal_.last();
  const Lsn now = journal_.commit();
  if (session == nullptr) return;
  if (now != before) session->last_unit = now;
  if (session->unsafe.empty() && session->last_unit <= journal_.durable()) {
    session->safe_sequence = session->sequence;
  } else if (!session->unsafe.empty() && session->unsafe.back().second == session->last_unit) {
    session->unsafe.back().first = session->sequence;
  } else {
    session->unsafe.emplace_back(session->sequence, session->last_unit);
    unsafe_.insert(session->owner);
  }
  if (session->stream) find(*session->stream)->set_safe_sequence(session->safe_sequence);
}

void StreamHub::note_safe(Session& session, Lsn durable) {
  while (!session.unsafe.empty() && session.unsafe.front().second <= durable) {
    session.safe_sequence = session.unsafe.front().first;
    session.unsafe.pop_front();
  }
}

bool StreamHub::note_durable(Lsn durable) {
  bool has_news = false;
  for (auto at = unsafe_.begin(); at != unsafe_.end();) {
    Session& session = *by_owner_.at(*at);
    note_safe(session, durable);
    at = session.unsafe.empty() ? unsafe_.erase(at) : std::next(at);
    if (!session.stream) continue;
    Stream& stream = *find(*session.stream);
    stream.set_safe_sequence(session.safe_sequence);
    has_news = has_news || stream.tells_less_than_safe();
  }
  return has_news;
}

}  // namespace repath
