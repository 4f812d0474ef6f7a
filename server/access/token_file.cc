#include "access/token_file.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/same_secret.h"

namespace repath {
namespace {

constexpr std::string_view kBlank = " \t\r";

absl::Status bad_file(const std::string& why) {
  return make_error(absl::StatusCode::kInvalidArgument, "TOKEN_FILE", "", why);
}

// Returns the fields of a line. An empty line or a comment has none.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t begin = line.find_first_not_of(kBlank);
    if (begin == std::string_view::npos || (fields.empty() && line[begin] == '#')) return fields;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(kBlank), line.size());
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

bool is_token_id(std::string_view text) {
  return !text.empty() && text.size() <= TokenFile::kIdMax && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

bool is_certificate_name(std::string_view text) {
  const bool has_type = text.rfind("uri:", 0) == 0 || text.rfind("dns:", 0) == 0;
  return has_type && text.size() > 4 && text.size() <= TokenFile::kNameMax &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f' && c != '"'; });
}

std::optional<Sha256::Digest> parse_digest(std::string_view text) {
  Sha256::Digest digest{};
  if (text.size() != 2 * digest.size()) return std::nullopt;
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = kDigits.find(text[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    digest[i / 2] = static_cast<std::uint8_t>((std::size_t{digest[i / 2]} << 4) | digit);
  }
  return digest;
}

}  // namespace

absl::StatusOr<TokenFile> TokenFile::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto unreadable = [&path] {
    return bad_file(path + ": cannot be read: " + std::generic_category().message(errno));
  };
  if (!file) return unreadable();
  std::string text(kBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.gcount() == 0 && !file.eof())) return unreadable();
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parse(text, path);
}

absl::StatusOr<TokenFile> TokenFile::parse(std::string_view text, const std::string& path) {
  if (text.size() > kBytesMax)
    return bad_file(path + ": has more than " + std::to_string(kBytesMax) + " bytes");
  // A file that is still being written ends in the middle of a line.
  if (!text.empty() && text.back() != '\n')
    return bad_file(path + ": the last line has no end; is the file still being written?");
  TokenFile read;
  read.is_blank_ = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    absl::Status status = number > kLinesMax
                              ? bad_file("has more than " + std::to_string(kLinesMax) + " lines")
                              : read.add_line(text.substr(0, end));
    if (!status.ok())
      return bad_file(path + ":" + std::to_string(number) + ": " + std::string(status.message()));
    text.remove_prefix(end + 1);
  }
  return read;
}

absl::Status TokenFile::add_line(std::string_view line) {
  const std::vector<std::string_view> fields = fields_of(line);
  if (fields.empty()) return absl::OkStatus();
  const bool is_token = fields[0] == "token";
  if (!is_token && fields[0] != "certificate")
    return bad_file("a line begins with `token` or `certificate`");
  if (fields.size() != (is_token ? 5u : 4u))
    return bad_file(is_token ? "expected `token ID SCOPES WORLDS SHA256`"
                             : "expected `certificate NAME SCOPES WORLDS`");
  if (is_token && !is_token_id(fields[1]))
    return bad_file("a token's id has 1 to 64 characters of [A-Za-z0-9_-]");
  if (!is_token && !is_certificate_name(fields[1]))
    return bad_file("a certificate's name is dns:NAME or uri:URI of at most 512 characters");
  Principal principal;
  principal.name = std::string(fields[0]) + " " + std::string(fields[1]);
  const auto scopes = parse_scopes(fields[2]);
  if (!scopes) return bad_file("scopes are some of read,write,agents,admin, each once");
  principal.scopes = *scopes;
  auto worlds = WorldPatterns::parse(fields[3]);
  if (!worlds)
    return bad_file("worlds are at most 64 patterns of [A-Za-z0-9_.-*], separated by commas");
  principal.worlds = *std::move(worlds);
  if (is_token) {
    const auto digest = parse_digest(fields[4]);
    if (!digest) return bad_file("the SHA-256 of a token's secret has 64 digits of [0-9a-f]");
    principal.secret = *digest;
  }
  auto shared = std::make_shared<const Principal>(std::move(principal));
  if (!principals_.try_emplace(shared->name, shared).second)
    return bad_file("the name stands on an earlier line too");
  return absl::OkStatus();
}

std::shared_ptr<const Principal> TokenFile::find_token(std::string_view token) const {
  const std::size_t dot = token.find('.');
  if (dot == std::string_view::npos || dot > kIdMax) return nullptr;
  const auto found = principals_.find("token " + std::string(token.substr(0, dot)));
  const Sha256::Digest digest = sha256(token.substr(dot + 1));
  if (found == principals_.end()) return nullptr;
  const bool is_right = is_same_secret(digest, found->second->secret);
  return is_right ? found->second : nullptr;
}

std::shared_ptr<const Principal> TokenFile::find_certificate(
    const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    const auto found = principals_.find("certificate " + name);
    if (found != principals_.end()) return found->second;
  }
  return nullptr;
}

std::shared_ptr<const Principal> TokenFile::find_again(const Principal& earlier) const {
  const auto found = principals_.find(earlier.name);
  if (found == principals_.end() || found->second->secret != earlier.secret) return nullptr;
  return found->second;
}

}  // namespace repath
