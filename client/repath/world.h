// Worlds, their content, and changes to them, as plain values.
//
// The limits of every field stand under the same name in proto/repath/v1: world.proto,
// profile.proto, changes.proto.
//
// Thread rule: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "repath/values.h"

namespace repath::client {

struct TerrainClass {
  std::string name{};
  char symbol = '.';  // In text maps.
  double factor = 1;
  bool forbidden = false;
};

// The cost of a terrain class for one profile.
struct TerrainRule {
  std::string terrain_class{};
  double factor = 1;
  bool forbidden = false;
};

// Numbers are the protocol's.
enum class Topology { kDefault = 0, k4 = 1, k8 = 2, kHex = 3 };
enum class CornerRule { kDefault = 0, kNone = 1, kOne = 2 };
enum class Strategy { kAuto = 1, kAStar = 2, kLpa = 3, kDStarLite = 4, kField = 5 };

struct Profile {
  std::string name{};
  Topology topology = Topology::kDefault;
  CornerRule corner_rule = CornerRule::kDefault;
  std::vector<TerrainRule> terrain_rules{};
  // World units; the agent keeps so far from blocked cells, obstacles and walls.
  double radius = 0;
  // World units; least radius of curves on paths with Smoothing::kCurves. 0: it turns on the spot.
  double turning_radius = 0;
};

// Zero means the server's default.
struct WorldOptions {
  double frame_rate_hz = 0;
  bool lockstep = false;  // Frames pass only by Client::tick.
  std::uint64_t frame_budget_work_units = 0;
  std::uint64_t frame_budget_us = 0;
  Strategy strategy = Strategy::kAuto;
  std::uint32_t history_revisions = 0;
  std::uint64_t memory_limit_mb = 0;
  std::uint64_t first_leg_cells = 0;  // Grids only.
};

// A world to be made. An import takes width and height from the file: leave them 0.
struct NewWorld {
  std::string name{};
  std::int32_t width = 0;
  std::int32_t height = 0;
  double cell_size = 1;
  std::vector<Profile> profiles{};
  std::vector<TerrainClass> terrain_classes{};  // Empty: the built-in classes.
  WorldOptions options{};
};

// Formats of map files, as v1/import.proto describes them.
enum class MapFormat {
  kGuessed = 0,  // By the first bytes.
  kMovingAi = 1,
  kText = 2,
  kObj = 3,
  kMset = 4,
  kPolyanya = 5,
  kFloorPlan = 6,
  kGraph = 7,
  kVisibility = 9,
  kSight = 10,
};
enum class PlanMethod { kDefault = 0, kAnavmg = 1, kDelaunay = 2, kShortestDiagonals = 3 };

// How an import reads its file. Meshes and graphs have no cells: leave NewWorld.cell_size 0 there.
struct ImportOptions {
  MapFormat format = MapFormat::kGuessed;
  PlanMethod plan_method = PlanMethod::kDefault;  // Floor plans only.
  // Relaxed convexity of PlanMethod::kAnavmg, radians, [0, 0.5]. Floor plans only.
  double plan_tau_radians = 0;
  // Radius of the agents that the mesh was made for, world units, [0, 100]. Meshes other than OBJ
  // only.
  double base_radius = 0;
};

struct World {
  std::string name{};
  std::string kind{};
  std::uint64_t revision = 0;
  std::uint64_t state_hash = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;
  double cell_size = 1;
  std::string epoch{};
  WorldOptions options{};
  std::uint64_t obstacles = 0;
  std::uint64_t agents = 0;
  std::uint64_t memory_bytes = 0;
  double base_radius = 0;  // Radius of the agents that a mesh was made for, in world units.
  // Greatest revision that is on the server's disk, and number of the world's present load. Both
  // are 0 on worlds that are not durable.
  std::uint64_t durable_revision = 0;
  std::uint64_t incarnation = 0;
};

// Half-open: x in [x0, x1), y in [y0, y1).
struct CellRect {
  std::int32_t x0 = 0;
  std::int32_t y0 = 0;
  std::int32_t x1 = 0;
  std::int32_t y1 = 0;
};

struct Box {
  Vec3 center{};
  double half_x = 0;
  double half_z = 0;
  double yaw = 0;
};

struct Cylinder {
  Vec3 center{};
  double radius = 0;
};

// Corners in order, either orientation; y is ignored.
struct Polygon {
  std::vector<Vec3> corners{};
};

// A wall: all points within `radius` of the line between its ends; y is ignored.
struct Capsule {
  Vec3 from{};
  Vec3 to{};
  double radius = 0;
};

struct Obstacle {
  std::uint64_t id = 0;
  std::variant<CellRect, Box, Cylinder, Polygon, Capsule> shape{};
  std::optional<double> cost_factor{};  // Cost factor of the ground covered.
  std::uint32_t team_mask = 0;          // Bit t: exists for team t. 0 means all.
  bool enabled = true;                  // false: an open door.
  // Meshes only: area type of the ground covered. Without this and a factor the obstacle blocks.
  std::optional<std::uint32_t> area{};
  std::optional<double> bottom{};  // Meshes only: lowest height it reaches; empty: unlimited.
  std::optional<double> top{};     // Meshes only: highest height it reaches.
};

struct ObstacleSwitch {
  std::uint64_t id = 0;
  bool enabled = true;
};

struct TerrainEdit {
  CellRect cells{};
  std::string terrain_class{};
};

// Sets the influence of one team's layer, [0, 16): danger, losses and the like. A cell costs the
// team's agents 1 + level / 64 times as much. Levels are 0 at first and at most 63936.
struct InfluenceEdit {
  std::variant<CellRect, Cylinder> shape{};
  std::uint32_t team = 0;
  std::uint32_t layer = 0;
  std::int32_t amount = 0;  // Added to the level of each cell covered, or its new level.
  bool set = false;         // true: the new level.
};

// One step of decay: multiplies each level by keep_permille / 1000.
struct InfluenceDecay {
  std::uint32_t team = 0;
  std::uint32_t layer = 0;
  std::uint32_t keep_permille = 0;  // [0, 999].
  std::optional<CellRect> cells{};  // Empty: everywhere.
};

// Hides cells from a team or reveals them. A hidden cell counts for the team as free ground of
// factor 1.
struct FogEdit {
  std::variant<CellRect, Cylinder> shape{};
  std::uint32_t team = 0;
  bool hidden = false;  // false: revealed.
};

// The body of a standing agent: blocked for all others, and for itself unless Agent::stands.
struct Body {
  std::uint64_t agent_id = 0;
  std::variant<CellRect, Cylinder> shape{};
};

// Takes effect as one revision or not at all; in the order profiles, terrain, decays, influence,
// fog, removals, switches, upserts.
struct ChangeBatch {
  std::vector<Obstacle> upsert{};
  std::vector<std::uint64_t> remove{};
  std::vector<ObstacleSwitch> switches{};
  std::vector<TerrainEdit> terrain{};
  std::vector<Profile> profiles{};
  std::vector<InfluenceDecay> decays{};
  std::vector<InfluenceEdit> influence{};
  std::vector<FogEdit> fog{};
  std::vector<Body> stand{};             // Each replaces the body of its agent, or creates it.
  std::vector<std::uint64_t> walk_on{};  // Agents whose bodies go.
};

struct ApplyOptions {
  std::optional<std::uint64_t> expected_revision{};
  std::uint64_t game_tick = 0;
};

struct Applied {
  std::uint64_t revision = 0;
  std::uint64_t state_hash = 0;
  bool repeated_request = false;
  std::uint64_t changed_edges = 0;
  std::uint64_t invalidated_agents = 0;
  std::uint64_t waiting_agents = 0;
  std::uint64_t durable_revision = 0;  // As World has them, when the answer was given.
  std::uint64_t incarnation = 0;
};

// Two places that should stay connected.
struct Pair {
  Location from{};
  Location to{};
  std::string profile{};
  std::uint32_t team = 0;
};

struct PairResult {
  bool connected_before = false;
  bool connected_after = false;
};

// The path that an agent would get after a change that was tried.
struct NewPath {
  std::uint64_t agent = 0;
  Path path{};  // At most 256 waypoints.
};

struct Tested {
  std::uint64_t revision = 0;
  std::vector<PairResult> pairs{};  // In the order of the request.
  std::vector<std::uint64_t> affected_agents{};
  std::vector<std::uint64_t> cut_off_agents{};
  bool truncated = false;
  std::vector<NewPath> new_paths{};
};

}  // namespace repath::client
