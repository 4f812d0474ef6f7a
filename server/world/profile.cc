#include "world/profile.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "graph/graph_source.h"
#include "world/limits.h"

namespace repath {
namespace {

constexpr std::string_view kNameRule = "must be 1 to 64 characters of [A-Za-z0-9_.-]";

absl::Status check_factor(double factor, const std::string& field) {
  if (factor >= kFactorMin && factor <= kFactorMax) return absl::OkStatus();
  return invalid_field(std::isfinite(factor) ? "OUT_OF_RANGE" : "NOT_FINITE", field,
                       absl::StrCat(factor, " is not in [1, 1000]"));
}

std::string at(const char* list, std::size_t i, const char* field) { return item(list, i) + field; }

absl::Status check_suits(const Profile& profile, WorldKind kind) {
  const Profile plain;
  const bool is_grid = kind == WorldKind::kGrid;
  if (!is_grid && profile.topology != plain.topology) return unsuited("topology", kind);
  if (!is_grid && profile.corner_rule != plain.corner_rule) return unsuited("corner_rule", kind);
  if (!is_grid && !profile.terrain_rules.empty()) return unsuited("terrain_rules", kind);
  if (is_grid && profile.include != plain.include) return unsuited("include_flags", kind);
  if (is_grid && profile.exclude != plain.exclude) return unsuited("exclude_flags", kind);
  if (is_grid && !profile.areas.empty()) return unsuited("area_costs", kind);
  if (kind == WorldKind::kGraph && profile.turning_radius != 0)
    return unsuited("turning_radius", kind);
  return absl::OkStatus();
}

absl::Status check_terrain_rules(const Profile& profile, std::size_t classes) {
  std::bitset<kTerrainClassesMax> seen;
  for (std::size_t i = 0; i < profile.terrain_rules.size(); ++i) {
    const TerrainRule& rule = profile.terrain_rules[i];
    const std::string field = at("terrain_rules", i, ".terrain_class");
    if (index(rule.terrain) >= classes)
      return invalid_field("TERRAIN_UNKNOWN", field, "the world has no such terrain class");
    if (seen[index(rule.terrain)])
      return invalid_field("DUPLICATE_ID", field, "each terrain class at most once");
    seen.set(index(rule.terrain));
    if (rule.forbidden) continue;
    if (auto s = check_factor(rule.factor, at("terrain_rules", i, ".factor")); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status check_areas(const Profile& profile) {
  std::bitset<kGraphAreas> seen;
  for (std::size_t i = 0; i < profile.areas.size(); ++i) {
    const AreaFactor& rule = profile.areas[i];
    const std::string field = at("area_costs", i, ".area");
    if (rule.area >= kGraphAreas) return invalid_field("OUT_OF_RANGE", field, "must be below 64");
    if (seen[rule.area]) return invalid_field("DUPLICATE_ID", field, "each area at most once");
    seen.set(rule.area);
    if (auto s = check_factor(rule.factor, at("area_costs", i, ".factor")); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status check_radius(double radius, const ProfileRules& rules) {
  const bool is_grid = rules.kind == WorldKind::kGrid;
  if (!std::isfinite(radius))
    return invalid_field("NOT_FINITE", "radius", "must be a finite number");
  if (radius >= 0 &&
      (is_grid ? radius / rules.cell_size <= kRadiusCellsMax : radius <= kNavRadiusMax))
    return absl::OkStatus();
  return invalid_field("OUT_OF_RANGE", "radius",
                       is_grid
                           ? absl::StrCat(radius / rules.cell_size, " is not in [0, 32] cell sizes")
                           : absl::StrCat(radius, " is not in [0, 64] world units"));
}

absl::Status check_turning_radius(const Profile& profile, const ProfileRules& rules) {
  const double radius = profile.turning_radius;
  const bool is_grid = rules.kind == WorldKind::kGrid;
  if (!std::isfinite(radius))
    return invalid_field("NOT_FINITE", "turning_radius", "must be a finite number");
  if (radius < 0 ||
      (is_grid ? radius / rules.cell_size > kTurningCellsMax : radius > kNavTurningMax))
    return invalid_field(
        "OUT_OF_RANGE", "turning_radius",
        is_grid ? "must be in [0, 64] cell sizes" : "must be in [0, 64] world units");
  if (is_grid && radius != 0 && profile.topology == Topology::kHex)
    return invalid_field("SMOOTHING_UNSUITED", "turning_radius",
                         "is for topologies 4 and 8, not for hexagons");
  return absl::OkStatus();
}

absl::Status too_many_profiles(const std::string& field) {
  return make_error(absl::StatusCode::kResourceExhausted, "PROFILES_TOO_MANY", field,
                    "a world has at most 64 profiles, \"default\" counted");
}

// Checks the profile at place i of the list, and that its name differs from those before it.
absl::Status check_in_list(const std::vector<Profile>& profiles, std::size_t i,
                           std::string_view list, const ProfileRules& rules) {
  const std::string field = item(list, i) + ".";
  if (auto s = check_profile(profiles[i], rules); !s.ok()) return with_field_prefix(s, field);
  for (std::size_t j = 0; j < i; ++j)
    if (profiles[j].name == profiles[i].name)
      return invalid_field("DUPLICATE_ID", field + "name", item(list, j) + " has the same name");
  return absl::OkStatus();
}

}  // namespace

std::string_view name_of(WorldKind kind) {
  constexpr std::string_view kNames[] = {"grid", "navmesh", "graph"};
  return kNames[static_cast<std::size_t>(kind)];
}

absl::Status unsuited(std::string_view field, WorldKind kind) {
  return invalid_field(
      "KIND_UNSUITED", field,
      "this world is a " + std::string(name_of(kind)) + ", which has no use for it");
}

std::uint32_t in_thousandths(double factor) {
  return static_cast<std::uint32_t>(std::ceil(factor * 1000 - 1e-6));
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kNameLengthMax &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '.' || c == '-';
         });
}

absl::Status check_profile(const Profile& profile, const ProfileRules& rules) {
  if (!is_name(profile.name)) return invalid_field("NAME_INVALID", "name", kNameRule);
  if (auto s = check_suits(profile, rules.kind); !s.ok()) return s;
  if (auto s = check_terrain_rules(profile, rules.terrain_classes); !s.ok()) return s;
  if (auto s = check_radius(profile.radius, rules); !s.ok()) return s;
  if (auto s = check_turning_radius(profile, rules); !s.ok()) return s;
  return check_areas(profile);
}

absl::Status check_profiles(std::vector<Profile>* profiles, const ProfileRules& rules) {
  for (std::size_t i = 0; i < profiles->size(); ++i) {
    if (i == kProfilesMax) return too_many_profiles(item("profiles", i));
    if (auto s = check_in_list(*profiles, i, "profiles", rules); !s.ok()) return s;
  }
  const Profile plain;
  if (find_profile(*profiles, plain.name) != nullptr) return absl::OkStatus();
  if (profiles->size() == kProfilesMax) return too_many_profiles("profiles");
  profiles->insert(profiles->begin(), plain);
  return absl::OkStatus();
}

absl::Status check_new_profiles(const std::vector<Profile>& known,
                                const std::vector<Profile>& added, const ProfileRules& rules) {
  std::size_t count = known.size();
  for (std::size_t i = 0; i < added.size(); ++i) {
    if (auto s = check_in_list(added, i, "add_profiles", rules); !s.ok()) return s;
    const std::string field = item("add_profiles", i);
    const Profile* same = find_profile(known, added[i].name);
    if (same != nullptr && *same != added[i])
      return make_error(absl::StatusCode::kAlreadyExists, "PROFILE_EXISTS", field + ".name",
                        "a profile \"" + added[i].name +
                            "\" with other values exists; profiles cannot be changed, so give this "
                            "one another name");
    count += same == nullptr ? 1 : 0;
    if (count > kProfilesMax) return too_many_profiles(field);
  }
  return absl::OkStatus();
}

const Profile* find_profile(const std::vector<Profile>& profiles, std::string_view name) {
  const auto found = std::ranges::find(profiles, name, &Profile::name);
  return found == profiles.end() ? nullptr : &*found;
}

absl::StatusOr<std::size_t> place_of_profile(const std::vector<Profile>& profiles,
                                             std::string_view name) {
  const Profile* found = find_profile(profiles, name);
  if (found != nullptr) return static_cast<std::size_t>(found - profiles.data());
  return make_error(absl::StatusCode::kNotFound, "PROFILE_UNKNOWN", "profile",
                    "the world has no profile \"" + std::string(name) + "\"");
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
    if (!is_name(c.name))
      return invalid_field("NAME_INVALID", at("terrain_classes", i, ".name"), kNameRule);
    if (c.symbol < ' ' || c.symbol > '~')
      return invalid_field("OUT_OF_RANGE", at("terrain_classes", i, ".symbol"),
                           "must be one printable ASCII character");
    if (!c.forbidden) {
      if (auto s = check_factor(c.factor, at("terrain_classes", i, ".factor")); !s.ok()) return s;
    }
    for (std::size_t j = 0; j < i; ++j) {
      const bool same_name = classes[j].name == c.name;
      if (!same_name && classes[j].symbol != c.symbol) continue;
      return invalid_field("DUPLICATE_ID",
                           at("terrain_classes", i, same_name ? ".name" : ".symbol"),
                           item("terrain_classes", j) + " has the same");
    }
  }
  return absl::OkStatus();
}

}  // namespace repath
