// The one place where an error of the house becomes an error on the wire.
//
// Every status that is not OK carries one google.rpc.ErrorInfo (domain "repath", the stable reason,
// facts as metadata), with INVALID_ARGUMENT and OUT_OF_RANGE and wherever a field is named a
// BadRequest, with RESOURCE_EXHAUSTED and a known delay a RetryInfo, with FAILED_PRECONDITION a
// PreconditionFailure. Pure functions, any thread.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"
#include "google/rpc/status.pb.h"

namespace repath {

// google.rpc.Status for messages that carry one.
google::rpc::Status to_rpc_status(const absl::Status& status);

// For the end of a call: code, message, and the above as details.
grpc::Status to_grpc(const absl::Status& status);

}  // namespace repath
