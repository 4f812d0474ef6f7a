// The kinds of worlds, and the abilities of one kind of agent, whatever the kind of the world. A
// profile's name keeps its meaning for the life of the world. Plain values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grid/cells/clearance.h"
#include "grid/cells/terrain.h"
#include "grid/cells/topology.h"

namespace repath {

enum class WorldKind : std::uint8_t { kGrid, kNavmesh, kGraph };

// Returns "grid", "navmesh" or "graph".
std::string_view name_of(WorldKind kind);

// Returns INVALID_ARGUMENT with reason KIND_UNSUITED: worlds of this kind do not support the field.
absl::Status unsuited(std::string_view field, WorldKind kind);

// The way in which a profile departs from a terrain class's default.
struct TerrainRule {
  TerrainId terrain{};
  double factor = 1;  // in [kFactorMin, kFactorMax]; of no meaning if forbidden
  bool forbidden = false;
  bool operator==(const TerrainRule&) const = default;
};

// The factor by which lengths over an area count.
struct AreaFactor {
  std::uint8_t area = 0;  // below kGraphAreas
  double factor = 1;      // in [kFactorMin, kFactorMax]
  bool operator==(const AreaFactor&) const = default;
};

// Returns a factor in thousandths, rounded up.
std::uint32_t in_thousandths(double factor);

struct Profile {
  std::string name = "default";
  // Grids only.
  Topology topology = Topology::k8;
  CornerRule corner_rule = CornerRule::kNone;
  std::vector<TerrainRule> terrain_rules = {};  // each class at most once
  // Radius of the agent, in world units. Grids: [0, kRadiusCellsMax cell sizes]; cells nearer to a
  // blocked one are barred, see grid/cells/clearance.h. Navmeshes: [0, kNavRadiusMax]; obstacles
  // grow by it. Graphs: [0, kNavRadiusMax]; edges narrower than twice the radius are barred.
  double radius = 0;
  // Navmeshes and graphs only: flags that ground, edges and links must have (one of `include`) and
  // must lack (all of `exclude`).
  std::uint16_t include = 0xffff;
  std::uint16_t exclude = 0;
  std::vector<AreaFactor> areas = {};  // each area at most once
  // Least radius of the curves that the agent can steer, in world units: [0, kTurningCellsMax cell
  // sizes], on navmeshes [0, kNavTurningMax]; 0: it turns on the spot. Only driven paths
  // (engine/drive_path.h) read it. Not on graphs, and not with hexagons.
  double turning_radius = 0;
  bool operator==(const Profile&) const = default;
};

// Limits on the profiles of one world.
struct ProfileRules {
  WorldKind kind = WorldKind::kGrid;
  std::size_t terrain_classes = 0;  // of a grid
  double cell_size = 1;             // of a grid, in world units
};

// Returns whether the name has 1 to kNameLengthMax characters of [A-Za-z0-9_.-].
bool is_name(std::string_view name);

// Checks a profile. Errors: INVALID_ARGUMENT with NAME_INVALID, KIND_UNSUITED, OUT_OF_RANGE,
// NOT_FINITE, DUPLICATE_ID or TERRAIN_UNKNOWN. The field is named as in repath.v1.Profile:
// "terrain_rules[i].factor", "area_costs[i].area".
absl::Status check_profile(const Profile& profile, const ProfileRules& rules);

// Checks the profiles that a world is made with and adds "default" in front if it is missing.
// Errors: those of check_profile, and RESOURCE_EXHAUSTED with PROFILES_TOO_MANY; fields
// "profiles[2].radius".
absl::Status check_profiles(std::vector<Profile>* profiles, const ProfileRules& rules);

// Checks the profiles of a batch together with the known ones. Errors: those of check_profiles, and
// ALREADY_EXISTS with PROFILE_EXISTS if the name has another meaning; fields
// "add_profiles[2].radius".
absl::Status check_new_profiles(const std::vector<Profile>& known,
                                const std::vector<Profile>& added, const ProfileRules& rules);

// Returns the profile; null if none has this name.
const Profile* find_profile(const std::vector<Profile>& profiles, std::string_view name);

// Returns the index of the profile. NOT_FOUND with PROFILE_UNKNOWN, field "profile".
absl::StatusOr<std::size_t> place_of_profile(const std::vector<Profile>& profiles,
                                             std::string_view name);

// Returns the profile's radius in cells. REQUIRES: check_profile is OK.
Disc disc_of(const Profile& profile, double cell_size);

// Checks a terrain table. Returns OK iff it has 1 to kTerrainClassesMax classes with proper and
// different names and symbols and factors in range. Otherwise returns INVALID_ARGUMENT with a field
// such as "terrain_classes" or "terrain_classes[i].name".
absl::Status check_terrain(const TerrainTable& classes);

}  // namespace repath
