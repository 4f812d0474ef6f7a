#include "access/world_pattern.h"

#include <algorithm>

namespace repath {
namespace {

bool is_pattern(std::string_view text) {
  constexpr std::string_view kOthers = "_.-*";
  return !text.empty() && text.size() <= WorldPatterns::kPatternMax &&
         std::ranges::all_of(text, [&](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  kOthers.find(c) != std::string_view::npos;
         });
}

// Matches greedily from the left. A later star makes an earlier one's choice final.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;  // where the name goes on behind the last star
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return std::ranges::all_of(pattern.substr(p), [](char c) { return c == '*'; });
}

}  // namespace

std::optional<WorldPatterns> WorldPatterns::parse(std::string_view text) {
  WorldPatterns read;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view pattern = text.substr(0, comma);
    if (!is_pattern(pattern) || read.patterns_.size() == kPatternsMax) return std::nullopt;
    read.patterns_.emplace_back(pattern);
    if (comma == std::string_view::npos) return read;
    text.remove_prefix(comma + 1);
  }
}

bool WorldPatterns::match(std::string_view name) const {
  return std::ranges::any_of(patterns_, [&](const std::string& one) { return matches(one, name); });
}

bool WorldPatterns::match_all() const {
  return std::ranges::any_of(patterns_, [](const std::string& one) {
    return std::ranges::all_of(one, [](char c) { return c == '*'; });
  });
}

}  // namespace repath
