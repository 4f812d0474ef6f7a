// The maps and queries that the commands of repath-bench use.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "engine/snapshot.h"
#include "grid/cells/terrain.h"
#include "world/world.h"

namespace repath::bench {

// Return a world of the map, at revision 1. If a file cannot be read they end the program with
// status 2 and the cause.
std::unique_ptr<World> load_world(const std::string& map_file);
std::unique_ptr<World> world_of(GridMap map);
// Return the map as its default profile sees it: 8 neighbours; a diagonal needs both flanks free.
Snapshot load_ground(const std::string& map_file);
Snapshot ground_of(GridMap map);

struct Query {
  NodeId from{};
  NodeId to{};
  double length = 0;     // optimal length in cells, as the scenario prints it
  double tolerance = 0;  // tolerance of `length`
};

// Reads a Moving AI scenario, version 1, for a map of the layer's size: at most `most` queries,
// spread evenly; 0 means all.
std::vector<Query> load_queries(const std::string& scen_file, const GridLayer& layer,
                                std::size_t most);

}  // namespace repath::bench
