// The maps and queries that the commands of repath-bench use.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "engine/snapshot.h"
#include "grid/cells/graph.h"
#include "grid/cells/terrain.h"
#include "world/world.h"

namespace repath::bench {

// Returns the map of a file. If the file cannot be read, ends the program with status 2 and the
// cause.
GridMap load_map(const std::string& map_file);
// Return a world of the map, at revision 1.
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
// Makes at most `most` queries between random cells that a path joins, for maps without a scenario.
std::vector<Query> random_queries(const GridGraph& graph, std::size_t most, std::uint64_t seed);

}  // namespace repath::bench
