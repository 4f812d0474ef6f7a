// Finds the facts that an HpaMap holds about a cluster: its transitions, and the distances between
// them.
#pragma once

#include <cstdint>
#include <memory>

#include "grid/hpa/hpa_map.h"

namespace repath {

// Returns the facts. They depend only on the cells of the cluster and of the ring around it. On
// level 1 runs a Dijkstra over the cluster's cells from each node; above, one over the nodes of the
// clusters it is made of. Adds the cells or nodes expanded to `expanded`. REQUIRES: a level and a
// cluster of the map.
std::unique_ptr<HpaFacts> find_facts(const HpaMap& map, int level, std::uint32_t cluster,
                                     std::uint64_t* expanded);

}  // namespace repath
