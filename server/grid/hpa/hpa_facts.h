// Finds what an HpaMap knows of a cluster: its transitions, and the distances between them.
#pragma once

#include <cstdint>
#include <memory>

#include "grid/hpa/hpa_map.h"

namespace repath {

// A function of the cells of the cluster and of the ring around it. On level 1 a Dijkstra over the
// cluster's cells from each node; above, one over the nodes of the clusters it is made of.
// Adds the cells or nodes expanded to `expanded`. REQUIRES: a level and a cluster of the map.
std::unique_ptr<HpaFacts> find_facts(const HpaMap& map, int level, std::uint32_t cluster,
                                     std::uint64_t* expanded);

}  // namespace repath
