#include "grid/cells/raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
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
  std::int32_t end = 0;  // may be below `first`: the range is empty
  std::uint64_t count() const { return static_cast<std::uint64_t>(std::max(end - first, 0)); }
};

// Returns the row or column that holds v, clamped to [0, limit].
std::int32_t cell_of(double v, std::int32_t limit) {
  return static_cast<std::int32_t>(std::clamp(std::floor(v), 0.0, static_cast<double>(limit)));
}

// Returns the rows of the map that a shape between z = top and bottom can meet, with up to one more
// row on each side.
RowRange rows_between(double top, double bottom, std::int32_t height) {
  return {cell_of(top - 0.5, height), cell_of(bottom + 1.5, height)};
}

class Painter {
 public:
  explicit Painter(const RasterFrame& frame) : frame_(frame) {}

  // Covers the cells of the row whose square, shrunk by `inset` on each side, meets [x0, x1].
  void cover(double x0, double x1, double inset = kTouchTolerance) {
    std::int32_t first = cell_of(x0, frame_.width);
    if (x0 > (first + 1) - inset) ++first;
    std::int32_t end = cell_of(x1, frame_.width);
    if (x1 >= end + inset) ++end;
    end = std::min(end, frame_.width);
    if (first < end) row_.push_back({0, first, end});
  }
  // Covers the cells of the row whose centre lies in [x0, x1].
  void cover_centres(double x0, double x1) { cover(x0, x1, 0.5); }
  // Merges the covered cells into row y of the result.
  void end_row(std::int32_t y) { append_row(y, &row_, &cells_); }

  CellSpans take() { return std::move(cells_); }

 private:
  RasterFrame frame_;
  CellSpans row_;
  CellSpans cells_;
};

// Returns the x of the line through a and b at height z. REQUIRES: a.z != b.z.
double x_at(Point a, Point b, double z) { return a.x + (b.x - a.x) * ((z - a.z) / (b.z - a.z)); }

// An edge of a polygon and the rows that it can meet.
struct Edge {
  Point a;  // a to b, as in the polygon
  Point b;
  RowRange rows;
};

// Calls span(x0, x1) with what the part of the edge in the slab spans, if there is such a part.
template <class Span>
void clip_edge(Point a, Point b, Slab slab, Span span) {
  if (a.z > b.z) std::swap(a, b);
  if (a.z > slab.bottom || b.z < slab.top) return;
  const double xa = a.z < slab.top ? x_at(a, b, slab.top) : a.x;
  const double xb = b.z > slab.bottom ? x_at(a, b, slab.bottom) : b.x;
  span(std::min(xa, xb), std::max(xa, xb));
}

// Calls span(x0, x1) with what the part of the disc in the slab spans, if there is such a part.
template <class Span>
void clip_disc(Point center, double radius, Slab slab, Span span) {
  const double d = std::max({0.0, slab.top - center.z, center.z - slab.bottom});
  if (d > radius) return;
  const double half = std::sqrt(radius * radius - d * d);
  span(center.x - half, center.x + half);
}

RowRange rows_of_edge(Point a, Point b, std::int32_t height) {
  return rows_between(std::min(a.z, b.z), std::max(a.z, b.z), height);
}

// Returns whether the shape between x = left and right lies beside all columns of the map.
bool is_beside(double left, double right, std::int32_t width) { return right < 0 || left > width; }
bool is_beside(std::span<const Point> points, std::int32_t width) {
  const auto left = [](const Point& p) { return p.x < 0; };
  const auto right = [width](const Point& p) { return p.x > width; };
  return std::ranges::all_of(points, left) || std::ranges::all_of(points, right);
}

// Returns the edges that meet a row of the map, from the top one down.
std::vector<Edge> edges_on_map(std::span<const Point> points, std::int32_t height) {
  std::vector<Edge> edges;
  edges.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point a = points[i];
    const Point b = points[(i + 1) % points.size()];
    const RowRange rows = rows_of_edge(a, b, height);
    if (rows.first < rows.end) edges.push_back({a, b, rows});
  }
  std::ranges::sort(edges, {}, [](const Edge& edge) { return edge.rows.first; });
  return edges;
}

