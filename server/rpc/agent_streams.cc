#include "rpc/agent_streams.h"

#include <utility>

#include "base/check.h"
#include "rpc/agent_messages.h"
#include "rpc/call_ledger.h"
#include "rpc/event_bytes.h"
#include "rpc/raw_message.h"
#include "rpc/world_messages.h"

namespace repath {
// ---- session ----

// Reads follow one another, so later reads see the members that the first one set.
void SessionStream::OnReadDone(bool ok) {
  if (!ok) return end(host_ ? absl::OkStatus() : to_open({}, registry_.limits()).status());
  if (absl::Status status = take(); !status.ok()) end(std::move(status));
}

absl::Status SessionStream::take() {
  CallLedger::received(context_, received_.Length());
  const std::uint64_t bytes = decoded_bytes(*v1::SessionRequest::descriptor(), received_);
  REPATH_RETURN_IF_ERROR(check_decoded(bytes));
  REPATH_ASSIGN_OR_RETURN(auto held, CallLedger::hold(context_, bytes));
  v1::SessionRequest request;
  REPATH_RETURN_IF_ERROR(read_message(received_, &request));
  received_.Clear();
  if (!host_) {
    REPATH_RETURN_IF_ERROR(open(request));
    read_on();
    return absl::OkStatus();
  }
  SessionMessage message = to_session_message(request, map_, host_->keeps_bytes());
  if (request.has_upsert())
    if (absl::Status refused = host_->pressure().check(Load::kEdit); !refused.ok())
      message.action = SessionMessage::Refused{std::move(refused)};
  host_->session_message(stream_, std::move(message),
                         [self = self(), held = std::move(held)] { self->read_on(); });
  return absl::OkStatus();
}

absl::Status SessionStream::open(const v1::SessionRequest& request) {
  REPATH_ASSIGN_OR_RETURN(SessionOpen opening, to_open(request, registry_.limits()));
  opening.client = CallLedger::client_name(context_);
  opening.proof.identity = access_.caller_name();
  auto host = find_world(registry_, request.open().world());
  if (!host.ok()) return with_field_prefix(host.status(), "open.");
  map_ = map_units((*host)->facts());
  host_ = *std::move(host);
  is_bound_ = true;
  stream_ = host_->open_session(std::move(opening), self());
  return absl::OkStatus();
}

void SessionStream::read_on() {
  on_strand([this] {
    if (is_over()) return;
    read_when_drained_ = queued() > kQueuedMax;
    if (!read_when_drained_) StartRead(&received_);
  });
}

void SessionStream::on_drained() {
  if (!read_when_drained_) return;
  read_when_drained_ = false;
  StartRead(&received_);
}

void SessionStream::on_opened(const SessionOpened& opened) {
  access_.audit({.world = host_->facts().name,
                 .session = opened.session_id,
                 .revision = value(opened.revision),
                 .resumed = opened.resumed});
  enqueue([this, opened](grpc::ByteBuffer* bytes) {
    v1::SessionResponse message;
    auto* out = message.mutable_opened();
    out->set_session_id(opened.session_id);
    out->set_resumed(opened.resumed);
    out->set_revision(value(opened.revision));
    out->set_epoch(host_->facts().epoch);
    out->set_agents(opened.agents);
    out->set_applied_sequence(opened.applied_sequence);
    fill_durable(opened.durable, out);
    write_message(message, bytes);
  });
}

void SessionStream::on_batch(EventBatch batch) {
  enqueue([this, batch = std::move(batch)](grpc::ByteBuffer* bytes) {
    *bytes = session_batch_buffer(batch, map_, host_->facts().epoch);
  });
}

void SessionStream::on_rejected(std::uint64_t sequence, absl::Status status) {
  enqueue([sequence, status = std::move(status)](grpc::ByteBuffer* bytes) {
    v1::SessionResponse message;
    message.mutable_rejected()->set_sequence(sequence);
    *message.mutable_rejected()->mutable_status() = to_rpc_status(status);
    write_message(message, bytes);
  });
}

void SessionStream::on_unknown(std::uint64_t sequence, std::vector<AgentId> agents) {
  enqueue([sequence, agents = std::move(agents)](grpc::ByteBuffer* bytes) {
    v1::SessionResponse message;
    message.mutable_unknown()->set_sequence(sequence);
    for (const AgentId agent : agents) message.mutable_unknown()->add_agent_ids(value(agent));
    write_message(message, bytes);
  });
}

// ---- watch ----

void PathWatch::begin(std::shared_ptr<WorldHost> host, WatchOpen open) {
  host_ = std::move(host);
  map_ = map_units(host_->facts());
  on_strand([this, open = std::move(open)]() mutable {
    stream_ =
        host_->open_watch(std::move(open), std::static_pointer_cast<PathWatch>(shared_from_this()));
  });
}

void PathWatch::on_batch(EventBatch batch) {
  enqueue([this, batch = std::move(batch)](grpc::ByteBuffer* bytes) {
    *bytes = batch_buffer(batch, map_, host_->facts().epoch);
  });
}

}  // namespace repath
