#include "admin/request_headers.h"

#include <boost/beast/core/string.hpp>

namespace repath {
namespace {

namespace http = boost::beast::http;

std::string_view view_of(boost::beast::string_view value) { return {value.data(), value.size()}; }

}  // namespace

std::string_view header_of(const HttpRequest& request, http::field name) {
  return view_of(request[name]);
}

std::string_view header_of(const HttpRequest& request, std::string_view name) {
  return view_of(request[boost::beast::string_view(name.data(), name.size())]);
}

std::optional<std::string_view> authorization_of(const HttpRequest& request) {
  switch (request.count(http::field::authorization)) {
    case 0:
      return std::nullopt;
    case 1:
      return header_of(request, http::field::authorization);
    default:
      return "";
  }
}

std::string_view ambiguity_of(const HttpRequest& request) {
  if (request.count(http::field::host) > 1) return "there are two Host headers";
  if (request.count(http::field::origin) > 1) return "there are two Origin headers";
  const auto codings = request.count(http::field::transfer_encoding);
  if (codings > 1 ||
      (codings == 1 && !boost::beast::iequals(request[http::field::transfer_encoding], "chunked")))
    return "the only Transfer-Encoding is chunked";
  return "";
}

}  // namespace repath