// Covers a polygon whose `points` are in cells. Goes down the rows with the edges that meet each
// row.
CellSpans cover_polygon(std::span<const Point> points, const RasterFrame& frame) {
  if (is_beside(points, frame.width)) return {};
  Painter painter(frame);
  const std::vector<Edge> edges = edges_on_map(points, frame.height);
  std::vector<Edge> here;
  std::vector<double> crossings;
  const auto cover = [&painter](double x0, double x1) { painter.cover(x0, x1); };
  auto next = edges.begin();
  for (std::int32_t y = 0; next != edges.end() || !here.empty(); ++y) {
    if (here.empty()) y = next->rows.first;
    for (; next != edges.end() && next->rows.first == y; ++next) here.push_back(*next);
    std::erase_if(here, [y](const Edge& edge) { return edge.rows.end <= y; });
    const Slab slab = slab_of_row(y);
    const double middle = y + 0.5;
    crossings.clear();
    for (const auto& [a, b, rows] : here) {
      clip_edge(a, b, slab, cover);
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

Circle in_cells(const Circle& circle, double cell_size) {
  return {in_cells(circle.center, cell_size), circle.radius / cell_size};
}
// A capsule in cells.
struct CapsuleInCells {
  CapsuleInCells(const Capsule& capsule, const RasterFrame& frame)
      : from(in_cells(capsule.from, frame.cell_size)),
        to(in_cells(capsule.to, frame.cell_size)),
        radius(capsule.radius / frame.cell_size) {}

  bool is_beside_map(std::int32_t width) const {
    return is_beside(std::min(from.x, to.x) - radius, std::max(from.x, to.x) + radius, width);
  }
  RowRange rows(std::int32_t height) const {
    return rows_between(std::min(from.z, to.z) - radius, std::max(from.z, to.z) + radius, height);
  }
  // Returns the way from the axis to one of the long sides; (0, 0) if the ends are equal.
  Point across() const {
    const double x = to.x - from.x;
    const double z = to.z - from.z;
    const double length = std::sqrt(x * x + z * z);
    if (length <= 0) return {};
    return {-z * (radius / length), x * (radius / length)};
  }

  Point from;
  Point to;
  double radius;
};

template <class Points>
Points all_in_cells(Points points, double cell_size) {
  for (Point& p : points) p = in_cells(p, cell_size);
  return points;
}
std::array<Point, 4> outline_of(const Box& box, const RasterFrame& frame) {
  return all_in_cells(box_corners(box), frame.cell_size);
}
std::vector<Point> outline_of(const Polygon& polygon, const RasterFrame& frame) {
  return all_in_cells(polygon.points, frame.cell_size);
}

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

  // Covers a Box or a Polygon.
  CellSpans operator()(const auto& shape) const {
    return cover_polygon(outline_of(shape, frame), frame);
  }

  CellSpans operator()(const Circle& circle) const {
    const auto [c, radius] = in_cells(circle, frame.cell_size);
    if (is_beside(c.x - radius, c.x + radius, frame.width)) return {};
    Painter painter(frame);
    const RowRange rows = rows_between(c.z - radius, c.z + radius, frame.height);
    for (std::int32_t y = rows.first; y < rows.end; ++y) {
      clip_disc(c, radius, slab_of_row(y), [&](double x0, double x1) {
        painter.cover(x0, x1);
        painter.end_row(y);
      });
    }
    return painter.take();
  }

  CellSpans operator()(const Capsule& capsule) const {
    const CapsuleInCells c(capsule, frame);
    if (c.is_beside_map(frame.width)) return {};
    const Point side = c.across();
    Painter painter(frame);
    const RowRange rows = c.rows(frame.height);
    for (std::int32_t y = rows.first; y < rows.end; ++y) {
      const Slab slab = slab_of_row(y);
      double least = std::numeric_limits<double>::infinity();
      double most = -least;
      const auto widen = [&](double x0, double x1) {
        least = std::min(least, x0);
        most = std::max(most, x1);
      };
      clip_disc(c.from, c.radius, slab, widen);
      clip_disc(c.to, c.radius, slab, widen);
      clip_edge({c.from.x + side.x, c.from.z + side.z}, {c.to.x + side.x, c.to.z + side.z}, slab,
                widen);
      clip_edge({c.from.x - side.x, c.from.z - side.z}, {c.to.x - side.x, c.to.z - side.z}, slab,
                widen);
      if (least > most) continue;
      painter.cover(least, most);
      painter.end_row(y);
    }
    return painter.take();
  }
};

struct OutlineRows {
  RasterFrame frame;

  std::uint64_t operator()(const CellRect&) const { return 0; }

  std::uint64_t operator()(const Circle& circle) const {
    const auto [c, radius] = in_cells(circle, frame.cell_size);
    if (is_beside(c.x - radius, c.x + radius, frame.width)) return 0;
    return rows_between(c.z - radius, c.z + radius, frame.height).count();
  }

  std::uint64_t operator()(const Capsule& capsule) const {
    const CapsuleInCells c(capsule, frame);
    return c.is_beside_map(frame.width) ? 0 : c.rows(frame.height).count();
  }

  // Counts for a Box or a Polygon.
  std::uint64_t operator()(const auto& shape) const {
    const auto points = outline_of(shape, frame);
    if (is_beside(points, frame.width)) return 0;
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      rows += rows_of_edge(points[i], points[(i + 1) % points.size()], frame.height).count();
    return rows;
  }
};

}  // namespace

CellSpans covered_cells(const Shape& shape, const RasterFrame& frame) {
  return std::visit(CoveredCells{frame}, shape);
}

std::uint64_t outline_rows(const Shape& shape, const RasterFrame& frame) {
  return std::visit(OutlineRows{frame}, shape);
}

}  // namespace repath
