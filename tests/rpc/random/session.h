// One session from the client's side: messages out, and each agent's latest verdict from the
// batches.
//
// Thread rule: send(), acknowledgements and queries may come from any thread; gRPC's threads read.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "repath/v1/agent.grpc.pb.h"

namespace repath::test {

// The client's knowledge of one of its agents.
struct KnownAgent {
  std::uint64_t version = 0;  // version of the path that counts
  bool has_verdict = false;
  v1::EventType type{};          // of the latest verdict, without notes
  v1::PathStatus status{};       // status of its path
  std::uint64_t generation = 0;  // of the latest event
};

class SessionClient final
    : public grpc::ClientBidiReactor<v1::SessionRequest, v1::SessionResponse> {
 public:
  SessionClient(v1::AgentService::Stub& stub, const std::string& world, const std::string& id,
                std::uint32_t window) {
    context_.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(30));
    stub.async()->Session(&context_, this);
    AddHold();
    StartRead(&response_);
    StartCall();
    v1::SessionRequest request;
    request.mutable_open()->set_world(world);
    request.mutable_open()->set_session_id(id);
    request.mutable_open()->set_session_ttl_ms(600'000);
    request.mutable_open()->set_ack_window(window);
    send(request);
  }
  ~SessionClient() override {
    cut();
    wait_for_end();
  }

  // Gives the request its sequence and returns it.
  std::uint64_t send(v1::SessionRequest request) {
    const std::lock_guard lock(mutex_);
    if (is_over_ || is_cut_) return 0;
    request.set_sequence(++sequence_);
    to_write_.push_back(std::move(request));
    write_next();
    return sequence_;
  }
  void acknowledge() {
    v1::SessionRequest request;
    {
      const std::lock_guard lock(mutex_);
      if (last_batch_.batch_number() == acknowledged_) return;
      acknowledged_ = last_batch_.batch_number();
      request.mutable_acknowledge()->set_batch_number(acknowledged_);
    }
    send(request);
  }
  // Ends the stream without notice, as a lost connection does.
  void cut() {
    const std::lock_guard lock(mutex_);
    if (is_cut_) return;
    is_cut_ = true;
    context_.TryCancel();
    RemoveHold();
  }
  void wait_for_end() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_over_; });
  }
  bool is_over() {
    const std::lock_guard lock(mutex_);
    return is_over_;
  }
  grpc::Status status() {
    const std::lock_guard lock(mutex_);
    return status_;
  }
  // Sends a message that changes nothing. A batch with its sequence includes the effects of
  // everything done before, also by calls outside the stream. Returns its sequence; 0 if the stream
  // is over.
  std::uint64_t mark() {
    v1::SessionRequest nothing;
    nothing.mutable_remove()->add_agent_ids(kNobody);
    return send(std::move(nothing));
  }
  // Acknowledges batches until one has the sequence `mark` and reports every agent settled at
  // `revision`. Returns false after the timeout, or at the end of the stream.
  bool wait_for_settled(std::uint64_t mark, std::uint64_t revision, std::chrono::seconds timeout) {
    const auto until = std::chrono::steady_clock::now() + timeout;
    for (;;) {
      acknowledge();
      std::unique_lock lock(mutex_);
      if (last_batch_.settled_revision() >= revision && last_batch_.applied_sequence() >= mark)
        return mark != 0;
      if (is_over_ || std::chrono::steady_clock::now() > until) return false;
      changed_.wait_for(lock, std::chrono::milliseconds(20));
    }
  }

  // Returns the latest events of the agent, for the reader of a failure.
  std::string history(std::uint64_t agent) {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const std::string& line : history_[agent]) text += line + "\n";
    return text;
  }
  std::map<std::uint64_t, KnownAgent> agents() {
    const std::lock_guard lock(mutex_);
    return agents_;
  }
  v1::EventBatch last_batch() {
    const std::lock_guard lock(mutex_);
    return last_batch_;
  }
  // Returns the sequence of the last message.
  std::uint64_t sequence() {
    const std::lock_guard lock(mutex_);
    return sequence_;
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    {
      const std::lock_guard lock(mutex_);
      if (response_.has_batch()) take(response_.batch());
      changed_.notify_all();
    }
    StartRead(&response_);
  }
  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    is_writing_ = false;
    to_write_.pop_front();
    if (ok) write_next();
  }
  void OnDone(const grpc::Status& status) override {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    status_ = status;
    changed_.notify_all();
  }

 private:
  void write_next() {
    if (is_writing_ || to_write_.empty() || is_cut_) return;
    is_writing_ = true;
    StartWrite(&to_write_.front());
  }

  void take(const v1::EventBatch& batch) {
    EXPECT_EQ(batch.batch_number(), last_batch_.batch_number() + 1);
    EXPECT_LE(batch.settled_revision(), batch.revision());
    EXPECT_GE(batch.applied_sequence(), last_batch_.applied_sequence());
    for (const v1::PathEvent& event : batch.events()) {
      take(event);
      note(batch, event);
    }
    last_batch_ = batch;
    last_batch_.clear_events();
  }
  void note(const v1::EventBatch& batch, const v1::PathEvent& event) {
    std::deque<std::string>& lines = history_[event.agent_id()];
    lines.push_back("batch " + std::to_string(batch.batch_number()) + " after message " +
                    std::to_string(batch.applied_sequence()) + ": " +
                    v1::EventType_Name(event.type()) + " " + v1::EventReason_Name(event.reason()) +
                    " revision " + std::to_string(event.revision()) + " version " +
                    std::to_string(event.path_version()) + " generation " +
                    std::to_string(event.goal_generation()));
    if (lines.size() > 8) lines.pop_front();
  }
  void take(const v1::PathEvent& event) {
    if (event.type() == v1::EVENT_TYPE_REMOVED) {
      agents_.erase(event.agent_id());
      return;
    }
    KnownAgent& agent = agents_[event.agent_id()];
    agent.generation = event.goal_generation();
    if (event.type() == v1::EVENT_TYPE_COST_CHANGED || event.type() == v1::EVENT_TYPE_CONFIRMED)
      return;
    EXPECT_NE(event.type(), v1::EVENT_TYPE_UNSPECIFIED);
    agent.has_verdict = true;
    agent.type = event.type();
    agent.version = event.path_version();
    agent.status = event.path().status();
  }

  static constexpr std::uint64_t kNobody = 1'000'000;  // an id without an agent

  grpc::ClientContext context_;
  v1::SessionResponse response_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<v1::SessionRequest> to_write_;  // the first one is being written
  bool is_writing_ = false;
  bool is_cut_ = false;
  bool is_over_ = false;
  grpc::Status status_;
  std::uint64_t sequence_ = 0;
  std::uint64_t acknowledged_ = 0;
  v1::EventBatch last_batch_;
  std::map<std::uint64_t, KnownAgent> agents_;
  std::map<std::uint64_t, std::deque<std::string>> history_;
};

}  // namespace repath::test
