#include "world/profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/error.h"
#include "world/limits.h"

namespace repath {
namespace {

bool is_factor(double factor) { return factor >= kFactorMin && factor <= kFactorMax; }

std::string factor_range() { return "must be in [1, 1000]"; }

std::string at(const char* list, std::size_t i, const char* field) {
  return std::string(list) + "[" + std::to_string(i) + "]." + field;
}

}  // namespace

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kNameLengthMax &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '.' || c == '-';
         });
}

absl::Status check_profile(const Profile& profile, const TerrainTable& classes, double cell_size) {
  if (!is_name(profile.name)) {
    return invalid_field("NAME_INVALID", "name", "must be 1 to 64 characters of [A-Za-z0-9_.-]");
  }
  std::array<bool, kTerrainClassesMax> seen{};
  for (std::size_t i = 0; i < profile.terrain_rules.size(); ++i) {
    const TerrainRule& rule = profile.terrain_rules[i];
    const std::string terrain_field = at("terrain_rules", i, "terrain_class");
    if (index(rule.terrain) >= classes.size()) {
      return invalid_field("TERRAIN_UNKNOWN", terrain_field, "the world has no such terrain class");
    }
    if (seen[index(rule.terrain)]) {
      return invalid_field("DUPLICATE_ID", terrain_field, "each terrain class at most once");
    }
    seen[index(rule.terrain)] = true;
    if (!rule.forbidden && !is_factor(rule.factor)) {
      return invalid_field("OUT_OF_RANGE", at("terrain_rules", i, "factor"), factor_range());
    }
  }
  if (!std::isfinite(profile.radius))
    return invalid_field("NOT_FINITE", "radius", "must be a finite number");
  if (profile.radius < 0 || profile.radius / cell_size > kRadiusCellsMax)
    return invalid_field("OUT_OF_RANGE", "radius", "must be in [0, 32] cell sizes");
  return absl::OkStatus();
}

Disc disc_of(const Profile& profile, double cell_size) {
  return Disc(profile.radius / cell_size, profile.topology);
}

absl::Status check_terrain(const TerrainTable& classes) {
  if (classes.empty() || classes.size() > kTerrainClassesMax) {
    return invalid_field("OUT_OF_RANGE", "terrain_classes", "a world has 1 to 64 terrain classes");
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const TerrainClass& c = classes[i];
    if (!is_name(c.name)) {
      return invalid_field("NAME_INVALID", at("terrain_classes", i, "name"),
                           "must be 1 to 64 characters of [A-Za-z0-9_.-]");
    }
    if (c.symbol < ' ' || c.symbol > '~') {
      return invalid_field("OUT_OF_RANGE", at("terrain_classes", i, "symbol"),
                           "must be one printable ASCII character");
    }
    if (!c.forbidden && !is_factor(c.factor)) {
      return invalid_field("OUT_OF_RANGE", at("terrain_classes", i, "factor"), factor_range());
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (classes[j].name == c.name || classes[j].symbol == c.symbol) {
        return invalid_field(
            "DUPLICATE_ID", at("terrain_classes", i, classes[j].name == c.name ? "name" : "symbol"),
            "terrain_classes[" + std::to_string(j) + "] has the same");
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace repath
