#include "gateway/connect_error.h"

#include <google/protobuf/message.h>
#include <google/protobuf/util/json_util.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "google/rpc/status.pb.h"

namespace repath {
namespace {

namespace pb = google::protobuf;

const char* code_name(grpc::StatusCode code) {
  switch (code) {
    case grpc::CANCELLED:
      return "canceled";
    case grpc::INVALID_ARGUMENT:
      return "invalid_argument";
    case grpc::DEADLINE_EXCEEDED:
      return "deadline_exceeded";
    case grpc::NOT_FOUND:
      return "not_found";
    case grpc::ALREADY_EXISTS:
      return "already_exists";
    case grpc::PERMISSION_DENIED:
      return "permission_denied";
    case grpc::RESOURCE_EXHAUSTED:
      return "resource_exhausted";
    case grpc::FAILED_PRECONDITION:
      return "failed_precondition";
    case grpc::ABORTED:
      return "aborted";
    case grpc::OUT_OF_RANGE:
      return "out_of_range";
    case grpc::UNIMPLEMENTED:
      return "unimplemented";
    case grpc::INTERNAL:
      return "internal";
    case grpc::UNAVAILABLE:
      return "unavailable";
    case grpc::DATA_LOSS:
      return "data_loss";
    case grpc::UNAUTHENTICATED:
      return "unauthenticated";
    default:
      return "unknown";
  }
}

// Returns the detail as JSON, if this program knows its type.
nlohmann::json detail_json(const pb::Any& detail, const std::string& type) {
  const pb::Descriptor* known = pb::DescriptorPool::generated_pool()->FindMessageTypeByName(type);
  if (known == nullptr) return nullptr;
  const std::unique_ptr<pb::Message> message(
      pb::MessageFactory::generated_factory()->GetPrototype(known)->New());
  std::string text;
  if (!message->ParseFromString(detail.value()) ||
      !pb::util::MessageToJsonString(*message, &text).ok())
    return nullptr;
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

}  // namespace

unsigned http_status_of(grpc::StatusCode code) {
  switch (code) {
    case grpc::OK:
      return 200;
    case grpc::CANCELLED:
      return 499;
    case grpc::INVALID_ARGUMENT:
    case grpc::FAILED_PRECONDITION:
    case grpc::OUT_OF_RANGE:
      return 400;
    case grpc::UNAUTHENTICATED:
      return 401;
    case grpc::PERMISSION_DENIED:
      return 403;
    case grpc::NOT_FOUND:
      return 404;
    case grpc::ALREADY_EXISTS:
    case grpc::ABORTED:
      return 409;
    case grpc::RESOURCE_EXHAUSTED:
      return 429;
    case grpc::UNIMPLEMENTED:
      return 501;
    case grpc::UNAVAILABLE:
      return 503;
    case grpc::DEADLINE_EXCEEDED:
      return 504;
    default:
      return 500;
  }
}

std::string connect_error(const grpc::Status& status) {
  nlohmann::ordered_json error{{"code", code_name(status.error_code())}};
  if (!status.error_message().empty()) error["message"] = status.error_message();
  google::rpc::Status full;
  if (full.ParseFromString(status.error_details())) {
    for (const pb::Any& any : full.details()) {
      const std::string type = any.type_url().substr(any.type_url().rfind('/') + 1);
      std::string value = absl::Base64Escape(any.value());
      value.erase(value.find_last_not_of('=') + 1);
      nlohmann::ordered_json detail{{"type", type}, {"value", value}};
      if (const nlohmann::json debug = detail_json(any, type); !debug.is_null())
        detail["debug"] = debug;
      error["details"].push_back(std::move(detail));
    }
  }
  return error.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace repath
