// Unary calls of any method, several at a time, built from the methods' descriptors.
//
// Thread rule: start() and drain() belong to one thread. Answers arrive on gRPC's threads under one
// mutex, so that they may change the caller's data.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "rpc/fixture.h"

namespace repath::test {

// Returns whether a call may end with this status, whatever it asks for, as long as the server is
// sound.
inline bool is_ordinary(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::OK:
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::NOT_FOUND:
    case grpc::StatusCode::ALREADY_EXISTS:
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::FAILED_PRECONDITION:
    case grpc::StatusCode::ABORTED:
    case grpc::StatusCode::OUT_OF_RANGE:
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return true;
    default:
      return false;
  }
}

class Calls {
 public:
  struct Options {
    std::optional<std::chrono::microseconds> deadline;  // empty: a minute
    bool cancel = false;                                // as soon as it is in flight
  };
  template <class Response>
  using Done = std::function<void(const grpc::Status&, const Response&)>;

  Calls(std::shared_ptr<grpc::Channel> channel, std::size_t in_flight_max)
      : stub_(std::move(channel)), in_flight_max_(in_flight_max) {}
  ~Calls() { drain(); }

  // Starts a call. `method` is "Service.Method". Waits for another call to end while too many are
  // in flight.
  template <class Request, class Response>
  void start(const std::string& method, const Request& request, const Options& options,
             Done<Response> done) {
    auto call = std::make_shared<Call>();
    call->method = method;
    call->may_be_cut = options.cancel || options.deadline.has_value();
    call->context.set_deadline(std::chrono::system_clock::now() +
                               options.deadline.value_or(std::chrono::minutes(1)));
    bool own = false;
    (void)grpc::GenericSerialize<grpc::ProtoBufferWriter, Request>(request, &call->request, &own);
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return in_flight_ < in_flight_max_; });
      ++in_flight_;
      ++started_;
    }
    stub_.UnaryCall(&call->context, path_of(method), {}, &call->request, &call->response,
                    [this, call, done = std::move(done)](const grpc::Status& status) {
                      Response response;
                      if (status.ok()) {
                        (void)grpc::GenericDeserialize<grpc::ProtoBufferReader, Response>(
                            &call->response, &response);
                      }
                      end(*call, status, [&] { done(status, response); });
                    });
    if (options.cancel) call->context.TryCancel();
  }

  // Starts a call and waits for the answer.
  template <class Response, class Request>
  std::optional<Response> ask(const std::string& method, const Request& request) {
    std::optional<Response> answer;
    bool is_over = false;
    start<Request, Response>(method, request, {},
                             [&](const grpc::Status& status, const Response& response) {
                               if (status.ok()) answer = response;
                               is_over = true;
                             });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_over; });
    return answer;
  }

  // Waits until no call is in flight.
  void drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return in_flight_ == 0; });
  }

  // Guards the data that answers change.
  std::mutex& mutex() { return mutex_; }
  std::uint64_t started() const { return started_; }
  // Returns the methods that ended with OK at least once.
  const std::set<std::string>& answered() const { return answered_; }
  // Returns how many calls ended with each method and reason ("OK" for none).
  const std::map<std::string, std::uint64_t>& tally() const { return tally_; }

 private:
  struct Call {
    std::string method;
    bool may_be_cut = false;
    grpc::ClientContext context;
    grpc::ByteBuffer request;
    grpc::ByteBuffer response;
  };

  static std::string path_of(const std::string& method) {
    const std::size_t dot = method.find('.');
    return "/repath.v1." + method.substr(0, dot) + "/" + method.substr(dot + 1);
  }

  void end(const Call& call, const grpc::Status& status, const std::function<void()>& done) {
    const std::lock_guard lock(mutex_);
    judge(call, status);
    done();
    --in_flight_;
    changed_.notify_all();
  }

  void judge(const Call& call, const grpc::Status& status) {
    const bool was_cut =
        call.may_be_cut && (status.error_code() == grpc::StatusCode::CANCELLED ||
                            status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED);
    std::string reason = "OK";
    if (was_cut) {
      reason = "CUT";
    } else if (!status.ok()) {
      EXPECT_TRUE(is_ordinary(status.error_code()))
          << call.method << ": " << status.error_code() << " " << status.error_message();
      const Fault fault = fault_of(status);
      EXPECT_EQ(fault.infos, 1) << call.method << ": " << status.error_message();
      EXPECT_NE(fault.reason, "QUARANTINED") << call.method << ": " << status.error_message();
      reason = fault.reason;
    } else {
      answered_.insert(call.method);
    }
    ++tally_[call.method + " " + reason];
  }

  grpc::GenericStub stub_;
  const std::size_t in_flight_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t in_flight_ = 0;
  std::uint64_t started_ = 0;
  std::set<std::string> answered_;
  std::map<std::string, std::uint64_t> tally_;
};

}  // namespace repath::test
