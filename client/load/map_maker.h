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
  std::string file;                 // as ImportWorld takes it
  std::vector<verify::Rect> doors;  // gaps of walls that a door can shut; of rooms
};

// A square of `side` cells (kForest: clumps of trees on open ground; kRooms: rooms of 24 cells with
// one or two doors in each wall) or metres (kPlan: a floor plan of buildings and bent walls).
// O(side^2).
MadeMap make_map(MadeGround kind, int side, std::uint64_t seed);

}  // namespace repath::load
