// The names of the settlers, and a set of them to leave out.
//
// `repath-bench --without NAME` measures what a settler gains. The switch reaches the planner
// through ReplanOptions; no option of the server sets it. Plain values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace repath {

// In the order in which settlers.h asks them.
enum class SettlerId : std::uint8_t {
  kEnclosed,
  kRecall,
  kLabels,
  kDetour,
  kField,
  kRepair,
  kJumps
};
inline constexpr std::array<std::string_view, 7> kSettlerNames{
    "enclosed", "recall", "labels", "detour", "field", "repair", "jumps"};

// Returns the settler with this name, or none.
constexpr std::optional<SettlerId> settler_named(std::string_view name) {
  for (std::size_t i = 0; i < kSettlerNames.size(); ++i)
    if (kSettlerNames[i] == name) return SettlerId{static_cast<std::uint8_t>(i)};
  return std::nullopt;
}

class SettlerSet {
 public:
  constexpr void add(SettlerId id) { bits_ |= bit(id); }
  constexpr bool contains(SettlerId id) const { return (bits_ & bit(id)) != 0; }

 private:
  static constexpr std::uint32_t bit(SettlerId id) {
    return std::uint32_t{1} << static_cast<unsigned>(id);
  }
  std::uint32_t bits_ = 0;
};

}  // namespace repath
