// What the four services share: answering a unary call from whatever thread has the answer, and
// stopping a search whose call is over.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/error.h"
#include "engine/queries.h"
#include "rpc/call_meter.h"
#include "rpc/status.h"
#include "runtime/world_host.h"

namespace repath {

// A deadline that has passed or a client that has gone. Borrows the call's context: valid until the
// call is finished.
class CallStop final : public StopToken {
 public:
  explicit CallStop(const grpc::CallbackServerContext* context) : context_(context) {}

  bool stop_requested() const override {
    return context_->IsCancelled() || std::chrono::system_clock::now() >= context_->deadline();
  }
  // Why the call cannot be answered any more.
  absl::Status status() const {
    if (std::chrono::system_clock::now() >= context_->deadline()) {
      return make_error(absl::StatusCode::kDeadlineExceeded, "DEADLINE", "",
                        "the search ended with the deadline");
    }
    return make_error(absl::StatusCode::kCancelled, "CANCELLED", "", "the call was cancelled");
  }

 private:
  const grpc::CallbackServerContext* context_;
};

// Ends the call; the reactor is gone afterwards.
inline grpc::ServerUnaryReactor* finish(grpc::ServerUnaryReactor* call,
                                        const absl::Status& status) {
  call->Finish(to_grpc(status));
  return call;
}

inline grpc::ServerUnaryReactor* finish(const MeteredCall& call, const absl::Status& status) {
  call.finish(to_grpc(status));
  return call.reactor();
}

// Ends a call before anything was asked.
inline grpc::ServerUnaryReactor* refused(grpc::CallbackServerContext* context,
                                         const absl::Status& status) {
  return finish(context->DefaultReactor(), status);
}

// An Answer that fills the response and ends the call on a writer thread, so that the world's
// strand, which gives it, goes on at once. `fill(const T&)` returns an absl::Status.
template <class T, class Fill>
Answer<T> answer_by(boost::asio::thread_pool& writers, grpc::ServerUnaryReactor* call, Fill fill) {
  return [&writers, call, fill = std::move(fill)](absl::StatusOr<T> result) {
    boost::asio::post(writers, [call, fill, result = std::move(result)] {
      finish(call, result.ok() ? fill(*result) : result.status());
    });
  };
}

}  // namespace repath
