// Maps made from a seed, so that a run needs no file: the same seed gives the same map. Pure
// functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "load/options.h"
#include "verify/shapes.h"

namespace repath::load {

struct MadeMap {
  std::string file;                 // for ImportWorld
  std::vector<verify::Rect> doors;  // gaps in walls that a door can shut; kRooms only
};

// Makes a square map with this side. A kForest has clumps of trees on open ground, and
// kRooms has rooms of 24 cells with one or two doors in each wall. A kPlan is a floor plan of
// buildings and bent walls, in metres. O(side^2).
MadeMap make_map(MadeGround kind, int side, std::uint64_t seed);

}  // namespace repath::load
