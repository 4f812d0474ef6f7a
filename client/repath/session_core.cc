#include "repath/internal/session_core.h"

#include <algorithm>
#include <charconv>
#include <random>
#include <utility>

#include "repath/internal/convert.h"
#include "repath/internal/error_from.h"
#include "repath/internal/session_link.h"
#include "repath/internal/timer.h"

namespace repath::client {
namespace {

// Returns whether another attempt may succeed. It cannot after a deleted world or a session taken
// over.
bool worth_another_attempt(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::OK:
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
    case grpc::StatusCode::INTERNAL:
    case grpc::StatusCode::UNAVAILABLE:
      return true;
    default:
      return false;
  }
}

// Returns the index in a field's list: 3 for "report.positions[3].id".
std::optional<std::size_t> place_in(const std::string& field) {
  const std::size_t open = field.find('[');
  if (open == std::string::npos) return std::nullopt;
  std::size_t place = 0;
  const auto [end, error] =
      std::from_chars(field.data() + open + 1, field.data() + field.size(), place);
  if (error != std::errc()) return std::nullopt;
  return place;
}

// Sets the index in the field's list, also in the message, which begins with the field. Requires
// place_in(error->field).
void set_place(std::size_t place, Error* error) {
  const std::size_t begin = error->field.find('[') + 1;
  const std::size_t length = error->field.find_first_not_of("0123456789", begin) - begin;
  if (error->message.starts_with(error->field))
    error->message.replace(begin, length, std::to_string(place));
  error->field.replace(begin, length, std::to_string(place));
}

// Returns 32 hexadecimal digits from the system's random numbers.
std::string random_secret() {
  std::random_device device;
  std::string secret;
  for (int word = 0; word < 4; ++word) {
    const std::uint32_t bits = device();
    for (unsigned shift = 0; shift < 32; shift += 4)
      secret.push_back("0123456789abcdef"[(bits >> shift) & 15]);
  }
  return secret;
}

}  // namespace

SessionCore::SessionCore(std::shared_ptr<Stubs> stubs, std::shared_ptr<Deliverer> deliverer,
                         SessionOptions options, SessionHandlers handlers, Backoff backoff)
    : deliverer_(std::move(deliverer)),
      handlers_(std::move(handlers)),
      backoff_(backoff),
      stubs_(std::move(stubs)),
      options_(std::move(options)),
      wait_(backoff.first) {
  if (options_.session_id.empty() && options_.session_secret.empty())
    options_.session_secret = random_secret();
}

std::shared_ptr<SessionCore> SessionCore::make(std::shared_ptr<Stubs> stubs,
                                               std::shared_ptr<Deliverer> deliverer,
                                               SessionOptions options, SessionHandlers handlers,
                                               Backoff backoff) {
  std::shared_ptr<SessionCore> core(new SessionCore(
      std::move(stubs), std::move(deliverer), std::move(options), std::move(handlers), backoff));
  core->connect();
  return core;
}

void SessionCore::connect() {
  std::lock_guard lock(mutex_);
  if (closed_) return;
  ++stream_;
  open_ = false;
  writing_ = true;  // `open` itself.
  to_acknowledge_ = 0;
  v1::SessionRequest message;
  message.set_sequence(ledger_.begin_stream());
  message.mutable_open()->set_world(options_.world);
  message.mutable_open()->set_session_id(options_.session_id);
  message.mutable_open()->set_session_ttl_ms(options_.session_ttl_ms);
  message.mutable_open()->set_ack_window(options_.ack_window);
  message.mutable_open()->set_session_secret(options_.session_secret);
  auto link = std::make_unique<SessionLink>(shared_from_this(), stubs_->calls);
  // Only a first attempt says at once that there is no server.
  if (link->start(*stubs_, std::move(message), /*waits=*/stream_ > 1))
    link_ = link.release();  // Deleted by its OnDone.
}

void SessionCore::close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    state_ = SessionState::kClosed;
    if (link_ != nullptr) link_->cancel();
    alarm_.Cancel();
    stubs_.reset();
  }
  const std::lock_guard wait_for_handler(handing_over_);
}

std::uint64_t SessionCore::upsert(std::vector<Agent> agents) {
  return put_in(std::move(agents), false);
}

std::uint64_t SessionCore::take_over(std::vector<Agent> agents) {
  return put_in(std::move(agents), true);
}

