// Joins the tiles of a mesh along their borders; each tile was made without knowledge of the
// others.
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

// Joins cells along these lines. Only edges that belong to one cell alone are joined:
// 1. Corners at one place become one corner if their heights differ by at most `climb` (world
//    units); it gets the lowest of the heights.
// 2. Where a corner of one cell lies on an edge of another, at most `climb` above or below it, the
//    edge is cut in two there.
//
// Then cells that meet share whole edges. If two cells would have an edge on the same side, the
// first keeps it. Cells stay as convex as they were. O(n log n), plus for each edge on a line the
// number of corners between its ends. Returns false, with `source` unusable, if `work` is over.
[[nodiscard]] bool stitch_tiles(const TileLines& lines, double climb, WorkMeter* work,
                                MeshSource* source);

}  // namespace repath
