// The answers that an HTTP port gives by itself: its own pages, and refusals.
//
// Thread rule: pure functions.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "admin/admin_server.h"
#include "admin/door.h"
#include "admin/request_headers.h"

namespace repath {

// Greatest size of a request's headers, and of the body of one for a page of the port's own.
constexpr std::uint32_t kHeaderBytesMax = 8192;
constexpr std::uint64_t kBodyBytesMax = 1024;

struct Reply {
  boost::beast::http::status status;
  std::string text;
  const char* type = "text/plain";
};

// Why the port refuses a request. A door says it in the API's words (Door::refusal()).
struct Refusal {
  boost::beast::http::status status;
  absl::Status why;
};

// Returns the answer of a port without a door, and of the port's own pages.
Reply reply_of(const Refusal& refusal);

Door::Response response_of(const HttpRequest& request, Reply reply);

// Returns what to say of a request that cannot be read; nothing if it broke off.
std::optional<Refusal> unreadable(boost::beast::error_code error, std::uint64_t body_bytes_max);
// Returns what to say of a request that is none of HTTP, or that could be read in two ways.
Refusal not_http(std::string_view why);

// Returns why a page of another site may not make this request; nothing if it may. Browsers say in
// Origin whose page it is.
std::optional<Refusal> refused_site(const HttpRequest& request, const AdminServer::Rules& rules);

// Whether the path is /livez or /readyz.
bool is_health(std::string_view path);

// Answers for a page of the port's own. Returns nothing if the request is to get the figures of
// /metrics, which the port has if `has_figures`.
std::optional<Reply> own_page(const HttpRequest& request, bool is_ready, bool has_figures,
                              const AdminServer::Rules& rules, const HttpPeer& peer);

// Returns the answer with the figures.
Reply figures_page(std::string text);

}  // namespace repath
