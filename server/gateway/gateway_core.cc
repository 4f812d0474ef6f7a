#include "gateway/gateway_core.h"

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <utility>

#include "base/error.h"
#include "gateway/connect_error.h"
#include "rpc/status.h"
#include "runtime/registry.h"

namespace repath {
namespace {

namespace http = boost::beast::http;

// gRPC ends the process over a value with other characters.
bool is_sendable(std::string_view value) {
  return std::ranges::all_of(value, [](char c) { return c >= 0x20 && c <= 0x7E; });
}

}  // namespace

absl::Status copy_headers(const Door::Request& request,
                          std::optional<std::string_view> authorization,
                          grpc::ClientContext& context) {
  const auto add = [&](const char* name, std::string_view value) {
    if (!is_sendable(value))
      return invalid_field("HEADER_INVALID", name, "a header has visible ASCII characters only");
    context.AddMetadata(name, std::string(value));
    return absl::OkStatus();
  };
  if (authorization) REPATH_RETURN_IF_ERROR(add("authorization", *authorization));
  const std::string_view trace = header_of(request, "traceparent");
  return trace.empty() ? absl::OkStatus() : add("traceparent", trace);
}

absl::Status not_serving(const GatewayCore& core) {
  return core.phase == GatewayCore::Phase::kStarting
             ? make_error(absl::StatusCode::kUnavailable, "NOT_STARTED", "",
                          "the server does not serve yet")
             : server_drains();
}

absl::Status deadline_passed() {
  return make_error(absl::StatusCode::kDeadlineExceeded, "DEADLINE", "",
                    "the call's deadline has passed");
}

absl::Status check_wanted(const GatewayCore& core, bool is_client_gone) {
  if (is_client_gone) return absl::CancelledError("the client has ended its side");
  return core.phase == GatewayCore::Phase::kEnding ? not_serving(core) : absl::OkStatus();
}

absl::StatusOr<std::string> admit(const GatewayCore& core,
                                  const google::protobuf::MethodDescriptor& method,
                                  std::optional<std::string_view> authorization,
                                  const HttpPeer& peer) {
  if (core.phase != GatewayCore::Phase::kOpen) return not_serving(core);
  return core.server->admit(method, {authorization, [&peer] { return peer.names; }}, peer.address);
}

absl::Status enter(GatewayCore& core, const HttpPeer& peer, grpc::ClientContext& context,
                   OpenCalls::End end) {
  if (core.phase != GatewayCore::Phase::kOpen || !core.calls.enter(context, std::move(end)))
    return not_serving(core);
  context.AddMetadata(PassedPeer::kHeader,
                      core.server->http_peer().value_for(peer.address, peer.names));
  return absl::OkStatus();
}

grpc::Status for_client(const GatewayCore& core, const grpc::Status& status) {
  if (status.ok() || !status.error_details().empty()) return status;
  if (status.error_code() == grpc::CANCELLED && core.phase == GatewayCore::Phase::kEnding)
    return to_grpc(not_serving(core));
  if (status.error_code() == grpc::DEADLINE_EXCEEDED) return to_grpc(deadline_passed());
  const auto code = static_cast<absl::StatusCode>(status.error_code());
  return to_grpc(absl::Status(code, status.error_message().empty()
                                        ? "the call ended with " + absl::StatusCodeToString(code)
                                        : status.error_message()));
}

Door::Response make_response(unsigned status, std::string_view type, std::string body) {
  Door::Response response;
  response.version(11);
  response.result(status);
  response.set(http::field::content_type, boost::beast::string_view(type.data(), type.size()));
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.body() = std::move(body);
  response.prepare_payload();
  return response;
}

Door::Response error_response(const grpc::Status& status) {
  Door::Response response =
      make_response(http_status_of(status.error_code()), "application/json", connect_error(status));
  if (status.error_code() == grpc::UNAUTHENTICATED)
    response.set(http::field::www_authenticate, "Bearer");
  return response;
}

Door::Response error_response(const absl::Status& status) {
  return error_response(to_grpc(status));
}

Door::Response error_response(http::status http_status, const absl::Status& status) {
  Door::Response response = error_response(status);
  response.result(http_status);
  return response;
}

}  // namespace repath
