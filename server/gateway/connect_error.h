// Errors as the Connect protocol writes them: an HTTP status, and JSON with code, message and the
// details of gRPC's status. Source: the protocol's description, connectrpc.com/docs/protocol.
//
// Thread rule: pure functions.
#pragma once

#include <grpcpp/support/status.h>

#include <string>

namespace repath {

// Returns the HTTP status for a code: 400 for INVALID_ARGUMENT, and so on.
unsigned http_status_of(grpc::StatusCode code);

// Returns {"code":"invalid_argument","message":"...","details":[{"type","value","debug"}]}. A
// detail's `value` is its message in base64 without padding, `debug` the same as JSON.
std::string connect_error(const grpc::Status& status);

}  // namespace repath
