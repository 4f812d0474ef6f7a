// From a gRPC status with its details to the library's Error. Not installed.
#pragma once

#include <grpcpp/support/status.h>

#include <string>
#include <vector>

#include "google/rpc/status.pb.h"
#include "repath/result.h"

namespace repath::client {

// Requires !status.ok(). Details that cannot be read are left out.
Error error_from(const grpc::Status& status);
// The same for a status inside a message (SessionResponse.Rejected).
Error error_from(const google::rpc::Status& status);

}  // namespace repath::client
