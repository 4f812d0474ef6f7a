// A stream that is read until it ends, or is cut.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace repath::test {

template <class Message>
class Watching final : public grpc::ClientReadReactor<Message> {
 public:
  // `start` begins the call with the given context and reactor. `take` gets each message, on gRPC's
  // threads, one at a time.
  using Start = std::function<void(grpc::ClientContext*, grpc::ClientReadReactor<Message>*)>;
  using Take = std::function<void(const Message&)>;
  Watching(const Start& start, Take take) : take_(std::move(take)) {
    context_.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(30));
    start(&context_, this);
    this->StartRead(&message_);
    this->StartCall();
  }
  ~Watching() override {
    context_.TryCancel();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_over_; });
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    take_(message_);
    this->StartRead(&message_);
  }
  void OnDone(const grpc::Status&) override {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  }

 private:
  grpc::ClientContext context_;
  Message message_;
  const Take take_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
};

}  // namespace repath::test
