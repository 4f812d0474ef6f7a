// A stream about one world: its writing half, and its life. Messages are built and written on a
// writer thread, one after the other.
//
// Reactor is grpc::ServerBidiReactor<..., Message> or grpc::ServerWriteReactor<Message>. Thread
// rule: enqueue() and end() from any thread; all state belongs to one strand of the writer threads.
// The object keeps itself alive until gRPC is done with it, so the holder of a shared_ptr may call
// it at any time. Invariant: at most one write is in progress; Finish is called once, after all
// earlier writes.
#pragma once

#include <google/protobuf/message_lite.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "rpc/call_ledger.h"
#include "rpc/find_world.h"
#include "rpc/status.h"
#include "runtime/failure.h"
#include "runtime/registry.h"

namespace repath {

template <class Reactor, class Message>
class QueuedWriter : public Reactor,
                     public std::enable_shared_from_this<QueuedWriter<Reactor, Message>> {
 public:
  // `context` is that of the stream's call.
  QueuedWriter(boost::asio::thread_pool& writers, grpc::CallbackServerContext& context)
      : context_(context), strand_(boost::asio::make_strand(writers)) {}

  // Keeps the object alive until gRPC is done with it. Call it once, before any other function.
  void keep_alive() {
    self_ = this->shared_from_this();
    lease_ = StreamLease(access_, [weak = this->weak_from_this()](absl::Status why) {
      if (const auto stream = weak.lock()) stream->end(std::move(why), /*at_once=*/true);
    });
  }

  // Returns the stream's world if its caller may use it. The tokens in use now count too, because a
  // session may name its world long after the call began. Errors as repath::find_world().
  absl::StatusOr<std::shared_ptr<WorldHost>> find_world(Registry& registry,
                                                        const std::string& name) {
    REPATH_RETURN_IF_ERROR(access_.check_world(name));
    REPATH_RETURN_IF_ERROR(lease_.set_world(name));
    return registry.find(name);
  }

  void OnWriteDone(bool ok) final {
    CallLedger::sent(context_);
    on_strand([this, ok] {
      writing_ = false;
      message_.Clear();  // frees bytes; a message keeps its memory for the next one
      if (!ok) failed_ = true;
      go_on();
    });
  }

  void OnCancel() final {
    is_cancelled_ = true;
    end(make_error(absl::StatusCode::kCancelled, "CANCELLED", "", "the stream was cancelled"),
        /*at_once=*/true);
  }

  void OnDone() final {
    lease_.release();
    on_strand([this] {
      if (host_) host_->close_stream(stream_);
      self_.reset();
    });
  }

 protected:
  using Build = std::function<void(Message*)>;

  // `build` runs on a writer thread, in the order of calls.
  void enqueue(Build build) {
    on_strand([this, build = std::move(build)]() mutable {
      if (ending_) return;
      queue_.push_back(std::move(build));
      go_on();
    });
  }

  // Ends the stream after the queued messages, or without them if `at_once`. Only the first call
  // counts.
  void end(absl::Status status, bool at_once = false) {
    on_strand([this, status = std::move(status), at_once] {
      if (at_once) failed_ = true;
      if (!ending_) {
        ending_ = true;
        status_ = status;
      }
      go_on();
    });
  }

  // Is called on the writers' strand when everything queued is written. Watches then get more.
  virtual void on_drained() { host_->ready(stream_); }

  // Runs work on the writers' strand, and keeps the stream alive until then.
  template <class Work>
  void on_strand(Work work) {
    boost::asio::post(
        strand_, [self = this->shared_from_this(), work = std::move(work)]() mutable { work(); });
  }
  bool is_over() const { return finished_ || ending_; }
  // Returns whether the client has gone; any thread.
  bool is_cancelled() const { return is_cancelled_; }
  std::size_t queued() const { return queue_.size(); }

  grpc::CallbackServerContext& context_;  // valid until gRPC is done with the object
  std::shared_ptr<WorldHost> host_;       // set, with stream_, before the first write
  StreamId stream_{};
  // The permission of the call whose handler made the stream.
  const CallAccess access_ = CallAccess::current();

 private:
  void go_on() {
    if (writing_ || finished_) return;
    if (failed_) queue_.clear();
    if (!queue_.empty()) {
      if (absl::Status fault = build_next(); !fault.ok()) {
        queue_.clear();
        message_.Clear();
        ending_ = failed_ = true;
        status_ = std::move(fault);
      }
    }
    if (!queue_.empty()) {
      queue_.pop_front();
      writing_ = true;
      Reactor::StartWrite(&message_);
    } else if (ending_) {
      finished_ = true;
      Reactor::Finish(to_grpc(status_));
    } else if (!failed_) {
      on_drained();
    }
  }

  // ANSWER_FAILED if the message could not be built: memory is short, or a check failed. HELD_MAX
  // if it must not be written.
  absl::Status build_next() {
    if (run_guarded([this] { queue_.front()(&message_); }) != nullptr)
      return make_error(absl::StatusCode::kInternal, "ANSWER_FAILED", "",
                        "a message could not be written");
    return CallLedger::sending(context_, bytes_of(message_));
  }
  static std::uint64_t bytes_of(const grpc::ByteBuffer& bytes) { return bytes.Length(); }
  static std::uint64_t bytes_of(const google::protobuf::MessageLite& message) {
    return message.ByteSizeLong();
  }

  boost::asio::strand<boost::asio::thread_pool::executor_type> strand_;
  std::shared_ptr<QueuedWriter> self_;
  StreamLease lease_;
  std::deque<Build> queue_;
  Message message_;
  absl::Status status_;
  bool writing_ = false;
  bool failed_ = false;
  bool ending_ = false;
  bool finished_ = false;
  std::atomic<bool> is_cancelled_{false};
};

// Begins a watch of the world of that name with what `read(const WorldFacts&)` returns as an
// absl::StatusOr. An error ends the watch.
template <class Watch, class Read>
Watch* begin_watch(Registry& registry, grpc::CallbackServerContext& context,
                   const std::string& world, Read read) {
  auto watch = std::make_shared<Watch>(registry.threads().writers(), context);
  watch->keep_alive();
  const auto host = watch->find_world(registry, world);
  auto open = host.ok() ? read((*host)->facts()) : decltype(read((*host)->facts()))(host.status());
  open.ok() ? watch->begin(*host, *std::move(open)) : watch->on_end(open.status());
  return watch.get();
}

}  // namespace repath
