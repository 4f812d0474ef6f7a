#include "verify/session_link.h"

#include <utility>

#include "verify/world_link.h"

namespace repath::verify {
namespace {

constexpr std::uint32_t kAckWindow = 16;

}  // namespace

SessionLink::SessionLink(std::shared_ptr<grpc::Channel> channel, const std::string& world,
                         std::uint32_t ttl_ms, const std::string& session_id,
                         std::uint64_t sequence)
    : channel_(std::move(channel)),
      world_(world),
      ttl_ms_(ttl_ms),
      session_id_(session_id),
      stub_(v1::AgentService::NewStub(channel_)),
      stream_(stub_->Session(&context_)),
      sequence_(sequence) {
  v1::SessionRequest request;
  request.mutable_open()->set_world(world);
  request.mutable_open()->set_session_id(session_id_);
  request.mutable_open()->set_session_ttl_ms(ttl_ms_);
  request.mutable_open()->set_ack_window(kAckWindow);
  send(std::move(request));
  reader_ = std::thread([this] { read_on(); });
}

SessionLink::~SessionLink() { finish(); }

std::optional<v1::SessionResponse::Opened> SessionLink::opened() {
  const auto first = next(std::chrono::seconds(kCallSeconds));
  if (!first || !first->has_opened()) return std::nullopt;
  session_id_ = first->opened().session_id();
  return first->opened();
}

std::unique_ptr<SessionLink> SessionLink::again() {
  finish();
  return std::unique_ptr<SessionLink>(
      new SessionLink(channel_, world_, ttl_ms_, session_id_, sequence_));
}

void SessionLink::wait_for_connection(std::chrono::milliseconds most) {
  channel_->WaitForConnected(std::chrono::system_clock::now() + most);
}

std::uint64_t SessionLink::send(v1::SessionRequest request) {
  request.set_sequence(++sequence_);
  stream_->Write(request);
  return sequence_;
}

void SessionLink::read_on() {
  v1::SessionResponse answer;
  while (stream_->Read(&answer)) {
    const std::lock_guard lock(mutex_);
    answers_.push_back(std::move(answer));
    changed_.notify_one();
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_one();
}

std::optional<v1::SessionResponse> SessionLink::next(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [this] { return !answers_.empty() || ended_; });
  if (answers_.empty()) return std::nullopt;
  v1::SessionResponse answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

grpc::Status SessionLink::tick(std::uint64_t budget_work_units, v1::TickResponse& answer) {
  grpc::ClientContext context;
  limit_time(context);
  v1::TickRequest request;
  request.set_world(world_);
  request.set_session_id(session_id_);
  request.set_budget_work_units(budget_work_units);
  return stub_->Tick(&context, request, &answer);
}

grpc::Status SessionLink::finish() {
  if (status_) return *status_;
  stream_->WritesDone();
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) context_.TryCancel();
  }
  if (reader_.joinable()) reader_.join();
  status_ = stream_->Finish();
  return *status_;
}

}  // namespace repath::verify
