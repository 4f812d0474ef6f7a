// What an HTTP port answers by itself: its own pages, and refusals.
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

// Returns an answer without a body for HEAD.
Door::Response response_of(const HttpRequest& request, Reply reply);

// Returns an error as the API writes it, without details.
Reply json_error(boost::beast::http::status status, std::string_view code,
                 std::string_view message);

// Returns what to say of a request that cannot be read; nothing if it broke off.
std::optional<Reply> unreadable(boost::beast::error_code error, std::uint64_t body_bytes_max);

// Returns why a page of another site may not make this request; nothing if it may. Browsers say in
// Origin whose page it is.
std::optional<Reply> refused_site(const HttpRequest& request, const AdminServer::Rules& rules);

// Whether the path is /livez or /readyz.
bool is_health(boost::beast::string_view target);

// Answers for a page of the port's own. Returns nothing if the request is to get the figures of
// /metrics, which the port has if `has_figures`.
std::optional<Reply> own_page(const HttpRequest& request, bool is_ready, bool has_figures,
                              const AdminServer::Rules& rules, const HttpPeer& peer);

// Returns the answer with the figures.
Reply figures_page(std::string text);

}  // namespace repath
