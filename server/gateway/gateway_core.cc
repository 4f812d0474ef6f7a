#include "gateway/gateway_core.h"

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <utility>

#include "base/error.h"
#include "gateway/connect_error.h"
#include "rpc/status.h"

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

absl::Status not_serving() { return absl::UnavailableError("the server does not serve now"); }

absl::Status check_wanted(const GatewayCore& core, bool is_client_gone) {
  if (is_client_gone) return absl::CancelledError("the client has ended its side");
  return core.is_ending ? not_serving() : absl::OkStatus();
}

absl::Status enter(GatewayCore& core, const HttpPeer& peer, grpc::ClientContext& context,
                   OpenCalls::End end) {
  if (!core.is_open || !core.calls.enter(context, std::move(end))) return not_serving();
  context.AddMetadata(PassedPeer::kHeader,
                      core.server->http_peer().value_for(peer.address, peer.names));
  return absl::OkStatus();
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

}  // namespace repath
