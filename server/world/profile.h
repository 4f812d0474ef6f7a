// What one kind of agent can do. A name keeps its meaning for the life of the world. Plain values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "grid/cells/clearance.h"
#include "grid/cells/terrain.h"
#include "grid/cells/topology.h"

namespace repath {

// How a profile departs from a terrain class's default.
struct TerrainRule {
  TerrainId terrain{};
  double factor = 1;  // in [kFactorMin, kFactorMax]; of no meaning if forbidden
  bool forbidden = false;
  bool operator==(const TerrainRule&) const = default;
};

struct Profile {
  std::string name = "default";
  Topology topology = Topology::k8;
  CornerRule corner_rule = CornerRule::kNone;
  std::vector<TerrainRule> terrain_rules = {};  // each class at most once
  // World units, [0, kRadiusCellsMax cell sizes]: what is nearer is barred, see
  // grid/cells/clearance.h.
  double radius = 0;
  bool operator==(const Profile&) const = default;
};

// 1 to kNameLengthMax characters of [A-Za-z0-9_.-].
bool is_name(std::string_view name);

// OK, or INVALID_ARGUMENT with field "name", "terrain_rules[i].factor",
// "terrain_rules[i].terrain_class" or "radius". `cell_size`: of the world, in world units.
absl::Status check_profile(const Profile& profile, const TerrainTable& classes, double cell_size);

// The profile's radius in cells. REQUIRES: check_profile is OK.
Disc disc_of(const Profile& profile, double cell_size);

// OK iff there are 1 to kTerrainClassesMax classes with proper and different names and symbols and
// factors in range; else INVALID_ARGUMENT with field "terrain_classes" or "terrain_classes[i].name"
// and so on.
absl::Status check_terrain(const TerrainTable& classes);

}  // namespace repath
