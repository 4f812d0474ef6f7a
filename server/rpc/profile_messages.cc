// The part of batch_messages.h for profiles and terrain classes.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "rpc/batch_messages.h"
#include "world/limits.h"

namespace repath {
namespace {

// Rejects these fields even if they ask for what comes anyway.
absl::Status check_no_grid_fields(const v1::Profile& message, WorldKind kind, const Field& field) {
  for (const auto& [is_given, name] :
       {std::pair{message.topology() != v1::TOPOLOGY_UNSPECIFIED, "topology"},
        {message.corner_rule() != v1::CORNER_RULE_UNSPECIFIED, "corner_rule"},
        {message.terrain_rules_size() != 0, "terrain_rules"}})
    if (is_given) return unsuited((field / name).text(), kind);
  return absl::OkStatus();
}

absl::Status read_areas(const v1::Profile& message, const Field& field, Profile* profile) {
  REPATH_ASSIGN_OR_RETURN(profile->include,
                          to_flags(message.include_flags(), kAllFlags, field / "include_flags"));
  REPATH_ASSIGN_OR_RETURN(profile->exclude,
                          to_flags(message.exclude_flags(), 0, field / "exclude_flags"));
  REPATH_RETURN_IF_ERROR(check_count(message.area_costs_size(), 0, static_cast<int>(kGraphAreas),
                                     field / "area_costs"));
  const auto read = [](const v1::Profile::AreaCost& cost,
                       const Field& at) -> absl::StatusOr<AreaFactor> {
    REPATH_ASSIGN_OR_RETURN(const std::uint8_t area, to_area(cost.area(), at / "area"));
    return AreaFactor{area, cost.factor()};
  };
  REPATH_ASSIGN_OR_RETURN(profile->areas,
                          read_list(message.area_costs(), field / "area_costs", read));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TerrainId> terrain_by_name(const std::string& name, const TerrainTable& terrain,
                                          const Field& field) {
  const auto at = std::ranges::find(terrain, name, &TerrainClass::name);
  if (at == terrain.end()) {
    return make_error(absl::StatusCode::kNotFound, "TERRAIN_UNKNOWN", field.text(),
                      "the world has no terrain class of this name; GetWorld lists them");
  }
  return static_cast<TerrainId>(at - terrain.begin());
}

absl::StatusOr<Profile> to_profile(const v1::Profile& message, const WorldTerms& world,
                                   const Field& field) {
  REPATH_RETURN_IF_ERROR(check_name(message.name(), field / "name"));
  if (world.kind != WorldKind::kGrid)
    REPATH_RETURN_IF_ERROR(check_no_grid_fields(message, world.kind, field));
  REPATH_RETURN_IF_ERROR(
      check_count(message.terrain_rules_size(), 0, 256, field / "terrain_rules"));
  Profile profile{message.name(), {}, {}, {}, message.radius()};
  profile.turning_radius = message.turning_radius();
  REPATH_ASSIGN_OR_RETURN(profile.topology,
                          (to_plain<v1::TOPOLOGY_4, Topology::kHex>(
                              message.topology(), field / "topology", world.topology)));
  REPATH_ASSIGN_OR_RETURN(profile.corner_rule, (to_plain<v1::CORNER_RULE_NONE, CornerRule::kOne>(
                                                   message.corner_rule(), field / "corner_rule")));
  const auto read = [&](const v1::Profile::TerrainRule& rule,
                        const Field& at) -> absl::StatusOr<TerrainRule> {
    REPATH_ASSIGN_OR_RETURN(
        const TerrainId terrain,
        terrain_by_name(rule.terrain_class(), world.terrain, at / "terrain_class"));
    return TerrainRule{terrain, rule.forbidden() ? 1 : rule.factor(), rule.forbidden()};
  };
  REPATH_ASSIGN_OR_RETURN(profile.terrain_rules,
                          read_list(message.terrain_rules(), field / "terrain_rules", read));
  REPATH_RETURN_IF_ERROR(read_areas(message, field, &profile));
  return profile;
}

void fill_profile(const Profile& profile, const WorldTerms& world, v1::Profile* out) {
  out->set_name(profile.name);
  out->set_radius(profile.radius);
  out->set_turning_radius(profile.turning_radius);
  if (world.kind != WorldKind::kGrid) {
    out->set_include_flags(profile.include == kAllFlags ? 0 : profile.include);
    out->set_exclude_flags(profile.exclude);
    for (const AreaFactor& area : profile.areas) {
      auto* cost = out->add_area_costs();
      cost->set_area(area.area);
      cost->set_factor(area.factor);
    }
    return;
  }
  out->set_topology(to_message<v1::Topology>(profile.topology));
  out->set_corner_rule(to_message<v1::CornerRule>(profile.corner_rule));
  for (const TerrainRule& rule : profile.terrain_rules) {
    auto* message = out->add_terrain_rules();
    message->set_terrain_class(world.terrain[index(rule.terrain)].name);
    if (!rule.forbidden) message->set_factor(rule.factor);
    message->set_forbidden(rule.forbidden);
  }
}

absl::StatusOr<TerrainClass> to_terrain_class(const v1::TerrainClass& message, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_name(message.name(), field / "name"));
  if (message.symbol().size() != 1)
    return refuse(field / "symbol", "SYMBOL_INVALID", "must be one ASCII character");
  if (!message.forbidden()) {
    REPATH_RETURN_IF_ERROR(check_range(message.factor(), kFactorMin, kFactorMax, field / "factor"));
  }
  return TerrainClass{message.name(), message.symbol().front(),
                      message.forbidden() ? 1 : message.factor(), message.forbidden()};
}

void fill_terrain_class(const TerrainClass& terrain, v1::TerrainClass* out) {
  out->set_name(terrain.name);
  out->set_symbol(std::string(1, terrain.symbol));
  if (!terrain.forbidden) out->set_factor(terrain.factor);
  out->set_forbidden(terrain.forbidden);
}

}  // namespace repath
