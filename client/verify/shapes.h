// The checker's own rasteriser: the cells that a shape covers.
//
// The rule: a shape covers a cell iff it overlaps the cell's open square with positive area;
// touching an edge or a corner does not cover. Coordinates here are cells: cell (x, y) is the
// square from (x, y) to (x + 1, y + 1). Method: polygons and boxes are clipped against the square
// of each cell of their bounding box, and the area left is measured. A circle covers the squares
// whose nearest point is nearer to its centre than its radius. A capsule covers those that are
// nearer to the line between its ends than its radius. Pure functions; any thread.
#pragma once

#include <variant>
#include <vector>

namespace repath::verify {

struct Point {
  double x = 0;
  double y = 0;
};

// Half-open: x in [x0, x1), y in [y0, y1).
struct Rect {
  int x0 = 0;
  int y0 = 0;
  int x1 = 0;
  int y1 = 0;
};

struct Circle {
  Point center;
  double radius = 0;
};

// Simple, at least three corners, either orientation.
struct Polygon {
  std::vector<Point> corners;
};

// Half extents along its own axes, the first of which points to (cos yaw, sin yaw).
struct Box {
  Point center;
  double half_x = 0;
  double half_y = 0;
  double yaw = 0;  // radians
};

// All points nearer than the radius to the line between the ends, which may be equal.
struct Capsule {
  Point from;
  Point to;
  double radius = 0;
};

using Shape = std::variant<Rect, Box, Circle, Polygon, Capsule>;

struct CellXY {
  int x = 0;
  int y = 0;
  bool operator==(const CellXY&) const = default;
};

struct Coverage {
  std::vector<CellXY> cells;  // row by row, clipped to the map
  // The shape passes a corner of a cell so closely that rounding decides. Use shapes for which this
  // is false.
  bool knife_edge = false;
};

Polygon corners_of(const Box& box);

// O(cells of the bounding box x corners).
Coverage covered_cells(const Shape& shape, int width, int height);

// Returns the area of the polygon's part within the unit square of cell (x, y).
double overlap_area(const Polygon& polygon, int x, int y);

}  // namespace repath::verify
