// Changes to a world as plain data. One batch takes effect whole, as one revision, or not at all.
// Worlds of every kind take the same batches; a list that the kind does not support must be empty.
//
// Order: profiles, terrain, decays, influence, fog, removals, switches, upserts, links, graph edits
// in their order. Each obstacle id may occur at most once in a batch. Errors name fields as
// repath.v1.ChangeBatch does, with the place in the list: "upsert_obstacles[2].cylinder.radius".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "geometry/shapes.h"
#include "graph/graph_source.h"
#include "grid/cells/terrain.h"
#include "world/plane.h"
#include "world/profile.h"

namespace repath {

// The effect of an obstacle on the ground it covers. If obstacles overlap, ground that one of them
// blocks is blocked, and factors multiply. The product with the factor of the terrain or area is at
// most kFactorMax.
struct Effect {
  bool blocked = true;
  // Effects of an obstacle that does not block; one of the two applies:
  double factor = 1;  // in [kFactorMin, kFactorMax]; on navmeshes kept in thousandths
  // Navmeshes only: area type that the ground gets, below kGraphAreas. If obstacles overlap, the
  // one with the greatest id counts. Empty: the ground keeps its area type.
  std::optional<std::uint8_t> area = {};
  bool operator==(const Effect&) const = default;
};

// An obstacle as a client describes it. On grids it covers cells by the rule of
// grid/cells/raster.h. On navmeshes a blocking obstacle grows by the radius of the agents. Other
// ground counts for the agent that stands on it and does not grow.
struct ObstacleSpec {
  ObstacleId id{};
  Shape shape = {};
  Effect effect = {};
  TeamMask teams = kAllTeams;  // teams that it concerns; not 0
  bool enabled = true;         // false: an open door, kept with no effect
  // Navmeshes only: lowest and highest height that the obstacle reaches, in world units. Ground
  // outside of them is another floor.
  double bottom = -std::numeric_limits<double>::infinity();
  double top = std::numeric_limits<double>::infinity();
  bool operator==(const ObstacleSpec&) const = default;
};

struct ObstacleSwitch {
  ObstacleId id{};
  bool enabled = true;
  bool operator==(const ObstacleSwitch&) const = default;
};

// Terrain of a rectangle, which is clipped to the map and must meet it. If edits overlap, the last
// one counts.
struct TerrainEdit {
  CellRect cells;
  TerrainId terrain{};
  bool operator==(const TerrainEdit&) const = default;
};

// Decay of a layer of influence: the share that is kept, everywhere or in a rectangle (clipped to
// the map, must meet it).
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

// Cells that a team begins to see or hides again. Edits of one cell take effect in their order.
struct FogEdit {
  Shape shape = {};
  TeamId team{};
  bool hidden = false;  // false: the cells are seen from now on
  bool operator==(const FogEdit&) const = default;
};

// The place where an agent stands. It is blocked in every view, except in views without that agent.
struct Body {
  AgentId agent{};
  Shape shape = {};
  bool operator==(const Body&) const = default;
};

// Switches a link that the mesh has.
struct LinkSwitch {
  std::uint64_t id = 0;
  bool enabled = true;
  bool operator==(const LinkSwitch&) const = default;
};

struct RemoveGraphNode {
  std::uint64_t id = 0;
  bool operator==(const RemoveGraphNode&) const = default;
};
struct SwitchGraphNode {
  std::uint64_t id = 0;
  bool enabled = true;
  bool operator==(const SwitchGraphNode&) const = default;
};
// Removes only the edge from `from` to `to` with that key.
struct RemoveGraphEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint8_t key = 0;
  bool operator==(const RemoveGraphEdge&) const = default;
};
struct SwitchGraphEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  bool enabled = true;
  std::uint8_t key = 0;
  bool operator==(const SwitchGraphEdge&) const = default;
};
struct PriceGraphEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  double cost = 0;  // [0, kGraphCostMax]
  std::uint8_t key = 0;
  bool operator==(const PriceGraphEdge&) const = default;
};
// An edit of a graph. A GraphNode is new: its id must be unused. A GraphEdge is new or replaces the
// existing one.
using GraphEdit = std::variant<GraphNode, RemoveGraphNode, SwitchGraphNode, GraphEdge,
                               RemoveGraphEdge, SwitchGraphEdge, PriceGraphEdge>;

// Lengths of the lists of a batch, in the order of kBatchLists.
using BatchSizes = std::array<std::size_t, 12>;

struct ChangeBatch {
  std::vector<ObstacleSpec> upsert_obstacles = {};  // new, or replace the one with that id
  std::vector<ObstacleId> remove_obstacles = {};
  std::vector<ObstacleSwitch> switch_obstacles = {};
  std::vector<TerrainEdit> terrain_edits = {};
  std::vector<Profile> add_profiles = {};
  std::vector<InfluenceDecay> decay_influence = {};
  std::vector<InfluenceEdit> influence_edits = {};
  std::vector<FogEdit> fog_edits = {};
  std::vector<Body> stand = {};       // new, or replace that agent's
  std::vector<AgentId> walk_on = {};  // bodies to remove; each agent at most once in both lists
  std::vector<LinkSwitch> switch_links = {};
  std::vector<GraphEdit> graph_edits = {};

  BatchSizes sizes() const {
    return {upsert_obstacles.size(), remove_obstacles.size(), switch_obstacles.size(),
            terrain_edits.size(),    add_profiles.size(),     decay_influence.size(),
            influence_edits.size(),  fog_edits.size(),        stand.size(),
            walk_on.size(),          switch_links.size(),     graph_edits.size()};
  }
  std::size_t entries() const {
    const BatchSizes all = sizes();
    return std::accumulate(all.begin(), all.end(), std::size_t{0});
  }
  bool operator==(const ChangeBatch&) const = default;
};

// A list of a batch: its name in repath.v1.ChangeBatch, and the kinds of worlds that support it.
struct BatchList {
  std::string_view name;
  bool for_grids;
  bool for_navmeshes;
  bool for_graphs;
};
inline constexpr std::array<BatchList, 12> kBatchLists = {{{"upsert_obstacles", true, true, false},
                                                           {"remove_obstacles", true, true, false},
                                                           {"switch_obstacles", true, true, false},
                                                           {"terrain_edits", true, false, false},
                                                           {"add_profiles", true, true, true},
                                                           {"decay_influence", true, false, false},
                                                           {"influence_edits", true, false, false},
                                                           {"fog_edits", true, false, false},
                                                           {"stand", true, false, false},
                                                           {"walk_on", true, false, false},
                                                           {"switch_links", false, true, false},
                                                           {"graph_edits", false, false, true}}};

}  // namespace repath
