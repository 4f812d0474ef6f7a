// Sides of a run that leave out some settlers. Each entry of `--without NAME[,NAME]` adds one side,
// which measures what the settlers of that entry gain.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grid_ground/state.h"

namespace repath::bench {

// By SettlerId.
inline constexpr std::array<std::string_view, 7> kSettlerNames{
    "enclosed", "recall", "labels", "detour", "field", "repair", "jumps"};

// Returns the settler with this name, or none.
inline std::optional<SettlerId> settler_named(std::string_view name) {
  for (std::size_t i = 0; i < kSettlerNames.size(); ++i)
    if (kSettlerNames[i] == name) return SettlerId{static_cast<std::uint8_t>(i)};
  return std::nullopt;
}

// What one side of a run is: a strategy by name, and the settlers that it does without.
struct SideName {
  std::string strategy;
  std::set<SettlerId> without = {};
  std::string label;  // in the rows of the run
};

// Returns the settlers that an entry names, with + between several; none if it is not such a list.
inline std::optional<std::set<SettlerId>> settlers_of(std::string_view entry) {
  std::set<SettlerId> settlers;
  for (std::size_t from = 0; from <= entry.size();) {
    const std::size_t end = std::min(entry.find('+', from), entry.size());
    const auto settler = settler_named(entry.substr(from, end - from));
    if (!settler) return std::nullopt;
    settlers.insert(*settler);
    from = end + 1;
  }
  return settlers;
}

// All sides of a run. REQUIRES: settlers_of knows each entry of `without`.
inline std::vector<SideName> sides_of(const std::vector<std::string>& strategies,
                                      const std::vector<std::string>& without) {
  std::vector<SideName> sides;
  for (const std::string& name : strategies) sides.push_back({name, {}, name});
  for (const std::string& entry : without)
    sides.push_back({"auto", *settlers_of(entry), "auto-" + entry});
  return sides;
}

}  // namespace repath::bench
