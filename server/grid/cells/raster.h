// Which cells a shape covers.
//
// THE RULE. A shape covers a cell iff the closed shape meets the cell's square shrunk by
// kTouchTolerance (1e-9 cell) on each side. So any overlap covers, however small, and mere touching
// does not: a unit never slips through a wall that clips a corner of its cell, and a box drawn
// along cell edges covers exactly the cells inside.
//
// Computed in cell units, i.e. world coordinates divided by the cell size, row by row, in doubles
// with + - x / and square root: row y is the slab z in [y + t, y + 1 - t]; what of the shape lies
// in the slab spans an interval of x (for a polygon: the part of each edge in the slab spans one,
// and between them cells whose centre is inside by the even-odd rule); cell x is covered iff the
// interval meets [x + t, x + 1 - t].
//   box:     the polygon of its four corners (box_corners);
//   circle:  with d = distance of the centre's z from the slab, d <= radius: centre.x -+
//   sqrt(radius^2 - d^2); CellRect: its own cells, exactly.
// Pure functions, safe on any thread.
#pragma once

#include <cstdint>
#include <variant>

#include "geometry/shapes.h"
#include "grid/cells/cells.h"

namespace repath {

inline constexpr double kTouchTolerance = 1e-9;

// CellRect in cells, the others in world units.
using Shape = std::variant<CellRect, Box, Circle, Polygon>;

// The part of the plane that is rasterised: cells [0, width) x [0, height) of `cell_size` world
// units.
struct RasterFrame {
  std::int32_t width = 0;
  std::int32_t height = 0;
  double cell_size = 1;
};

// The covered cells of the frame. The shape must be valid: coordinates finite and below 1e9 cells,
// extents > 0, polygons simple. O(outline_rows + spans x log spans of a row); the result has at
// most one span per row, for polygons at most n / 2.
CellSpans covered_cells(const Shape& shape, const RasterFrame& frame);

// What covered_cells costs beyond the cells: the frame's rows that the shape's outline meets,
// counted for each edge of boxes and polygons with up to two to spare; 0 for a CellRect. Many
// needles can meet every row of the map within one column. O(edges).
std::uint64_t outline_rows(const Shape& shape, const RasterFrame& frame);

}  // namespace repath
