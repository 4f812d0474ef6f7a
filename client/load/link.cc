#include "load/link.h"

#include <utility>

namespace repath::load {
namespace {

constexpr std::uint32_t kAckWindow = 4;      // batches under way
constexpr std::uint32_t kOutlivesMs = 1000;  // agents need not outlive the stream

}  // namespace

Link::Link(std::shared_ptr<grpc::Channel> channel, const std::string& world, int session,
           bool reads_slowly, Inbox& inbox, Listener& listener)
    : session_(session),
      reads_slowly_(reads_slowly),
      inbox_(inbox),
      listener_(listener),
      stub_(v1::AgentService::NewStub(std::move(channel))) {
  stub_->async()->Session(&context_, this);
  auto open = std::make_unique<Outgoing>();
  open->request->mutable_open()->set_world(world);
  open->request->mutable_open()->set_ack_window(kAckWindow);
  open->request->mutable_open()->set_session_ttl_ms(kOutlivesMs);
  send(std::move(open));
  start_read();
  AddHold();  // until end(): writes and slow reads are started outside of reactions
  StartCall();
}

Link::~Link() {
  context_.TryCancel();
  end();
  std::unique_lock lock(mutex_);
  ended_changed_.wait(lock, [this] { return has_ended_; });
}

// Ends writes and reads that are started outside of reactions.
void Link::end() {
  {
    const std::lock_guard lock(mutex_);
    if (is_broken_) return;
    is_broken_ = true;
  }
  RemoveHold();
}

std::uint64_t Link::send(std::unique_ptr<Outgoing> message) {
  message->request->set_sequence(++sequence_);
  const v1::SessionRequest* first = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (is_broken_) return sequence_;
    queue_.push_back(std::move(message));
    if (queue_.size() > 1) return sequence_;
    first = queue_.front()->request;
    AddHold();
  }
  StartWrite(first);
  RemoveHold();
  return sequence_;
}

std::size_t Link::backlog() {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void Link::OnWriteDone(bool ok) {
  const v1::SessionRequest* next = nullptr;
  {
    const std::lock_guard lock(mutex_);
    queue_.pop_front();
    if (ok && !is_broken_ && !queue_.empty()) next = queue_.front()->request;
  }
  if (next != nullptr) return StartWrite(next);
  if (!ok) end();
}

void Link::start_read() {
  incoming_ = std::make_shared<Incoming>();
  StartRead(incoming_->answer);
}

void Link::OnReadDone(bool ok) {
  if (!ok) return end();
  inbox_.post([this, came = std::move(incoming_), at = now()] {
    listener_.on_answer(session_, *came->answer, at);
  });
  if (!reads_slowly_) return start_read();
  const std::lock_guard lock(mutex_);
  may_read_ = true;
}

void Link::allow_read() {
  {
    const std::lock_guard lock(mutex_);
    if (!may_read_ || is_broken_) return;
    may_read_ = false;
    AddHold();
  }
  start_read();
  RemoveHold();
}

void Link::OnDone(const grpc::Status& status) {
  inbox_.post([this, status] { listener_.on_end(session_, status); });
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  ended_changed_.notify_all();
}

}  // namespace repath::load
