// The maps and queries that commands of repath-bench measure on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "engine/snapshot.h"
#include "grid/cells/terrain.h"
#include "world/world.h"

namespace repath::bench {

// A world of the map, at revision 1. These end the program with 2 and the reason if a file cannot
// be read.
std::unique_ptr<World> load_world(const std::string& map_file);
std::unique_ptr<World> world_of(GridMap map);
// The map as its default profile sees it: 8 neighbours, a diagonal needs both flanks free.
Snapshot load_ground(const std::string& map_file);
Snapshot ground_of(GridMap map);

struct Query {
  NodeId from{};
  NodeId to{};
  double length = 0;     // optimal, in cells, as the scenario prints it
  double tolerance = 0;  // of that
};

// Of a Moving AI scenario, version 1, for a map of the layer's size. At most `most` of them, spread
// evenly; 0: all.
std::vector<Query> load_queries(const std::string& scen_file, const GridLayer& layer,
                                std::size_t most);

}  // namespace repath::bench
