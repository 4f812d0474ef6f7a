// What can be done to a world, as plain data: one batch takes effect whole, as one revision, or not
// at all. Worlds of every kind take the same batches; a list that the kind has no use for must be
// empty.
//
// In this order: profiles, terrain, decays, influence, fog, removals, switches, upserts, links,
// graph edits in their order. Each obstacle id at most once in a batch. Errors name fields as
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

// What an obstacle does to the ground it covers. Where obstacles overlap, what one blocks is
// blocked and factors multiply, to at most kFactorMax with that of the terrain or area.
struct Effect {
  bool blocked = true;
  // Of what does not block, one of both:
  double factor = 1;  // in [kFactorMin, kFactorMax]; on navmeshes kept in thousandths
  // Navmeshes only: the ground becomes of that area type, below kGraphAreas; where obstacles
  // overlap that of the greatest id counts. Empty: it stays as it is.
  std::optional<std::uint8_t> area = {};
  bool operator==(const Effect&) const = default;
};

// On grids it covers cells by the rule of grid/cells/raster.h. On navmeshes what blocks grows by
// the radius of the agents; other ground counts for the agent that stands on it and does not grow.
struct ObstacleSpec {
  ObstacleId id{};
  Shape shape = {};
  Effect effect = {};
  TeamMask teams = kAllTeams;  // whom it concerns; not 0
  bool enabled = true;         // false: an open door, kept with no effect
  // Navmeshes only: the heights between which it reaches, world units. Ground outside of them is
  // another floor.
  double bottom = -std::numeric_limits<double>::infinity();
  double top = std::numeric_limits<double>::infinity();
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

// Of a link that the mesh has.
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
// Of the edge from `from` to `to` alone.
struct RemoveGraphEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  bool operator==(const RemoveGraphEdge&) const = default;
};
struct SwitchGraphEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  bool enabled = true;
  bool operator==(const SwitchGraphEdge&) const = default;
};
struct PriceGraphEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  double cost = 0;  // [0, kGraphCostMax]
  bool operator==(const PriceGraphEdge&) const = default;
};
// A GraphNode is new (its id must not be there); a GraphEdge is new or in place of the one there.
using GraphEdit = std::variant<GraphNode, RemoveGraphNode, SwitchGraphNode, GraphEdge,
                               RemoveGraphEdge, SwitchGraphEdge, PriceGraphEdge>;

// Lengths of the lists of a batch, in the order of kBatchLists.
using BatchSizes = std::array<std::size_t, 12>;

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

// A list of a batch: its name in repath.v1.ChangeBatch, and which kinds of worlds have a use for
// it.
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
