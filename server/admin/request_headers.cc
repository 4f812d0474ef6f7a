#include "admin/request_headers.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <string>

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

std::string_view trimmed(std::string_view text) {
  constexpr const char* kBlanks = " \t";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

bool is_same_name(std::string_view a, std::string_view b) {
  return boost::beast::iequals({a.data(), a.size()}, {b.data(), b.size()});
}

std::string_view path_of(const HttpRequest& request) {
  const std::string_view target = view_of(request.target());
  return target.substr(0, target.find('?'));
}

bool waits_for_continue(const HttpRequest& request) {
  return request.version() >= 11 &&
         is_same_name(header_of(request, http::field::expect), "100-continue");
}

void use_path_as_target(HttpRequest& request) {
  const std::string_view target = view_of(request.target());
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!is_same_name(target.substr(0, scheme.size()), scheme)) continue;
    const std::string_view rest = target.substr(scheme.size());
    const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    const std::string host(rest.substr(0, end));
    std::string path(rest.substr(end));
    if (!path.starts_with('/')) path.insert(0, "/");
    request.set(http::field::host, host);
    request.target(path);
    return;
  }
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
