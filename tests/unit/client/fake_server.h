// A server that a test controls: it accepts sessions, keeps their messages, and sends the messages
// of the test.
//
// Thread rule: all functions from any thread.
#pragma once

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "repath/client.h"
#include "repath/v1/agent.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"
#include "support/temp_path.h"

namespace repath::test {

// Returns a status with details, as the server makes it.
inline grpc::Status refusal(grpc::StatusCode code, const std::string& reason,
                            const std::string& field, const std::string& message) {
  google::rpc::Status status;
  status.set_code(code);
  status.set_message(message);
  google::rpc::ErrorInfo info;
  info.set_reason(reason);
  info.set_domain("repath");
  status.add_details()->PackFrom(info);
  if (!field.empty()) {
    google::rpc::BadRequest bad;
    bad.add_field_violations()->set_field(field);
    status.add_details()->PackFrom(bad);
  }
  return {code, message, status.SerializeAsString()};
}

// Tries again at once, so that tests need not wait.
inline const client::ClientOptions kFast{.deadline = std::chrono::seconds(2),
                                         .retry_first = std::chrono::milliseconds(5),
                                         .retry_max = std::chrono::milliseconds(20)};

class FakeServer final : public v1::WorldService::Service, public v1::AgentService::Service {
 public:
  FakeServer() { start(); }
  ~FakeServer() override { stop(); }

  [[nodiscard]] const std::string& address() const { return address_; }