std::uint64_t SessionCore::put_in(std::vector<Agent> agents, bool take_over) {
  std::lock_guard lock(mutex_);
  for (const Agent& agent : agents)
    if (ledger_.asks_anew(agent)) paths_.erase(agent.id);  // It leads to a goal that is replaced.
  const std::uint64_t call = ledger_.upsert(std::move(agents), take_over);
  write_next();
  return call;
}

std::uint64_t SessionCore::report(const std::vector<AgentPosition>& positions) {
  std::lock_guard lock(mutex_);
  const std::uint64_t call = ledger_.report(positions);
  write_next();
  return call;
}

std::uint64_t SessionCore::remove(const std::vector<std::uint64_t>& agent_ids) {
  std::lock_guard lock(mutex_);
  // A server that has forgotten the session sends no kRemoved.
  for (const std::uint64_t id : agent_ids) paths_.erase(id);
  const std::uint64_t call = ledger_.remove(agent_ids);
  write_next();
  return call;
}

void SessionCore::write_next() {
  if (link_ == nullptr || !open_ || writing_) return;
  if (to_acknowledge_ > 0) {
    v1::SessionRequest message;
    message.set_sequence(ledger_.take_sequence());
    message.mutable_acknowledge()->set_batch_number(std::exchange(to_acknowledge_, 0));
    writing_ = true;
    link_->write(std::move(message));
  } else if (auto message = ledger_.next()) {
    writing_ = true;
    link_->write(std::move(*message));
  }
}

void SessionCore::on_written() {
  std::lock_guard lock(mutex_);
  writing_ = false;
  write_next();
}

void SessionCore::on_message(const v1::SessionResponse& message) {
  if (message.has_opened()) {
    on_opened(message.opened());
  } else if (message.has_rejected()) {
    on_rejected(message.rejected());
  } else if (message.has_unknown()) {
    on_unknown(message.unknown());
  } else if (message.has_batch()) {
    on_batch(message.batch());
  }
}

void SessionCore::on_opened(const v1::SessionResponse::Opened& opened) {
  {
    std::lock_guard lock(mutex_);
    options_.session_id = opened.session_id();
    const bool reloaded = opened_incarnation_ != 0 && opened.incarnation() != opened_incarnation_;
    opened_incarnation_ = opened.incarnation();
    ledger_.opened(opened.resumed(), reloaded, opened.applied_sequence());
    open_ = true;
    state_ = SessionState::kOpen;
    wait_ = backoff_.first;
    write_next();
  }
  post([epoch = opened.epoch(), incarnation = opened.incarnation()](SessionCore& core) {
    std::lock_guard lock(core.mutex_);
    // Revisions compare only within one epoch, and claims within one incarnation.
    if (core.epoch_ != epoch || core.incarnation_ != incarnation) core.settled_revision_ = 0;
    core.epoch_ = epoch;
    core.incarnation_ = incarnation;
  });
  tell_state(SessionState::kOpen, {});
}

void SessionCore::on_rejected(const v1::SessionResponse::Rejected& rejected) {
  Error error = error_from(rejected.status());
  std::optional<AgentLedger::Refusal> refusal;
  {
    std::lock_guard lock(mutex_);
    refusal =
        ledger_.rejected(rejected.sequence(), place_in(error.field), error.reason == "AGENT_OWNED");
    write_next();
  }
  if (!refusal.has_value()) return;
  if (refusal->place.has_value()) set_place(*refusal->place, &error);
  post([call = refusal->call, error = std::move(error)](SessionCore& core) {
    if (core.handlers_.on_rejected) core.handlers_.on_rejected(call, error);
  });
}

void SessionCore::on_unknown(const v1::SessionResponse::Unknown& unknown) {
  std::optional<std::uint64_t> call;
  {
    std::lock_guard lock(mutex_);
    call = ledger_.call_of(unknown.sequence());
  }
  if (!call.has_value()) return;
  std::vector<std::uint64_t> ids(unknown.agent_ids().begin(), unknown.agent_ids().end());
  post([call, ids = std::move(ids)](SessionCore& core) {
    if (core.handlers_.on_unknown) core.handlers_.on_unknown(*call, ids);
  });
}

