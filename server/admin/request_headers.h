// The headers of an HTTP request.
//
// Thread rule: pure functions.
#pragma once

#include <boost/beast/http/field.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string_view>

namespace repath {

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

// Return a header's value, the first one's if there are several; empty if there is none.
std::string_view header_of(const HttpRequest& request, boost::beast::http::field name);
std::string_view header_of(const HttpRequest& request, std::string_view name);

// Returns the text without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text);
// Returns whether two names are the same but for the case of letters: of hosts, media types,
// codings.
bool is_same_name(std::string_view a, std::string_view b);

// Returns the path of the request's target, without its query.
std::string_view path_of(const HttpRequest& request);

// Returns whether the client waits for "100 Continue" before it sends the body.
bool waits_for_continue(const HttpRequest& request);

// Gives a request whose target is a whole URI the usual form, with a path as its target. Its Host
// header is then that of the URI, which counts alone (RFC 9112, 3.2.2).
void use_path_as_target(HttpRequest& request);

// Returns the header Authorization, if there is one. Two headers could be read in two ways
// by two readers, so neither counts: the value is then empty, which is a wrong token.
std::optional<std::string_view> authorization_of(const HttpRequest& request);

// Returns what is wrong with a request that two readers could read in two ways; empty if nothing
// is. It has two Host or two Origin headers, or a Transfer-Encoding other than "chunked". Such an
// encoding leaves open where the body ends.
std::string_view ambiguity_of(const HttpRequest& request);

}  // namespace repath
