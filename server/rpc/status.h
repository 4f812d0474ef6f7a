// The only place that turns an error of the server into an error on the wire.
//
// Every status that is not OK carries one google.rpc.ErrorInfo: domain "repath", the stable reason,
// and facts as metadata. Further details:
// 1. BadRequest, with INVALID_ARGUMENT, with OUT_OF_RANGE, and if a field is named.
// 2. RetryInfo, with RESOURCE_EXHAUSTED if the delay is known.
// 3. PreconditionFailure, with FAILED_PRECONDITION.
//
// Pure functions, any thread.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"
#include "google/rpc/status.pb.h"

namespace repath {

// Returns a google.rpc.Status for messages that carry one.
google::rpc::Status to_rpc_status(const absl::Status& status);

// Returns the status for the end of a call: code, message, and the details above.
grpc::Status to_grpc(const absl::Status& status);

}  // namespace repath
