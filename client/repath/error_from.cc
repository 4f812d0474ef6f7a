#include "repath/internal/error_from.h"

#include "google/rpc/error_details.pb.h"

namespace repath::client {

const char* code_name(Code code) {
  switch (code) {
    case Code::kCancelled:
      return "CANCELLED";
    case Code::kUnknown:
      return "UNKNOWN";
    case Code::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case Code::kDeadlineExceeded:
      return "DEADLINE_EXCEEDED";
    case Code::kNotFound:
      return "NOT_FOUND";
    case Code::kAlreadyExists:
      return "ALREADY_EXISTS";
    case Code::kPermissionDenied:
      return "PERMISSION_DENIED";
    case Code::kResourceExhausted:
      return "RESOURCE_EXHAUSTED";
    case Code::kFailedPrecondition:
      return "FAILED_PRECONDITION";
    case Code::kAborted:
      return "ABORTED";
    case Code::kOutOfRange:
      return "OUT_OF_RANGE";
    case Code::kUnimplemented:
      return "UNIMPLEMENTED";
    case Code::kInternal:
      return "INTERNAL";
    case Code::kUnavailable:
      return "UNAVAILABLE";
    case Code::kDataLoss:
      return "DATA_LOSS";
    case Code::kUnauthenticated:
      return "UNAUTHENTICATED";
  }
  return "UNKNOWN";
}

Error error_from(const google::rpc::Status& status) {
  Error error;
  error.code =
      status.code() >= 1 && status.code() <= 16 ? static_cast<Code>(status.code()) : Code::kUnknown;
  error.message = status.message();
  for (const auto& detail : status.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest bad;
    if (detail.Is<google::rpc::ErrorInfo>() && detail.UnpackTo(&info)) {
      error.reason = info.reason();
    } else if (detail.Is<google::rpc::BadRequest>() && detail.UnpackTo(&bad)) {
      for (const auto& violation : bad.field_violations()) {
        error.field += (error.field.empty() ? "" : ", ") + violation.field();
      }
    }
  }
  return error;
}

Error error_from(const grpc::Status& status) {
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) details.Clear();
  details.set_code(status.error_code());
  details.set_message(status.error_message());
  return error_from(details);
}

}  // namespace repath::client
