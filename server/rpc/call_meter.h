// Counts every call and stream with its status and duration, by an interceptor, so that it covers
// every method. Methods that the server does not have count as one, `unknown`. The interceptor
// costs a call two microseconds, a tenth of gRPC's own time for a small call. Therefore FindPath
// counts itself. The messages of this server's streams are counted by their writers (QueuedWriter),
// which know when one has gone: gRPC 1.51 reports that to no interceptor that has looked at the
// message's bytes.
//
// Thread rule: any of gRPC's threads.
#pragma once

#include <google/protobuf/message_lite.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/server_interceptor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "rpc/call_ledger.h"
#include "rpc/status.h"
#include "runtime/metrics.h"
#include "runtime/threads.h"

namespace repath {

// The status codes of gRPC are those of Abseil.
inline std::string name_of(grpc::StatusCode code) {
  return absl::StatusCodeToString(static_cast<absl::StatusCode>(code));
}

inline constexpr std::string_view kFindPathMethod = "/repath.v1.PathService/FindPath";

// A call that counts itself when it is finished. A reactor class of this project could do so too,
// but gRPC uses another thread for the end of every reactor that is not its default one.
class MeteredCall {
 public:
  // Borrows everything; `method` is a literal.
  MeteredCall(grpc::CallbackServerContext* context, Metrics& metrics, std::string_view method,
              const google::protobuf::MessageLite& response)
      : context_(context),
        reactor_(context->DefaultReactor()),
        response_(&response),
        metrics_(&metrics),
        method_(method) {}

  grpc::ServerUnaryReactor* reactor() const { return reactor_; }
  // Ends the call; the reactor no longer exists afterwards.
  void finish(grpc::Status status) const {
    const std::uint64_t bytes = status.ok() ? response_->ByteSizeLong() : 0;
    if (const absl::Status full = CallLedger::answering(*context_, bytes); !full.ok())
      status = to_grpc(full);
    metrics_->count_call(method_, name_of(status.error_code()), now_us() - begun_);
    reactor_->Finish(std::move(status));
  }

 private:
  grpc::CallbackServerContext* context_;
  grpc::ServerUnaryReactor* reactor_;
  const google::protobuf::MessageLite* response_;
  Metrics* metrics_;
  std::string_view method_;
  Micros begun_ = now_us();
};

// Returns the interceptors for ServerBuilder; they count every call that is not a MeteredCall, and
// its answer. Borrows both, which must outlive the server.
std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> call_meters(
    Metrics& metrics, CallLedger& calls);

}  // namespace repath
