// One Session stream by gRPC's callbacks. It has no thread of its own, so that a thousand streams
// cost little. Incoming messages are stamped at once and handed to the inbox. Each outgoing message
// has an arena, which is freed when the message is written.
//
// Thread rule: sending and closing on the run's thread; gRPC calls the reactions on its own
// threads.
#pragma once

#include <google/protobuf/arena.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "load/clock.h"
#include "load/inbox.h"
#include "repath/v1/agent.grpc.pb.h"

namespace repath::load {

// A message on the way to the server.
struct Outgoing {
  google::protobuf::Arena arena;
  v1::SessionRequest* request = google::protobuf::Arena::CreateMessage<v1::SessionRequest>(&arena);
};

class Link final : public grpc::ClientBidiReactor<v1::SessionRequest, v1::SessionResponse> {
 public:
  // Gets the incoming messages on the run's thread.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void on_answer(int session, const v1::SessionResponse& answer, Nanos at) = 0;
    virtual void on_end(int session, const grpc::Status& status) = 0;
  };

  // Opens the stream. With `reads_slowly` each read must be allowed. Borrows `inbox` and
  // `listener`.
  Link(std::shared_ptr<grpc::Channel> channel, const std::string& world, int session,
       bool reads_slowly, Inbox& inbox, Listener& listener);
  // Ends the stream and waits until it has ended.
  ~Link() override;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // Numbers the message, sends it after the earlier ones and returns its number. Drops it if the
  // stream has ended.
  std::uint64_t send(std::unique_ptr<Outgoing> message);
  // Returns how many messages wait to be written. Positions are reported only when there are none.
  std::size_t backlog();
  // Allows one more read of a slow reader.
  void allow_read();

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

 private:
  // The message of one read.
  struct Incoming {
    google::protobuf::Arena arena;
    v1::SessionResponse* answer =
        google::protobuf::Arena::CreateMessage<v1::SessionResponse>(&arena);
  };
  void start_read();
  void end();

  const int session_;
  const bool reads_slowly_;
  Inbox& inbox_;
  Listener& listener_;
  std::unique_ptr<v1::AgentService::Stub> stub_;
  grpc::ClientContext context_;
  std::shared_ptr<Incoming> incoming_;
  std::uint64_t sequence_ = 0;

  std::mutex mutex_;  // guards the rest
  std::condition_variable ended_changed_;
  std::deque<std::unique_ptr<Outgoing>> queue_;  // the first is being written
  bool may_read_ = false;                        // a read is allowed, and none is under way
  bool is_broken_ = false;                       // the stream cannot be written to any more
  bool has_ended_ = false;
};

}  // namespace repath::load
