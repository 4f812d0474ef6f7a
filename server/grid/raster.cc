#include "grid/raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace repath {
namespace {

struct Slab {
  double top = 0;
  double bottom = 0;
};
Slab slab_of_row(std::int32_t y) { return {y + kTouchTolerance, (y + 1) - kTouchTolerance}; }

struct RowRange {
  std::int32_t first = 0;
  std::int32_t end = 0;
};

// The row or column that holds v, kept within [0, limit].
std::int32_t cell_of(double v, std::int32_t limit) {
  return static_cast<std::int32_t>(std::clamp(std::floor(v), 0.0, static_cast<double>(limit)));
}

class Painter {
 public:
  explicit Painter(const RasterFrame& frame) : frame_(frame) {}

  // Rows that something between z = top and bottom can cover, one to spare on each side.
  RowRange rows(double top, double bottom) const {
    return {cell_of(top - 1, frame_.height), cell_of(bottom + 2, frame_.height)};
  }

  // The cells of the row whose shrunk square meets [x0, x1].
  void cover(double x0, double x1) {
    std::int32_t first = cell_of(x0, frame_.width);
    if (x0 > (first + 1) - kTouchTolerance) ++first;
    std::int32_t end = cell_of(x1, frame_.width);
    if (x1 >= end + kTouchTolerance) ++end;
    add(first, end);
  }
  // The cells of the row whose centre lies in [x0, x1].
  void cover_centres(double x0, double x1) {
    std::int32_t first = cell_of(x0, frame_.width);
    if (x0 > first + 0.5) ++first;
    std::int32_t end = cell_of(x1, frame_.width);
    if (x1 >= end + 0.5) ++end;
    add(first, end);
  }
  // What was covered becomes row y of the result, merged.
  void end_row(std::int32_t y) {
    std::sort(row_.begin(), row_.end(),
              [](const CellSpan& a, const CellSpan& b) { return a.x0 < b.x0; });
    for (CellSpan span : row_) {
      span.y = y;
      if (!cells_.empty() && cells_.back().y == y && cells_.back().x1 >= span.x0) {
        cells_.back().x1 = std::max(cells_.back().x1, span.x1);
      } else {
        cells_.push_back(span);
      }
    }
    row_.clear();
  }

  CellSpans take() { return std::move(cells_); }

 private:
  void add(std::int32_t first, std::int32_t end) {
    end = std::min(end, frame_.width);
    if (first < end) row_.push_back({0, first, end});
  }

  RasterFrame frame_;
  CellSpans row_;
  CellSpans cells_;
};

// x where the line through a and b is at height z. REQUIRES: a.z != b.z.
double x_at(Point a, Point b, double z) { return a.x + (b.x - a.x) * ((z - a.z) / (b.z - a.z)); }

// Covers what of the edge lies in the slab.
void cover_edge(Point a, Point b, Slab slab, Painter* painter) {
  if (a.z > b.z) std::swap(a, b);
  if (a.z > slab.bottom || b.z < slab.top) return;
  const double xa = a.z < slab.top ? x_at(a, b, slab.top) : a.x;
  const double xb = b.z > slab.bottom ? x_at(a, b, slab.bottom) : b.x;
  painter->cover(std::min(xa, xb), std::max(xa, xb));
}

// `points` in cells.
CellSpans cover_polygon(std::span<const Point> points, Painter painter) {
  double top = points[0].z;
  double bottom = points[0].z;
  for (const Point& p : points) {
    top = std::min(top, p.z);
    bottom = std::max(bottom, p.z);
  }
  std::vector<double> crossings;
  const RowRange rows = painter.rows(top, bottom);
  for (std::int32_t y = rows.first; y < rows.end; ++y) {
    const Slab slab = slab_of_row(y);
    const double middle = y + 0.5;
    crossings.clear();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point a = points[i];
      const Point b = points[(i + 1) % points.size()];
      cover_edge(a, b, slab, &painter);
      if ((a.z <= middle) != (b.z <= middle)) crossings.push_back(x_at(a, b, middle));
    }
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
      painter.cover_centres(crossings[i], crossings[i + 1]);
    painter.end_row(y);
  }
  return painter.take();
}

// Divides world coordinates by the cell size.
Point in_cells(Point p, double cell_size) { return {p.x / cell_size, p.z / cell_size}; }

struct CoveredCells {
  RasterFrame frame;

  CellSpans operator()(const CellRect& rect) const {
    CellSpans cells;
    const std::int32_t x0 = std::max(rect.x0, 0);
    const std::int32_t x1 = std::min(rect.x1, frame.width);
    if (x0 >= x1) return cells;
    for (std::int32_t y = std::max(rect.y0, 0); y < std::min(rect.y1, frame.height); ++y)
      cells.push_back({y, x0, x1});
    return cells;
  }

  CellSpans operator()(const Box& box) const {
    std::array<Point, 4> corners = box_corners(box);
    for (Point& p : corners) p = in_cells(p, frame.cell_size);
    return cover_polygon(corners, Painter(frame));
  }

  CellSpans operator()(const Polygon& polygon) const {
    std::vector<Point> points = polygon.points;
    for (Point& p : points) p = in_cells(p, frame.cell_size);
    return cover_polygon(points, Painter(frame));
  }

  CellSpans operator()(const Circle& circle) const {
    const Point c = in_cells(circle.center, frame.cell_size);
    const double radius = circle.radius / frame.cell_size;
    Painter painter(frame);
    const RowRange rows = painter.rows(c.z - radius, c.z + radius);
    for (std::int32_t y = rows.first; y < rows.end; ++y) {
      const Slab slab = slab_of_row(y);
      const double d = std::max({0.0, slab.top - c.z, c.z - slab.bottom});
      if (d > radius) continue;
      const double half = std::sqrt(radius * radius - d * d);
      painter.cover(c.x - half, c.x + half);
      painter.end_row(y);
    }
    return painter.take();
  }
};

}  // namespace

CellSpans covered_cells(const Shape& shape, const RasterFrame& frame) {
  return std::visit(CoveredCells{frame}, shape);
}

}  // namespace repath
