// The maps and queries that commands of repath-bench measure on.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "engine/snapshot.h"

namespace repath::bench {

// The map as its default profile sees it: 8 neighbours, a diagonal needs both flanks free. Ends the
// program with 2 and the reason if the file cannot be read.
Snapshot load_ground(const std::string& map_file);

struct Query {
  NodeId from{};
  NodeId to{};
  double length = 0;     // optimal, in cells, as the scenario prints it
  double tolerance = 0;  // of that
};

// Of a Moving AI scenario, version 1, for a map of the ground's size; ends the program with 2 and
// the reason if it cannot be read. At most `most` of them, spread evenly; 0: all.
std::vector<Query> load_queries(const std::string& scen_file, const GridLayer& layer,
                                std::size_t most);

}  // namespace repath::bench
