// Parts that the four services share: answering a unary call from the thread that has the answer,
// and stopping the work of a call that is over.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/error.h"
#include "engine/queries.h"
#include "rpc/call_meter.h"
#include "rpc/status.h"
#include "runtime/failure.h"
#include "runtime/world_host.h"

namespace repath {

// Requests a stop after the call's deadline, or when the client has gone. Borrows the call's
// context: valid until the call is finished.
class CallStop final : public StopToken {
 public:
  explicit CallStop(const grpc::CallbackServerContext* context) : context_(context) {}

  bool stop_requested() const override {
    return context_->IsCancelled() || std::chrono::system_clock::now() >= context_->deadline();
  }
  // Returns why the call can no longer be answered.
  absl::Status status() const {
    if (std::chrono::system_clock::now() >= context_->deadline()) {
      return make_error(absl::StatusCode::kDeadlineExceeded, "DEADLINE", "",
                        "the call's deadline has passed");
    }
    return make_error(absl::StatusCode::kCancelled, "CANCELLED", "", "the call was cancelled");
  }

 private:
  const grpc::CallbackServerContext* context_;
};

// Returns a function that tells an Answer whether the caller still waits.
inline std::function<absl::Status()> over_with(const grpc::CallbackServerContext* context) {
  return [stop = CallStop(context)] {
    return stop.stop_requested() ? stop.status() : absl::OkStatus();
  };
}

// End the call; the reactor no longer exists afterwards.
inline grpc::ServerUnaryReactor* finish(grpc::ServerUnaryReactor* call,
                                        const absl::Status& status) {
  call->Finish(to_grpc(status));
  return call;
}

inline grpc::ServerUnaryReactor* finish(const MeteredCall& call, const absl::Status& status) {
  call.finish(to_grpc(status));
  return call.reactor();
}

// Ends a call whose request is rejected.
inline grpc::ServerUnaryReactor* refused(grpc::CallbackServerContext* context,
                                         const absl::Status& status) {
  return finish(context->DefaultReactor(), status);
}

// Makes an Answer that fills the response and ends the call on a writer thread, so that the world's
// strand, which gives the answer, goes on at once. `fill(const T&)` returns an absl::Status; if it
// throws, the call ends with INTERNAL.
template <class T, class Fill>
typename Answer<T>::Give give_by(boost::asio::thread_pool& writers, grpc::ServerUnaryReactor* call,
                                 Fill fill) {
  return [&writers, call, fill = std::move(fill)](absl::StatusOr<T> result) {
    boost::asio::post(writers, [call, fill, result = std::move(result)] {
      absl::Status status = result.status();
      if (result.ok() && run_guarded([&] { status = fill(*result); }) != nullptr)
        status = make_error(absl::StatusCode::kInternal, "ANSWER_FAILED", "",
                            "the answer could not be written");
      finish(call, status);
    });
  };
}

template <class T, class Fill>
Answer<T> answer_by(boost::asio::thread_pool& writers, grpc::ServerUnaryReactor* call, Fill fill) {
  return Answer<T>(give_by<T>(writers, call, std::move(fill)));
}

// Makes such an Answer for a command that has no effect after the call's deadline, or once its
// client has gone.
template <class T, class Fill>
Answer<T> answer_by(boost::asio::thread_pool& writers, grpc::CallbackServerContext* context,
                    grpc::ServerUnaryReactor* call, Fill fill) {
  return Answer<T>(give_by<T>(writers, call, std::move(fill)), over_with(context));
}

}  // namespace repath
