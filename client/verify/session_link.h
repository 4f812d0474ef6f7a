// The checker's one Session stream. A thread of its own reads, so that a silent server is noticed;
// everything else is for one thread.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "repath/v1/agent.grpc.pb.h"

namespace repath::verify {

class SessionLink {
 public:
  // Opens the stream; see opened(). `ttl_ms`: time that the agents outlive it; 0: the default.
  SessionLink(std::shared_ptr<grpc::Channel> channel, const std::string& world,
              std::uint32_t ttl_ms = 0)
      : SessionLink(std::move(channel), world, ttl_ms, "", 0) {}
  // Ends the stream.
  ~SessionLink();
  SessionLink(const SessionLink&) = delete;
  SessionLink& operator=(const SessionLink&) = delete;

  // Returns the server's answer to `open`; empty if it refused, then finish() has the reason.
  std::optional<v1::SessionResponse::Opened> opened();

  // Ends this stream and opens the same session again on another one. Messages are numbered on.
  std::unique_ptr<SessionLink> again();
  // Waits until there is a connection to the server, or until the time is up. Without a thread that
  // waits so, gRPC looks at a new connection only every five seconds.
  void wait_for_connection(std::chrono::milliseconds most);

  // Numbers the message and sends it. Returns its sequence.
  std::uint64_t send(v1::SessionRequest request);
  std::uint64_t last_sequence() const { return sequence_; }

  // Returns the next answer; empty if the time is up or the stream has ended.
  std::optional<v1::SessionResponse> next(std::chrono::milliseconds patience);

  grpc::Status tick(std::uint64_t budget_work_units, v1::TickResponse& answer);

  // Ends the stream and returns its status.
  grpc::Status finish();

 private:
  SessionLink(std::shared_ptr<grpc::Channel> channel, const std::string& world,
              std::uint32_t ttl_ms, const std::string& session_id, std::uint64_t sequence);
  void read_on();

  std::shared_ptr<grpc::Channel> channel_;
  std::string world_;
  std::uint32_t ttl_ms_;
  std::string session_id_;
  std::unique_ptr<v1::AgentService::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> stream_;
  std::uint64_t sequence_;
  std::optional<grpc::Status> status_;

  std::mutex mutex_;  // guards the two below
  std::deque<v1::SessionResponse> answers_;
  bool ended_ = false;
  std::condition_variable changed_;
  std::thread reader_;
};

}  // namespace repath::verify
