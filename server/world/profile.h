// What one kind of agent can do, whatever the kind of the world. A name keeps its meaning for the
// life of the world. Plain values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "grid/cells/clearance.h"
#include "grid/cells/terrain.h"
#include "grid/cells/topology.h"
#include "world/kind.h"

namespace repath {

// How a profile departs from a terrain class's default.
struct TerrainRule {
  TerrainId terrain{};
  double factor = 1;  // in [kFactorMin, kFactorMax]; of no meaning if forbidden
  bool forbidden = false;
  bool operator==(const TerrainRule&) const = default;
};

// What lengths over an area count.
struct AreaFactor {
  std::uint8_t area = 0;  // below kGraphAreas
  double factor = 1;      // in [kFactorMin, kFactorMax]
  bool operator==(const AreaFactor&) const = default;
};

struct Profile {
  std::string name = "default";
  // Grids only.
  Topology topology = Topology::k8;
  CornerRule corner_rule = CornerRule::kNone;
  std::vector<TerrainRule> terrain_rules = {};  // each class at most once
  // World units. Grids: [0, kRadiusCellsMax cell sizes], what is nearer is barred, see
  // grid/cells/clearance.h. Navmeshes: [0, kNavRadiusMax], obstacles grow by it. Graphs: 0.
  double radius = 0;
  // Navmeshes and graphs only: ground, edges and links must have one of the flags `include` and
  // none of `exclude`.
  std::uint16_t include = 0xffff;
  std::uint16_t exclude = 0;
  std::vector<AreaFactor> areas = {};  // each area at most once
  bool operator==(const Profile&) const = default;
};

// What the profiles of one world may say.
struct ProfileRules {
  WorldKind kind = WorldKind::kGrid;
  std::size_t terrain_classes = 0;  // of a grid
  double cell_size = 1;             // of a grid, in world units
};

// 1 to kNameLengthMax characters of [A-Za-z0-9_.-].
bool is_name(std::string_view name);

// OK, or INVALID_ARGUMENT (NAME_INVALID, KIND_UNSUITED, OUT_OF_RANGE, NOT_FINITE, DUPLICATE_ID,
// TERRAIN_UNKNOWN) with the field as repath.v1.Profile has it: "terrain_rules[i].factor",
// "area_costs[i].area".
absl::Status check_profile(const Profile& profile, const ProfileRules& rules);

// Checks the profiles that a world is made with and adds "default" in front if it is missing. Also
// RESOURCE_EXHAUSTED with PROFILES_TOO_MANY; fields "profiles[2].radius".
absl::Status check_profiles(std::vector<Profile>* profiles, const ProfileRules& rules);

// Checks the profiles of a batch beside those known. Also ALREADY_EXISTS with PROFILE_EXISTS, where
// the name has another meaning; fields "add_profiles[2].radius".
absl::Status check_new_profiles(const std::vector<Profile>& known,
                                const std::vector<Profile>& added, const ProfileRules& rules);

// Null: there is none of this name.
const Profile* find_profile(const std::vector<Profile>& profiles, std::string_view name);

// The profile's radius in cells. REQUIRES: check_profile is OK.
Disc disc_of(const Profile& profile, double cell_size);

// OK iff there are 1 to kTerrainClassesMax classes with proper and different names and symbols and
// factors in range; else INVALID_ARGUMENT with field "terrain_classes" or "terrain_classes[i].name"
// and so on.
absl::Status check_terrain(const TerrainTable& classes);

}  // namespace repath
