#include "cli/token_file_check.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "cli/token_lines.h"

namespace repath::cli {
namespace {

constexpr std::size_t kBytesMax = 4u << 20;
constexpr std::size_t kLinesMax = 20'000;
constexpr std::size_t kNameMax = 512;
constexpr std::size_t kDigestSize = 64;

bool is_certificate_name(std::string_view text) {
  const bool has_type = text.rfind("uri:", 0) == 0 || text.rfind("dns:", 0) == 0;
  return has_type && text.size() > 4 && text.size() <= kNameMax &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return c > ' ' && c < '\x7f' && c != '"'; });
}

bool is_digest(std::string_view text) {
  return text.size() == kDigestSize &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Returns what is wrong with a line; empty if nothing is. Adds the name of its token or certificate
// to those of earlier lines.
std::string wrong_line(std::string_view line, std::set<std::string>& names) {
  const std::vector<std::string_view> words = words_of_line(line);
  if (words.empty()) return "";
  const bool is_token = words[0] == "token";
  if (!is_token && words[0] != "certificate") return "a line begins with `token` or `certificate`";
  if (words.size() != (is_token ? 5u : 4u))
    return is_token ? "expected `token ID SCOPES WORLDS SHA256`"
                    : "expected `certificate NAME SCOPES WORLDS`";
  if (is_token && !wrong_token_id(words[1]).empty()) return "ID: " + wrong_token_id(words[1]);
  if (!is_token && !is_certificate_name(words[1]))
    return "NAME: expected dns:NAME or uri:URI of at most 512 characters";
  if (const std::string wrong = wrong_scopes(words[2]); !wrong.empty()) return "SCOPES: " + wrong;
  if (const std::string wrong = wrong_worlds(words[3]); !wrong.empty()) return "WORLDS: " + wrong;
  if (is_token && !is_digest(words[4])) return "SHA256: expected 64 digits of [0-9a-f]";
  const bool is_new = names.insert(std::string(words[0]) + " " + std::string(words[1])).second;
  return is_new ? "" : "the name stands on an earlier line too";
}

}  // namespace

std::vector<std::string_view> words_of_line(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r";
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t begin = line.find_first_not_of(kBlank);
    if (begin == std::string_view::npos || (words.empty() && line[begin] == '#')) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(kBlank), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::string wrong_token_file(std::string_view text, const std::string& path) {
  if (text.size() > kBytesMax)
    return path + ": has more than " + std::to_string(kBytesMax) + " bytes";
  std::set<std::string> names;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string place = path + ":" + std::to_string(number) + ": ";
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return place + "the last line has no end; is the file still being written?";
    if (number > kLinesMax) return place + "has more than " + std::to_string(kLinesMax) + " lines";
    if (const std::string wrong = wrong_line(text.substr(0, end), names); !wrong.empty())
      return place + wrong;
    text.remove_prefix(end + 1);
  }
  return "";
}

}  // namespace repath::cli
