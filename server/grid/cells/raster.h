// Which cells a shape covers.
//
// THE RULE. A shape covers a cell iff the closed shape meets the cell's square shrunk by
// kTouchTolerance (1e-9 cell) on each side. So every overlap covers, however small, and touching
// alone does not. A unit never slips through a wall that clips a corner of its cell, and a box
// drawn along cell edges covers exactly the cells inside.
//
// Computed in cell units (world coordinates divided by the cell size), row by row, in doubles with
// + - x / and square root. Row y is the slab z in [y + t, y + 1 - t]. The part of the shape in the
// slab spans an interval of x, and cell x is covered iff the interval meets [x + t, x + 1 - t].
// 1. Polygon: the part of each edge in the slab spans an interval. Between edges the cells are
//    covered whose centre is inside by the even-odd rule.
// 2. Box: the polygon of its four corners (box_corners).
// 3. Circle: with d = distance of the centre's z from the slab, d <= radius, the interval is
//    centre.x -+ sqrt(radius^2 - d^2).
// 4. Capsule: the least interval that holds those of the discs around its ends and of its two long
//    sides. It is exact, because a capsule is convex.
// 5. CellRect: exactly its own cells.
//
// Pure functions, safe on any thread.
#pragma once

#include <cstdint>

#include "geometry/shapes.h"
#include "grid/cells/cells.h"

namespace repath {

inline constexpr double kTouchTolerance = 1e-9;

// The part of the plane that is rasterised: cells [0, width) x [0, height), each `cell_size` world
// units wide.
struct RasterFrame {
  std::int32_t width = 0;
  std::int32_t height = 0;
  double cell_size = 1;
};

// Returns the cells of the frame that the shape covers. The shape must be valid: coordinates finite
// and below 1e9 cells, extents > 0, polygons simple. O(outline_rows + spans x log spans of a row).
// The result has at most one span for each row, for polygons at most n / 2.
CellSpans covered_cells(const Shape& shape, const RasterFrame& frame);

// Returns the cost of covered_cells() beyond the cells: the number of the frame's rows that the
// shape's outline meets. Each edge of boxes and polygons counts by itself, with up to two rows too
// many; a CellRect counts 0. Many needles can meet every row of the map within one column.
// O(edges).
std::uint64_t outline_rows(const Shape& shape, const RasterFrame& frame);

}  // namespace repath
