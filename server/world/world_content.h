// All that a world's state hash covers, as plain data: what a copy of a world holds and what is
// read back from it, whatever the kind of the world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "graph/graph_source.h"
#include "grid/cells/terrain.h"
#include "navmesh/mesh/mesh_source.h"
#include "world/batch.h"
#include "world/plane.h"
#include "world/profile.h"

namespace repath {

// The base map of one tile of 64 x 64 cells, smaller at the right and lower border.
struct TerrainTile {
  struct PlanePart {
    PlaneKey key;
    std::vector<Level> levels;  // row by row; one only if all cells have it
  };
  std::int32_t x = 0;  // its first cell
  std::int32_t y = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::vector<TerrainId> terrain;  // row by row; one only if all cells have it
  Revision changed{};
  std::vector<PlanePart> planes;  // ascending by key; planes that are all zero here are left out

  std::size_t cells() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
  // Returns an estimate of its memory, which is also that of its bytes on the wire.
  std::size_t bytes() const;
};

struct WorldContent {
  WorldKind kind = WorldKind::kGrid;
  Revision revision{};
  std::uint64_t state_hash = 0;
  std::vector<Profile> profiles;
  // Grids only.
  std::int32_t width = 0;
  std::int32_t height = 0;
  double cell_size = 1;
  TerrainTable terrain_classes;
  std::vector<TerrainTile> tiles;  // all, row by row, with all planes
  std::vector<Body> bodies;        // ascending by agent
  // Meshes only: the ground as it was imported, and the links that were switched since.
  std::shared_ptr<const MeshSource> mesh;
  double mesh_cell_side = 0;
  double mesh_base_radius = 0;
  std::vector<LinkSwitch> switched_links;
  // Graphs only: nodes ascending by id, edges ascending by `from`, `to` and `key`.
  GraphSource graph;
  // Grids and meshes: ascending by id.
  std::vector<ObstacleSpec> obstacles;
};

// The content of a world but for its ground, as batches that put it into a new world.
struct RestoredContent {
  std::vector<ChangeBatch> batches;  // upsert_obstacles, stand and switch_links alone
  Revision revision{1};              // of the world with all of it
  std::uint64_t state_hash = 0;      // at that revision
  // Grids: TerrainTile::changed of each tile, row by row. Empty: all changed at `revision`.
  std::vector<Revision> tiles_changed;
};

// ---- pages ----

struct TerrainQuestion {
  std::optional<CellRect> area;  // on the map; empty: all of it
  Revision changed_since{0};     // 0: tiles that never changed too
  std::optional<TeamId> team;    // the team whose planes are wanted; empty: none
  std::size_t tiles_max = 256;
  std::uint32_t first_tile = 0;  // row by row
  std::optional<Revision> expected_revision;
};
struct TerrainPage {
  std::vector<TerrainTile> tiles;
  std::optional<std::uint32_t> next_tile;  // empty: these were the last
  Revision revision{};
};

// A rectangle in the x-z plane, world units.
struct PlaneArea {
  double min_x = 0;
  double min_z = 0;
  double max_x = 0;
  double max_z = 0;
};
// Returns the bounds of a shape. `cell_size` is that of the world.
PlaneArea bounds_of(const Shape& shape, double cell_size);

// The last obstacle, or body, of a page.
struct ObstacleCursor {
  bool is_body = false;
  std::uint64_t id = 0;
};
struct ObstacleQuestion {
  std::optional<PlaneArea> area;
  std::optional<ObstacleCursor> after;
  std::size_t limit = 1000;
  std::optional<Revision> expected_revision;
};
struct ObstaclePage {
  std::vector<ObstacleSpec> obstacles;
  std::vector<Body> bodies;
  std::optional<ObstacleCursor> next;  // empty: these were the last
  Revision revision{};
};

// The last node of a page, and the place of its first edge that the page has not given.
struct GraphCursor {
  std::uint64_t node = 0;
  std::optional<std::uint32_t> edge;  // empty: all of the node's edges were given
};
struct GraphQuestion {
  std::optional<GraphCursor> after;
  std::size_t limit = 5000;  // nodes and edges, at least 1
  std::optional<Revision> expected_revision;
};
struct GraphPage {
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  std::optional<GraphCursor> next;  // empty: these were the last
  Revision revision{};
};

// Size of a page of tiles or obstacles at which it ends, in bytes on the wire.
inline constexpr std::size_t kReadPageBytes = std::size_t{1} << 20;
// Number of obstacles that one page may look at. A page ends early if few of them are wanted.
inline constexpr std::size_t kObstaclesLookedAtMax = 20'000;

}  // namespace repath
