#include "verify/shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repath::verify {
namespace {

// Overlaps up to this area are rounding.
constexpr double kNothing = 1e-13;
// How near a corner of a cell a shape may pass before rounding decides, and what area that leaves
// of a cell grown by it.
constexpr double kNear = 1e-6;
constexpr double kNearArea = 1e-9;

// Returns the part of the polygon where inside(p) >= 0; `inside` is linear. The part of a concave
// polygon may have edges that run along the cut and back; they enclose no area.
template <class Inside>
std::vector<Point> cut(const std::vector<Point>& corners, Inside inside) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point a = corners[i];
    const Point b = corners[(i + 1) % corners.size()];
    const double at_a = inside(a);
    const double at_b = inside(b);
    if (at_a >= 0) kept.push_back(a);
    if ((at_a > 0 && at_b < 0) || (at_a < 0 && at_b > 0)) {
      const double t = at_a / (at_a - at_b);
      kept.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
    }
  }
  return kept;
}

double area(const std::vector<Point>& corners, Point origin) {
  double twice = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point a = corners[i];
    const Point b = corners[(i + 1) % corners.size()];
    twice += (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y);
  }
  return std::abs(twice) / 2;
}

double area_within(const Polygon& polygon, double x0, double y0, double x1, double y1) {
  std::vector<Point> part = cut(polygon.corners, [&](Point p) { return p.x - x0; });
  part = cut(part, [&](Point p) { return x1 - p.x; });
  part = cut(part, [&](Point p) { return p.y - y0; });
  part = cut(part, [&](Point p) { return y1 - p.y; });
  return area(part, {x0, y0});
}

struct Bounds {
  int x0, y0, x1, y1;  // half-open, within the map
};

Bounds clip(double x0, double y0, double x1, double y1, int width, int height) {
  const auto to_cell = [](double v, int max) {
    return static_cast<int>(std::clamp(v, 0.0, static_cast<double>(max)));
  };
  return {to_cell(std::floor(x0), width), to_cell(std::floor(y0), height),
          to_cell(std::floor(x1) + 1, width), to_cell(std::floor(y1) + 1, height)};
}

Coverage cover(const Rect& rect, int width, int height) {
  Coverage coverage;
  for (int y = std::max(0, rect.y0); y < std::min(height, rect.y1); ++y) {
    for (int x = std::max(0, rect.x0); x < std::min(width, rect.x1); ++x) {
      coverage.cells.push_back({x, y});
    }
  }
  return coverage;
}

Coverage cover(const Circle& circle, int width, int height) {
  Coverage coverage;
  const Point c = circle.center;
  const double r = circle.radius;
  const Bounds bounds = clip(c.x - r, c.y - r, c.x + r, c.y + r, width, height);
  for (int y = bounds.y0; y < bounds.y1; ++y) {
    for (int x = bounds.x0; x < bounds.x1; ++x) {
      const double dx = c.x - std::clamp(c.x, static_cast<double>(x), static_cast<double>(x + 1));
      const double dy = c.y - std::clamp(c.y, static_cast<double>(y), static_cast<double>(y + 1));
      const double distance = std::hypot(dx, dy);
      if (distance < r) coverage.cells.push_back({x, y});
      if (distance != r && std::abs(distance - r) < kNear) coverage.knife_edge = true;
    }
  }
  return coverage;
}

double distance_to_line(Point p, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double t = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
  const double at = std::clamp(t, 0.0, 1.0);
  return std::hypot(p.x - (a.x + at * dx), p.y - (a.y + at * dy));
}

// Returns whether the line from a to b enters the square of the cell: some part of it is left when
// it is cut at the four sides.
bool enters(Point a, Point b, int x, int y) {
  double first = 0;
  double last = 1;
  const auto cut_at = [&](double at_a, double at_b) {  // keeps the part that is not negative
    if (at_a < 0 && at_b < 0) last = -1;
    if (at_a < 0 && at_b >= 0) first = std::max(first, at_a / (at_a - at_b));
    if (at_a >= 0 && at_b < 0) last = std::min(last, at_a / (at_a - at_b));
  };
  cut_at(a.x - x, b.x - x);
  cut_at(x + 1 - a.x, x + 1 - b.x);
  cut_at(a.y - y, b.y - y);
  cut_at(y + 1 - a.y, y + 1 - b.y);
  return first <= last;
}

