// Reading a world back: tiles of a grid, and pages of obstacles of any world. Pure functions; a
// page costs what it gives and looks at, never the size of the world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "world/obstacle_index.h"
#include "world/world_content.h"

namespace repath {

class World;

// The planes of a tile that are wanted.
struct PlanesWanted {
  bool of_all = false;
  std::optional<TeamId> of_team = {};
  bool includes(const PlaneKey& key) const { return of_all || of_team == key.team; }
  bool is_none() const { return !of_all && !of_team; }
};

// Returns the tile. REQUIRES: it is below tile_count. O(its cells x its planes).
TerrainTile read_tile(const World& world, std::uint32_t tile, const PlanesWanted& planes);

// Returns a page of tiles. At least one if any is left; otherwise it ends before kReadPageBytes are
// exceeded. REQUIRES: the area lies on the map. O(tiles of the area + bytes).
TerrainPage read_terrain(const World& world, const TerrainQuestion& question);

// Return a page of obstacles: of a grid, with its bodies, and of a navmesh. The revision is left
// open.
ObstaclePage read_obstacles(const World& world, const ObstacleQuestion& question);
ObstaclePage read_obstacles(const std::map<ObstacleId, ObstacleSpec>& obstacles,
                            const ObstacleQuestion& question);

// Returns an estimate of an obstacle's bytes on the wire and in memory.
std::size_t bytes_of(const ObstacleSpec& spec);

// Returns a body as a batch names it. The index keeps it as an obstacle.
Body body_of(const Obstacle& kept);

}  // namespace repath
