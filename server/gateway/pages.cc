#include "gateway/pages.h"

#include <algorithm>
#include <array>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "gateway/embedded.h"
#include "gateway/gateway_core.h"
#include "gateway/gzip.h"
#include "gateway/reference.h"

namespace repath {
namespace {

namespace fs = std::filesystem;
namespace http = boost::beast::http;

// Pages have scripts and styles of this port alone, and stand in no frame of another page.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' "
    "data: blob:; worker-src 'self' blob:; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

constexpr std::string_view kConsole = "console/";
constexpr std::string_view kReference = "docs/";

std::string_view type_of_file(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTypes{{
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".json", "application/json"},
      {".txt", "text/plain; charset=utf-8"},
      {".woff2", "font/woff2"},
  }};
  for (const auto& [ending, type] : kTypes)
    if (path.ends_with(ending)) return type;
  return "text/html; charset=utf-8";
}

// Returns whether every part of the path is a plain name, so that it stays in its folder.
bool is_plain(std::string_view path) {
  return path.find("..") == path.npos && std::ranges::all_of(path, [](char c) {
           return c == '/' || c == '.' || c == '-' || c == '_' || (c >= '0' && c <= '9') ||
                  (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
         });
}

// Smaller texts fit into a packet or two as they are.
constexpr std::size_t kPackedFrom = 1400;

// Returns whether the client names gzip and does not rule it out (RFC 9110, 12.5.3).
bool takes_gzip(const Door::Request& request) {
  const std::string_view list = header_of(request, http::field::accept_encoding);
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string_view one = list.substr(at, end - at);
    at = end + 1;
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    if (!one.starts_with("gzip")) continue;
    one.remove_prefix(4);
    std::string weight;
    for (const char c : one)
      if (c != ' ') weight += c;
    if (weight.empty()) return true;
    return weight.starts_with(";q=") && weight.find_first_of("123456789") != std::string::npos;
  }
  return false;
}

}  // namespace

std::string_view embedded(std::string_view name) {
  const auto& files = embedded_files();
  const auto found = std::ranges::find(files, name, &EmbeddedFile::name);
  REPATH_CHECK(found != files.end());
  return found->bytes;
}

Pages Pages::built_in() {
  Pages pages;
  pages.texts_ = make_reference(embedded("api.pb"));
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name.starts_with(kReference))
      pages.texts_.emplace("/" + std::string(file.name), file.bytes);
    if (file.name.starts_with(kConsole))
      pages.texts_.emplace(file.name.substr(kConsole.size() - 1), file.bytes);
  }
  return pages;
}

absl::StatusOr<Pages> Pages::with_console_of(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return invalid_field("CONFIG_VALUE", "console-dir", "'" + folder + "' is no folder");
  Pages pages = built_in();
  pages.console_folder_ = folder;
  return pages;
}

const std::string* Pages::find(std::string_view path, std::string& kept) const {
  const bool is_console = path.substr(0, 5) != "/docs";
  if (!console_folder_.empty() && is_console) {
    if (!is_plain(path)) return nullptr;
    std::ifstream file(console_folder_ + std::string(path), std::ios::binary);
    if (!file || !fs::is_regular_file(console_folder_ + std::string(path))) return nullptr;
    std::ostringstream text;
    text << file.rdbuf();
    kept = text.str();
    return &kept;
  }
  const auto found = texts_.find(path);
  return found == texts_.end() ? nullptr : &found->second;
}

const std::string& Pages::packed(const std::string& text) const {
  const std::lock_guard lock(packed_->mutex);
  const auto [at, is_new] = packed_->texts.try_emplace(&text);
  if (is_new) at->second = gzip(text);
  return at->second;
}

Door::Response Pages::answer(const Door::Request& request) const {
  const auto target = request.target();
  std::string_view path(target.data(), target.size());
  path = path.substr(0, path.find('?'));
  if (path == "/") path = "/index.html";
  if (path == "/docs/") path = "/docs";
  std::string kept;
  const std::string* text = find(path, kept);
  const bool is_packed =
      text != nullptr && text != &kept && text->size() >= kPackedFrom && takes_gzip(request);
  Door::Response response =
      text != nullptr ? make_response(200, type_of_file(path), is_packed ? packed(*text) : *text)
                      : make_response(404, "text/plain",
                                      "there are /, /docs, /livez, /readyz and /metrics; calls of "
                                      "the API are POST\n");
  if (is_packed) response.set(http::field::content_encoding, "gzip");
  response.set(http::field::vary, "Accept-Encoding");
  response.set("Content-Security-Policy", kContentPolicy);
  response.set("Referrer-Policy", "no-referrer");
  return response;
}

}  // namespace repath
