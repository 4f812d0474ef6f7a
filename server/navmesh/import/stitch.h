// Joins the tiles of a mesh along their borders, where each was made without knowing the other.
#pragma once

#include <cstdint>
#include <vector>

#include "base/work_meter.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

// Lines along which tiles meet, in lattice steps, ascending.
struct TileLines {
  std::vector<std::int32_t> x;
  std::vector<std::int32_t> z;
};

// On those lines: corners at one place whose heights differ by `climb` (world units) at most become
// one; and where a corner of one cell lies on an edge of another, no more than `climb` above or
// below it, the edge is cut in two there. Only edges that no other cell has count. Then cells that
// meet share whole edges. An edge that two cells would have on the same side keeps the first.
// Heights of joined corners are those of the lowest. Cells stay as convex as they were. O(n log n),
// and for each edge on a line as much as there are corners between its ends. False, with `source`
// unusable, if `work` is over.
[[nodiscard]] bool stitch_tiles(const TileLines& lines, double climb, WorkMeter* work,
                                MeshSource* source);

}  // namespace repath
