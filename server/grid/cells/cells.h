// Sets of cells as spans of rows (a rectangle of cells is in geometry/shapes.h). Cell (x, y) is the
// square [x, x + 1] x [y, y + 1] in cell units; y grows downwards, row 0 is the top row of a map
// file. Plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/shapes.h"

namespace repath {

// Cells x in [x0, x1) of row y; never empty.
struct CellSpan {
  std::int32_t y = 0;
  std::int32_t x0 = 0;
  std::int32_t x1 = 0;
  bool operator==(const CellSpan&) const = default;
};

// Sorted by (y, x0); spans of one row neither overlap nor touch. So equal sets have equal spans.
using CellSpans = std::vector<CellSpan>;

// Returns the number of cells. O(spans).
std::uint64_t cell_count(const CellSpans& spans);

// Returns the index of the first span with row >= y. O(log spans).
std::size_t first_span_of_row(const CellSpans& spans, std::int32_t y);

// Appends the cells of row y: sorts the spans of `row`, whose own y does not matter, and merges
// those that overlap or touch. Clears `row`. O(spans of the row x log).
void append_row(std::int32_t y, CellSpans* row, CellSpans* out);

// Returns all cells within width x height that are in `spans` or have one of their eight neighbours
// in `spans`. O(spans).
CellSpans dilate(const CellSpans& spans, std::int32_t width, std::int32_t height);

}  // namespace repath
