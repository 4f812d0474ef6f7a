// Sides of a run that leave out some settlers. Each entry of `--without NAME[,NAME]` adds one side,
// which measures what the settlers of that entry gain.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grid_ground/settlers/switches.h"

namespace repath::bench {

// What one side of a run is: a strategy by name, and the settlers that it does without.
struct SideName {
  std::string strategy;
  SettlerSet without = {};
  std::string label;  // in the rows of the run
};

// Returns the settlers that an entry names, with + between several; none if it is not such a list.
inline std::optional<SettlerSet> settlers_of(std::string_view entry) {
  SettlerSet settlers;
  for (std::size_t from = 0; from <= entry.size();) {
    const std::size_t end = std::min(entry.find('+', from), entry.size());
    const auto settler = settler_named(entry.substr(from, end - from));
    if (!settler) return std::nullopt;
    settlers.add(*settler);
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
