// The ways of a stream of agents: cheapest ways from its entrances to its goals on uniform ground
// without obstacles.
#pragma once

#include <vector>

#include "load/grid_ground.h"

namespace repath::load {

// The cells of a cheapest way from `entrance` to `goal`, both included; empty if there is none.
using GridWay = std::vector<Spot>;

// Returns for each goal the ways from all entrances, in the order of both. O(goals x cells).
std::vector<std::vector<GridWay>> ways_between(const GridGround& ground,
                                               const std::vector<Spot>& entrances,
                                               const std::vector<Spot>& goals);

}  // namespace repath::load
