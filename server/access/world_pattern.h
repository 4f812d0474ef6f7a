// Patterns of world names: `*` stands for any number of characters, every other character for
// itself.
//
// Thread rule: plain values; const functions from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repath {

class WorldPatterns {
 public:
  static constexpr std::size_t kPatternsMax = 64;
  static constexpr std::size_t kPatternMax = 64;  // characters of one pattern

  // Reads patterns separated by commas, each of 1 to 64 characters of [A-Za-z0-9_.-*]. Returns
  // nothing for other text.
  static std::optional<WorldPatterns> parse(std::string_view text);

  // Returns whether one of the patterns matches the whole name. O(pattern * name) for each.
  bool match(std::string_view name) const;
  // Returns whether a pattern matches every name, so that sums over all worlds may be seen.
  bool match_all() const;
  const std::vector<std::string>& patterns() const { return patterns_; }

 private:
  std::vector<std::string> patterns_;
};

}  // namespace repath
