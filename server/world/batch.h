// What can be done to a world, as plain data: one batch takes effect whole, as one revision, or not
// at all.
//
// In this order: profiles, terrain, decays, influence, fog, removals, switches, upserts. Each
// obstacle id at most once in a batch. Errors name fields as repath.v1.ChangeBatch does, with the
// place in the list: "upsert_obstacles[2].cylinder.radius".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "grid/cells/cells.h"
#include "grid/cells/raster.h"
#include "grid/cells/terrain.h"
#include "world/plane.h"
#include "world/profile.h"

namespace repath {

// What an obstacle does to the cells it covers.
struct Effect {
  bool blocked = true;
  double factor = 1;  // in [kFactorMin, kFactorMax]; of no meaning if blocked
  bool operator==(const Effect&) const = default;
};

struct ObstacleSpec {
  ObstacleId id{};
  Shape shape = {};  // covers cells by the rule of grid/cells/raster.h
  Effect effect = {};
  TeamMask teams = kAllTeams;  // whom it concerns; not 0
  bool enabled = true;         // false: an open door, kept with no effect
  bool operator==(const ObstacleSpec&) const = default;
};

struct ObstacleSwitch {
  ObstacleId id{};
  bool enabled = true;
  bool operator==(const ObstacleSwitch&) const = default;
};

// The rectangle is clipped to the map and must meet it. Of edits that overlap the last one counts.
struct TerrainEdit {
  CellRect cells;
  TerrainId terrain{};
  bool operator==(const TerrainEdit&) const = default;
};

// What is left of a layer of influence, everywhere or in a rectangle (clipped to the map, must meet
// it).
struct InfluenceDecay {
  TeamId team{};
  std::uint8_t layer = 0;          // below kInfluenceLayers
  std::int32_t keep_permille = 0;  // [0, 1000); rounded down
  std::optional<CellRect> cells = {};
  bool operator==(const InfluenceDecay&) const = default;
};

// Edits of one cell take effect in their order.
struct InfluenceEdit {
  Shape shape = {};
  TeamId team{};
  std::uint8_t layer = 0;   // below kInfluenceLayers
  LevelChange change = {};  // kAdd or kSet
  bool operator==(const InfluenceEdit&) const = default;
};

// What a team comes to know, or knows no longer. Edits of one cell take effect in their order.
struct FogEdit {
  Shape shape = {};
  TeamId team{};
  bool hidden = false;  // false: the cells are seen from now on
  bool operator==(const FogEdit&) const = default;
};

// Where an agent stands: blocked for everybody, but for views without that agent.
struct Body {
  AgentId agent{};
  Shape shape = {};
  bool operator==(const Body&) const = default;
};

struct ChangeBatch {
  std::vector<ObstacleSpec> upsert_obstacles = {};  // new, or in place of the one with that id
  std::vector<ObstacleId> remove_obstacles = {};
  std::vector<ObstacleSwitch> switch_obstacles = {};
  std::vector<TerrainEdit> terrain_edits = {};
  std::vector<Profile> add_profiles = {};
  std::vector<InfluenceDecay> decay_influence = {};
  std::vector<InfluenceEdit> influence_edits = {};
  std::vector<FogEdit> fog_edits = {};
  std::vector<Body> stand = {};       // new, or in place of that agent's
  std::vector<AgentId> walk_on = {};  // bodies that go; each agent at most once in both lists

  std::size_t entries() const {
    return upsert_obstacles.size() + remove_obstacles.size() + switch_obstacles.size() +
           terrain_edits.size() + add_profiles.size() + decay_influence.size() +
           influence_edits.size() + fog_edits.size() + stand.size() + walk_on.size();
  }
  bool operator==(const ChangeBatch&) const = default;
};

}  // namespace repath
