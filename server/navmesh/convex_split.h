// Cuts a polygon that rounding left with a dent into convex ones.
#pragma once

#include <cstdint>
#include <vector>

#include "navmesh/mesh_source.h"

namespace repath {

// Appends to `pieces` convex polygons over the same vertices that together are `polygon`: itself if
// it is convex, else cut by diagonals, at each dent the one whose smaller side is the largest.
// False, with nothing appended, if there is no such cut: it crosses itself or has no area.
// REQUIRES: every number is a place in `vertices`. O(n^4) at worst, for the few corners that cells
// have; exact.
bool append_convex(const std::vector<MeshSource::Vertex>& vertices,
                   const std::vector<std::uint32_t>& polygon,
                   std::vector<std::vector<std::uint32_t>>* pieces);

}  // namespace repath
