// Counts every call and stream with its status and how long it took: by an interceptor of gRPC's,
// so no method can be forgotten. That costs a call two microseconds, a tenth of what gRPC needs for
// a small one, so FindPath counts itself.
//
// Thread rule: gRPC's threads, any of them.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/server_interceptor.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/metrics.h"
#include "runtime/threads.h"

namespace repath {

std::string_view name_of(grpc::StatusCode code);

inline constexpr std::string_view kFindPathMethod = "/repath.v1.PathService/FindPath";

// A call that counts itself when it is finished. A reactor of our own could do so too, but gRPC
// takes another thread for the end of each that is not its default one.
class MeteredCall {
 public:
  // Borrows all; `method` is a literal.
  MeteredCall(grpc::CallbackServerContext* context, Metrics& metrics, std::string_view method)
      : reactor_(context->DefaultReactor()), metrics_(&metrics), method_(method) {}

  grpc::ServerUnaryReactor* reactor() const { return reactor_; }
  // Ends the call; the reactor is gone afterwards.
  void finish(grpc::Status status) const {
    metrics_->count_call(method_, name_of(status.error_code()), now_us() - begun_);
    reactor_->Finish(std::move(status));
  }

 private:
  grpc::ServerUnaryReactor* reactor_;
  Metrics* metrics_;
  std::string_view method_;
  Micros begun_ = now_us();
};

// For ServerBuilder: whatever is no MeteredCall. Borrows the metrics, which must outlive the
// server.
std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> call_meters(
    Metrics& metrics);

}  // namespace repath
