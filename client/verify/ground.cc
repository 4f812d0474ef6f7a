#include "verify/ground.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace repath::verify {

Ground::Ground(int map_width, int map_height, Topology steps, CornerRule rule)
    : width(map_width),
      height(map_height),
      stride(map_width + 2),
      topology(steps),
      corner(rule),
      factor(static_cast<std::size_t>(stride) * static_cast<std::size_t>(map_height + 2), 0.0) {}

Point Ground::hex_centre(int x, int y) {
  return {x + (y % 2 == 0 ? 0.0 : 0.5), y * std::sqrt(0.75)};
}

double Ground::step(Cell from, Cell to) const {
  const double own = factor[static_cast<std::size_t>(from)];
  const double other = factor[static_cast<std::size_t>(to)];
  if (own == 0 || other == 0) return kInfinity;
  const CellXY p = at(from);
  const CellXY q = at(to);
  if (topology == Topology::kHex) {
    const Point a = hex_centre(p.x, p.y);
    const Point b = hex_centre(q.x, q.y);
    const double apart = std::hypot(a.x - b.x, a.y - b.y);
    return apart > 0.5 && apart < 1.5 ? (own + other) / 2 : kInfinity;
  }
  const int dx = q.x - p.x;
  const int dy = q.y - p.y;
  if (std::max(std::abs(dx), std::abs(dy)) != 1) return kInfinity;
  if (dx == 0 || dy == 0) return (own + other) / 2;
  if (topology == Topology::k4 || !corner_open(from, dx, dy)) return kInfinity;
  return kDiagonal * (own + other) / 2;
}

double Ground::metric(Cell a, Cell b) const {
  const CellXY p = at(a);
  const CellXY q = at(b);
  const int dx = std::abs(p.x - q.x);
  const int dy = std::abs(p.y - q.y);
  if (topology == Topology::kHex) {
    // A step to another row moves half a cell along; the rest goes along the row.
    const double along = std::abs(hex_centre(p.x, p.y).x - hex_centre(q.x, q.y).x);
    return dy + std::max(0.0, along - 0.5 * dy);
  }
  if (topology == Topology::k4) return dx + dy;
  return std::max(dx, dy) - std::min(dx, dy) + kDiagonal * std::min(dx, dy);
}

std::optional<int> Route::index_of(Cell c, int from) const {
  const auto found = std::find(cells.begin() + from, cells.end(), c);
  if (found == cells.end()) return std::nullopt;
  return static_cast<int>(found - cells.begin());
}

std::optional<Route> expand(const Ground& ground, const std::vector<int>& waypoints_xy) {
  if (waypoints_xy.empty() || waypoints_xy.size() % 2 != 0) return std::nullopt;
  Route route;
  CellXY here{};
  for (std::size_t i = 0; i < waypoints_xy.size(); i += 2) {
    const CellXY next{waypoints_xy[i], waypoints_xy[i + 1]};
    if (!ground.on_map(next.x, next.y)) return std::nullopt;
    if (i > 0) {
      const int dx = next.x - here.x;
      const int dy = next.y - here.y;
      const int steps = std::max(std::abs(dx), std::abs(dy));
      if (steps == 0 || (dx != 0 && dy != 0 && std::abs(dx) != std::abs(dy))) return std::nullopt;
      for (int k = 1; k <= steps; ++k) {
        route.cells.push_back(ground.cell(here.x + dx / steps * k, here.y + dy / steps * k));
      }
    } else {
      route.cells.push_back(ground.cell(next.x, next.y));
    }
    route.waypoint_at.push_back(static_cast<int>(route.cells.size()) - 1);
    here = next;
  }
  return route;
}

double cost_of(const Ground& ground, const Route& route, int from) {
  double cost = ground.free(route.cells[static_cast<std::size_t>(from)]) ? 0 : kInfinity;
  for (std::size_t i = static_cast<std::size_t>(from); i + 1 < route.cells.size(); ++i) {
    cost += ground.step(route.cells[i], route.cells[i + 1]);
  }
  return cost;
}

std::optional<int> first_broken(const Ground& ground, const Route& route, int from) {
  for (std::size_t i = static_cast<std::size_t>(from); i + 1 < route.cells.size(); ++i) {
    if (ground.step(route.cells[i], route.cells[i + 1]) == kInfinity)
      return static_cast<int>(i) + 1;
  }
  return std::nullopt;
}

}  // namespace repath::verify