// Returns the distance of the line from the square. If they do not meet, an end of one of them is
// among the nearest points: an end of the line, or a corner of the square.
double distance_to_square(Point a, Point b, int x, int y) {
  if (enters(a, b, x, y)) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (const Point end : {a, b})
    least = std::min(least, std::hypot(end.x - std::clamp(end.x, double(x), double(x + 1)),
                                       end.y - std::clamp(end.y, double(y), double(y + 1))));
  for (const auto& [dx, dy] : {Point{0, 0}, {1, 0}, {1, 1}, {0, 1}})
    least = std::min(least, distance_to_line({x + dx, y + dy}, a, b));
  return least;
}

Coverage cover(const Capsule& capsule, int width, int height) {
  Coverage coverage;
  const auto [a, b, r] = capsule;
  const Bounds bounds = clip(std::min(a.x, b.x) - r, std::min(a.y, b.y) - r, std::max(a.x, b.x) + r,
                             std::max(a.y, b.y) + r, width, height);
  for (int y = bounds.y0; y < bounds.y1; ++y) {
    for (int x = bounds.x0; x < bounds.x1; ++x) {
      const double distance = distance_to_square(a, b, x, y);
      if (distance < r) coverage.cells.push_back({x, y});
      if (distance != r && std::abs(distance - r) < kNear) coverage.knife_edge = true;
    }
  }
  return coverage;
}

Coverage cover(const Polygon& polygon, int width, int height) {
  Coverage coverage;
  const auto [left, right] = std::minmax_element(polygon.corners.begin(), polygon.corners.end(),
                                                 [](Point a, Point b) { return a.x < b.x; });
  const auto [top, bottom] = std::minmax_element(polygon.corners.begin(), polygon.corners.end(),
                                                 [](Point a, Point b) { return a.y < b.y; });
  const Bounds bounds =
      clip(left->x - kNear, top->y - kNear, right->x + kNear, bottom->y + kNear, width, height);
  for (int y = bounds.y0; y < bounds.y1; ++y) {
    for (int x = bounds.x0; x < bounds.x1; ++x) {
      const double overlap = overlap_area(polygon, x, y);
      if (overlap > kNothing) coverage.cells.push_back({x, y});
      const double near = area_within(polygon, x - kNear, y - kNear, x + 1 + kNear, y + 1 + kNear);
      if (near > 0 && near < kNearArea) coverage.knife_edge = true;
    }
  }
  return coverage;
}

Coverage cover(const Box& box, int width, int height) {
  const Point low{box.center.x - box.half_x, box.center.y - box.half_y};
  const Point high{box.center.x + box.half_x, box.center.y + box.half_y};
  const auto on_edge = [](double v) { return v == std::floor(v); };
  if (box.yaw == 0 && on_edge(low.x) && on_edge(low.y) && on_edge(high.x) && on_edge(high.y)) {
    return cover(Rect{static_cast<int>(low.x), static_cast<int>(low.y), static_cast<int>(high.x),
                      static_cast<int>(high.y)},
                 width, height);
  }
  return cover(corners_of(box), width, height);
}

}  // namespace

Polygon corners_of(const Box& box) {
  const double c = std::cos(box.yaw);
  const double s = std::sin(box.yaw);
  const auto corner = [&](double along, double across) {
    return Point{box.center.x + along * box.half_x * c - across * box.half_y * s,
                 box.center.y + along * box.half_x * s + across * box.half_y * c};
  };
  return {{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}};
}

double overlap_area(const Polygon& polygon, int x, int y) {
  return area_within(polygon, x, y, x + 1, y + 1);
}

Coverage covered_cells(const Shape& shape, int width, int height) {
  return std::visit([&](const auto& s) { return cover(s, width, height); }, shape);
}

}  // namespace repath::verify