void SessionCore::on_batch(const v1::EventBatch& batch) {
  Arrival arrival;
  {
    std::lock_guard lock(mutex_);
    ledger_.applied(batch.applied_sequence());
    ledger_.taken(std::max(batch.applied_sequence(), batch.taken_sequence()));
    for (const v1::PathEvent& event : batch.events()) {
      if (event.reason() == v1::EVENT_REASON_TAKEN_OVER) ledger_.taken_over(event.agent_id());
      arrival.is_outdated.push_back(ledger_.is_outdated(event.agent_id(), event.goal_generation()));
    }
    arrival.stream = stream_;
    arrival.applied_call = ledger_.applied_call();
    write_next();
  }
  post(
      [batch, arrival = std::move(arrival)](SessionCore& core) { core.hand_over(batch, arrival); });
}

void SessionCore::hand_over(const v1::EventBatch& batch, const Arrival& arrival) {
  for (int i = 0; i < batch.events_size(); ++i) {
    const PathEvent event = from_proto(batch.events(i));
    {
      std::lock_guard lock(mutex_);
      const bool is_outdated = arrival.is_outdated[static_cast<std::size_t>(i)] ||
                               ledger_.is_outdated(event.agent_id, event.goal_generation);
      if (options_.keep_paths && !is_outdated) keep_path(event);
    }
    if (handlers_.on_event) handlers_.on_event(event);
  }
  {
    std::lock_guard lock(mutex_);
    settled_revision_ = batch.settled_revision();
    applied_call_ = arrival.applied_call;
  }
  if (handlers_.on_batch) handlers_.on_batch(from_proto(batch));
  std::lock_guard lock(mutex_);
  if (arrival.stream != stream_) return;
  to_acknowledge_ = batch.batch_number();
  write_next();
}

void SessionCore::keep_path(const PathEvent& event) {
  switch (event.type) {
    case EventType::kNewPath:
    case EventType::kReplanned:
    case EventType::kImproved:
    case EventType::kPartial:
      paths_[event.agent_id] = std::make_shared<const Path>(event.path);
      break;
    case EventType::kStartBlocked:
      if (event.path.waypoints.empty()) {
        paths_.erase(event.agent_id);
      } else {
        paths_[event.agent_id] = std::make_shared<const Path>(event.path);
      }
      break;
    case EventType::kInvalidated:
    case EventType::kUnreachable:
    case EventType::kRemoved:
      paths_.erase(event.agent_id);
      break;
    case EventType::kUnspecified:
    case EventType::kCostChanged:
    case EventType::kConfirmed:
      break;
  }
}

void SessionCore::on_broken() {
  std::lock_guard lock(mutex_);
  link_ = nullptr;
  open_ = false;
}

void SessionCore::on_ended(const grpc::Status& status) {
  if (closed_) return;
  Error why = status.ok() ? Error{Code::kUnavailable, "", "", "the server ended the stream"}
                          : error_from(status);
  SessionState now = SessionState::kClosed;
  {
    std::lock_guard lock(mutex_);
    if (worth_another_attempt(status.error_code())) {
      now = SessionState::kConnecting;
      const auto delay = wait_;
      wait_ = std::min(wait_ * 2, backoff_.max);
      run_after(alarm_, delay, [weak = weak_from_this()](bool elapsed) {
        const auto self = weak.lock();
        if (elapsed && self != nullptr) self->connect();
      });
    }
    if (!closed_) state_ = now;
  }
  tell_state(now, std::move(why));
}

void SessionCore::tell_state(SessionState state, Error why) {
  post([state, why = std::move(why)](SessionCore& core) {
    if (core.handlers_.on_state) core.handlers_.on_state(state, why);
  });
}

void SessionCore::post(std::function<void(SessionCore&)> what) {
  deliverer_->post([self = shared_from_this(), what = std::move(what)] {
    const std::lock_guard lock(self->handing_over_);
    if (!self->closed_) what(*self);
  });
}

std::uint64_t SessionCore::applied() const {
  std::lock_guard lock(mutex_);
  return ledger_.with_empty_calls(applied_call_);
}

std::uint64_t SessionCore::settled_revision() const {
  std::lock_guard lock(mutex_);
  return settled_revision_;
}

std::shared_ptr<const Path> SessionCore::latest_path(std::uint64_t agent_id) const {
  std::lock_guard lock(mutex_);
  const auto at = paths_.find(agent_id);
  return at == paths_.end() ? nullptr : at->second;
}

SessionState SessionCore::state() const {
  std::lock_guard lock(mutex_);
  return state_;
}

std::string SessionCore::id() const {
  std::lock_guard lock(mutex_);
  return options_.session_id;
}

std::string SessionCore::secret() const {
  std::lock_guard lock(mutex_);
  return options_.session_secret;
}

}  // namespace repath::client