  void start() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address_, grpc::InsecureServerCredentials());
    builder.RegisterService(static_cast<v1::WorldService::Service*>(this));
    builder.RegisterService(static_cast<v1::AgentService::Service*>(this));
    server_ = builder.BuildAndStart();
  }

  void stop() {
    if (server_ == nullptr) return;
    server_->Shutdown(std::chrono::system_clock::now());
    server_->Wait();
    server_.reset();
  }

  // --- sessions ---

  // Returns the next message that a session sent, including opens; empty if none
  // came within two seconds.
  v1::SessionRequest received() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::seconds(2), [this] { return !received_.empty(); }))
      return {};
    v1::SessionRequest message = received_.front();
    received_.pop_front();
    return message;
  }

  // Returns whether no further message of the session comes within `wait`.
  bool silent_for(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, wait, [this] { return !received_.empty(); });
  }

  // Sends on the open stream. Returns false if there is none within two seconds.
  bool send(const v1::SessionResponse& message) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::seconds(2), [this] { return stream_ != nullptr; }))
      return false;
    return stream_->Write(message);
  }

  bool send_batch(std::uint64_t number, std::uint64_t applied_sequence,
                  std::uint64_t settled_revision, std::vector<v1::PathEvent> events = {}) {
    v1::SessionResponse message;
    message.mutable_batch()->set_batch_number(number);
    message.mutable_batch()->set_applied_sequence(applied_sequence);
    message.mutable_batch()->set_settled_revision(settled_revision);
    message.mutable_batch()->set_revision(settled_revision);
    for (auto& event : events) *message.mutable_batch()->add_events() = std::move(event);
    return send(message);
  }

  // Ends the stream with `status`, as if the server did so by itself; CANCELLED cuts it off.
  void end_stream(const grpc::Status& status) {
    std::lock_guard lock(mutex_);
    end_with_ = status;
    if (context_ != nullptr) context_->TryCancel();
  }

  // Sets the incarnation that later openings name, and the revision, which is durable.
  void load_again(std::uint64_t incarnation, std::uint64_t revision = 0) {
    std::lock_guard lock(mutex_);
    incarnation_ = incarnation;
    revision_ = revision;
  }

  // Sets the last message that took effect, for the next openings that resume.
  void resume_after(std::uint64_t sequence) {
    std::lock_guard lock(mutex_);
    applied_sequence_ = sequence;
  }

  // Forgets the sessions, so that the next open is not a resumption.
  void forget_sessions() {
    std::lock_guard lock(mutex_);
    known_.clear();
  }

  // Rejects further opens with this status; OK accepts them again.
  void refuse_opens(const grpc::Status& status) {
    std::lock_guard lock(mutex_);
    refuse_opens_ = status;
  }

  // --- worlds ---

  // Makes the next `times` changes fail with `status`, although they may have taken
  // effect.
  void fail_changes(int times, const grpc::Status& status) {
    std::lock_guard lock(mutex_);
    failures_ = times;
    failure_ = status;
  }

  std::vector<std::string> request_ids() {
    std::lock_guard lock(mutex_);
    return request_ids_;
  }

  std::size_t imported_bytes() {
    std::lock_guard lock(mutex_);
    return imported_bytes_;
  }

 private:
  using Stream = grpc::ServerReaderWriter<v1::SessionResponse, v1::SessionRequest>;

  grpc::Status Session(grpc::ServerContext* context, Stream* stream) override {
    v1::SessionRequest message;
    if (!stream->Read(&message)) return grpc::Status::OK;
    {
      std::lock_guard lock(mutex_);
      if (!refuse_opens_.ok()) return refuse_opens_;
      std::string id = message.open().session_id();
      if (id.empty()) id = "made-by-server";
      v1::SessionResponse opened;
      opened.mutable_opened()->set_session_id(id);
      opened.mutable_opened()->set_resumed(!known_.insert(id).second);
      if (opened.opened().resumed())
        opened.mutable_opened()->set_applied_sequence(applied_sequence_);
      opened.mutable_opened()->set_epoch("epoch");
      opened.mutable_opened()->set_incarnation(incarnation_);
      opened.mutable_opened()->set_revision(revision_);
      opened.mutable_opened()->set_durable_revision(revision_);
      stream->Write(opened);
      stream_ = stream;
      context_ = context;
      end_with_ = grpc::Status::OK;
      received_.push_back(message);
      changed_.notify_all();
    }
    while (stream->Read(&message)) {
      std::lock_guard lock(mutex_);
      received_.push_back(message);
      changed_.notify_all();
    }
    std::lock_guard lock(mutex_);
    stream_ = nullptr;
    context_ = nullptr;
    return end_with_;
  }

  grpc::Status ApplyChanges(grpc::ServerContext*, const v1::ApplyChangesRequest* request,
                            v1::ApplyChangesResponse* answer) override {
    std::lock_guard lock(mutex_);
    request_ids_.push_back(request->request_id());
    if (failures_ > 0) {
      --failures_;
      return failure_;
    }
    answer->set_revision(2);
    return grpc::Status::OK;
  }

  // Fails as ApplyChanges does.
  grpc::Status ForkWorld(grpc::ServerContext*, const v1::ForkWorldRequest* request,
                         v1::World* world) override {
    std::lock_guard lock(mutex_);
    request_ids_.push_back(request->request_id());
    if (failures_ > 0) {
      --failures_;
      return failure_;
    }
    world->set_name(request->name() + " of " + request->source());
    world->set_revision(request->revision());
    return grpc::Status::OK;
  }

  grpc::Status ListWorlds(grpc::ServerContext*, const v1::ListWorldsRequest* request,
                          v1::ListWorldsResponse* answer) override {
    const std::string& page = request->page_token();
    answer->add_worlds()->set_name(page.empty() ? "first" : "second");
    if (page.empty()) answer->set_next_page_token("second page");
    return grpc::Status::OK;
  }

  grpc::Status ImportWorld(grpc::ServerContext*, grpc::ServerReader<v1::ImportWorldRequest>* reader,
                           v1::World* world) override {
    v1::ImportWorldRequest message;
    while (reader->Read(&message)) {
      if (message.has_header()) {
        world->set_name(message.header().world().name());
        world->set_base_radius(message.header().base_radius());
      }
      std::lock_guard lock(mutex_);
      imported_bytes_ += message.chunk().size();
    }
    return grpc::Status::OK;
  }

  const std::string address_ = "unix:" + test::temp_path("fake.sock");
  std::unique_ptr<grpc::Server> server_;

  std::mutex mutex_;
  std::condition_variable changed_;
  Stream* stream_ = nullptr;
  grpc::ServerContext* context_ = nullptr;
  grpc::Status end_with_;
  grpc::Status refuse_opens_;
  std::uint64_t incarnation_ = 0;
  std::uint64_t revision_ = 0;
  std::uint64_t applied_sequence_ = 0;
  std::set<std::string> known_;
  std::deque<v1::SessionRequest> received_;
  int failures_ = 0;
  grpc::Status failure_;
  std::vector<std::string> request_ids_;
  std::size_t imported_bytes_ = 0;
};

// Polls until done() is true or two seconds have passed; returns done().
template <typename Client>
bool poll_until(Client& client, const std::function<bool()>& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (!done() && std::chrono::steady_clock::now() < end)
    client.poll(std::chrono::milliseconds(10));
  return done();
}

}  // namespace repath::test
