// The part of batch_messages.h for profiles and terrain classes.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "rpc/batch_messages.h"
#include "world/limits.h"

namespace repath {
namespace {

absl::StatusOr<Topology> to_topology(v1::Topology message, Topology unspecified,
                                     const Field& field) {
  switch (message) {
    case v1::TOPOLOGY_UNSPECIFIED:
      return unspecified;
    case v1::TOPOLOGY_4:
      return Topology::k4;
    case v1::TOPOLOGY_8:
      return Topology::k8;
    case v1::TOPOLOGY_HEX:
      return Topology::kHex;
    default:
      return unknown_enum(message, field);
  }
}

v1::Topology to_message(Topology topology) {
  switch (topology) {
    case Topology::k4:
      return v1::TOPOLOGY_4;
    case Topology::k8:
      return v1::TOPOLOGY_8;
    case Topology::kHex:
      break;
  }
  return v1::TOPOLOGY_HEX;
}

absl::StatusOr<CornerRule> to_corner_rule(v1::CornerRule message, const Field& field) {
  switch (message) {
    case v1::CORNER_RULE_UNSPECIFIED:
    case v1::CORNER_RULE_NONE:
      return CornerRule::kNone;
    case v1::CORNER_RULE_ONE:
      return CornerRule::kOne;
    default:
      return unknown_enum(message, field);
  }
}

// Choices that are there, though they may ask for what comes anyway.
absl::Status check_no_grid_fields(const v1::Profile& message, WorldKind kind, const Field& field) {
  if (message.topology() != v1::TOPOLOGY_UNSPECIFIED)
    return unsuited((field / "topology").text(), kind);
  if (message.corner_rule() != v1::CORNER_RULE_UNSPECIFIED)
    return unsuited((field / "corner_rule").text(), kind);
  if (message.terrain_rules_size() != 0) return unsuited((field / "terrain_rules").text(), kind);
  return absl::OkStatus();
}

absl::Status read_areas(const v1::Profile& message, const Field& field, Profile* profile) {
  const auto include = to_flags(message.include_flags(), kAllFlags, field / "include_flags");
  if (!include.ok()) return include.status();
  const auto exclude = to_flags(message.exclude_flags(), 0, field / "exclude_flags");
  if (!exclude.ok()) return exclude.status();
  profile->include = *include;
  profile->exclude = *exclude;
  REPATH_RETURN_IF_ERROR(check_count(message.area_costs_size(), 0, static_cast<int>(kGraphAreas),
                                     field / "area_costs"));
  for (int i = 0; i < message.area_costs_size(); ++i) {
    const v1::Profile::AreaCost& cost = message.area_costs(i);
    const auto area = to_area(cost.area(), (field / "area_costs")[place(i)] / "area");
    if (!area.ok()) return area.status();
    profile->areas.push_back({*area, cost.factor()});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TerrainId> terrain_by_name(const std::string& name, const TerrainTable& terrain,
                                          const Field& field) {
  const auto at = std::find_if(terrain.begin(), terrain.end(),
                               [&](const TerrainClass& c) { return c.name == name; });
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
  const auto topology = to_topology(message.topology(), world.topology, field / "topology");
  if (!topology.ok()) return topology.status();
  const auto corner_rule = to_corner_rule(message.corner_rule(), field / "corner_rule");
  if (!corner_rule.ok()) return corner_rule.status();
  Profile profile{message.name(), *topology, *corner_rule, {}, message.radius()};
  for (int i = 0; i < message.terrain_rules_size(); ++i) {
    const v1::Profile::TerrainRule& rule = message.terrain_rules(i);
    const Field at = (field / "terrain_rules")[place(i)] / "terrain_class";
    const auto terrain_id = terrain_by_name(rule.terrain_class(), world.terrain, at);
    if (!terrain_id.ok()) return terrain_id.status();
    profile.terrain_rules.push_back(
        {*terrain_id, rule.forbidden() ? 1 : rule.factor(), rule.forbidden()});
  }
  REPATH_RETURN_IF_ERROR(read_areas(message, field, &profile));
  return profile;
}

void fill_profile(const Profile& profile, const WorldTerms& world, v1::Profile* out) {
  out->set_name(profile.name);
  out->set_radius(profile.radius);
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
  out->set_topology(to_message(profile.topology));
  out->set_corner_rule(profile.corner_rule == CornerRule::kNone ? v1::CORNER_RULE_NONE
                                                                : v1::CORNER_RULE_ONE);
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
