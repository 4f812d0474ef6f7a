#include "admin/own_pages.h"

#include <boost/beast/http/error.hpp>
#include <utility>

#include "access/address_rule.h"
#include "base/error.h"

namespace repath {
namespace {

namespace http = boost::beast::http;

// Returns why the caller may not see the figures; nothing if it may.
std::optional<Reply> refused_caller(const HttpRequest& request, const AdminServer::Rules& rules,
                                    const HttpPeer& peer) {
  if (!rules.may_see) return std::nullopt;
  Credentials credentials;
  credentials.certificate_names = [&peer] { return peer.names; };
  credentials.authorization = authorization_of(request);
  const absl::Status status = rules.may_see(credentials);
  if (status.ok()) return std::nullopt;
  const bool is_known = status.code() == absl::StatusCode::kPermissionDenied;
  return Reply{is_known ? http::status::forbidden : http::status::unauthorized,
               std::string(status.message()) + "\n"};
}

}  // namespace

Reply reply_of(const Refusal& refusal) {
  return {refusal.status, std::string(refusal.why.message()) + "\n"};
}

Door::Response response_of(const HttpRequest& request, Reply reply) {
  Door::Response response(reply.status, request.version());
  response.set(http::field::content_type, reply.type);
  if (reply.status == http::status::unauthorized)
    response.set(http::field::www_authenticate, "Bearer");
  response.body() = std::move(reply.text);
  response.prepare_payload();
  return response;
}

std::optional<Refusal> unreadable(boost::beast::error_code error, std::uint64_t body_bytes_max) {
  if (error == http::error::body_limit)
    return Refusal{
        http::status::payload_too_large,
        make_error(absl::StatusCode::kResourceExhausted, "REQUEST_TOO_LARGE", "",
                   "the body has more than " + std::to_string(body_bytes_max) + " bytes")};
  if (error == http::error::header_limit)
    return Refusal{
        http::status::request_header_fields_too_large,
        make_error(absl::StatusCode::kResourceExhausted, "HEADERS_TOO_LARGE", "",
                   "the headers have more than " + std::to_string(kHeaderBytesMax) + " bytes")};
  const bool is_of_http =
      error.category() == http::make_error_code(http::error::body_limit).category();
  if (!is_of_http || error == http::error::end_of_stream || error == http::error::partial_message)
    return std::nullopt;
  return not_http("this is no HTTP request: " + error.message());
}

Refusal not_http(std::string_view why) {
  return {http::status::bad_request, invalid_field("HTTP_INVALID", "", why)};
}

std::optional<Refusal> refused_site(const HttpRequest& request, const AdminServer::Rules& rules) {
  const auto refused = [](http::status status, const char* reason, const char* why) {
    return Refusal{status, make_error(absl::StatusCode::kPermissionDenied, reason, "", why)};
  };
  const std::string_view host = header_of(request, http::field::host);
  if (!is_allowed_host(host, rules.hosts))
    return refused(http::status::misdirected_request, "HOST_UNKNOWN",
                   "the Host header is not allowed; --admin-host allows a name");
  const std::string_view origin = header_of(request, http::field::origin);
  const std::size_t name = origin.find("://");
  if (origin.empty() || (name != origin.npos && is_same_name(origin.substr(name + 3), host)))
    return std::nullopt;
  return refused(http::status::forbidden, "ORIGIN_FOREIGN", "the Origin header is of another site");
}

bool is_health(std::string_view path) { return path == "/livez" || path == "/readyz"; }

std::optional<Reply> own_page(const HttpRequest& request, bool is_ready, bool has_figures,
                              const AdminServer::Rules& rules, const HttpPeer& peer) {
  const http::verb method = request.method();
  const std::string_view path = path_of(request);
  if (method != http::verb::get && method != http::verb::head)
    return Reply{http::status::method_not_allowed, "only GET and HEAD\n"};
  if (path == "/livez") return Reply{http::status::ok, "alive\n"};
  if (path == "/readyz")
    return is_ready ? Reply{http::status::ok, "ready\n"}
                    : Reply{http::status::service_unavailable, "not serving\n"};
  if (const auto refused = refused_site(request, rules)) return reply_of(*refused);
  if (std::optional<Reply> refused = refused_caller(request, rules, peer)) return refused;
  if (path == "/metrics" && has_figures) return std::nullopt;
  return Reply{http::status::not_found, "there are /livez, /readyz and /metrics\n"};
}

Reply figures_page(std::string text) {
  // Version of the Prometheus text format.
  return {http::status::ok, std::move(text), "text/plain; version=0.0.4; charset=utf-8"};
}

}  // namespace repath
