#include "grid/cells/line_of_sight.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/nearest_on_segment.h"
#include "grid/cells/clearance.h"
#include "grid/cells/place.h"
#include "grid/cells/ray.h"
#include "grid/cells/snap.h"

namespace repath {
namespace {

// Clearance of driven paths from blocked cells, however small the agent, in cells.
constexpr double kDrivenClearance = 1.0 / 64;

double way_length(MapPoint a, MapPoint b) { return std::sqrt(squared_distance(a, b)); }

MapPoint way_point(MapPoint a, MapPoint b, double share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

// Returns the squared distance from a point to the square of a cell.
double squared_to_cell(MapPoint p, Place cell) {
  const double x = std::max({cell.x - p.x, p.x - (cell.x + 1), 0.0});
  const double y = std::max({cell.y - p.y, p.y - (cell.y + 1), 0.0});
  return x * x + y * y;
}

// Returns whether some point of the segment is nearer to the cell's square than the root of
// `squared`. REQUIRES: the segment does not pass through the square's inside. The nearest point is
// then an end of the segment or a corner of the square.
bool is_nearer(MapPoint a, MapPoint b, Place cell, double squared) {
  if (squared_to_cell(a, cell) < squared || squared_to_cell(b, cell) < squared) return true;
  for (const std::int32_t dx : {0, 1})
    for (const std::int32_t dy : {0, 1}) {
      const MapPoint corner{static_cast<double>(cell.x + dx), static_cast<double>(cell.y + dy)};
      if (nearest_on_segment(a.x, a.y, b.x, b.y, corner.x, corner.y).squared < squared) return true;
    }
  return false;
}

std::int32_t floor_cell(double v) { return static_cast<std::int32_t>(std::floor(v)); }

// Returns whether a disc can be moved from a to b. Looks at the cells around the segment, row by
// row.
bool is_wide_enough(const GridLayer& ground, MapPoint a, MapPoint b, double radius) {
  constexpr double kMargin = 1e-6;  // of the rows and columns looked at, against rounding
  const double least = std::max(radius - kRadiusTolerance, 0.0);
  const double reach = radius + kMargin;
  const double dy = b.y - a.y;
  const std::int32_t last = floor_cell(std::max(a.y, b.y) + reach);
  for (std::int32_t y = floor_cell(std::min(a.y, b.y) - reach); y <= last; ++y) {
    double begin = 0;
    double end = 1;
    if (std::abs(dy) > kMargin) {
      const double above = (y - reach - a.y) / dy;
      const double below = (y + 1 + reach - a.y) / dy;
      begin = std::clamp(std::min(above, below), 0.0, 1.0);
      end = std::clamp(std::max(above, below), 0.0, 1.0);
    }
    const double x0 = way_point(a, b, begin).x;
    const double x1 = way_point(a, b, end).x;
    const std::int32_t right = floor_cell(std::max(x0, x1) + reach);
    for (std::int32_t x = floor_cell(std::min(x0, x1) - reach); x <= right; ++x)
      if (!ground.is_free(x, y) && is_nearer(a, b, {x, y}, least * least)) return false;
  }
  return true;
}

// A path of cells that knows which of them are in sight of each other.
class CellSight {
 public:
  CellSight(const LineOfSight& sight, std::span<const NodeId> nodes)
      : sight_(sight), nodes_(nodes) {
    runs_.reserve(nodes.size());
    std::uint32_t run = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i > 0 && factor(i) != factor(i - 1)) ++run;
      runs_.push_back(run);
    }
  }

  std::size_t size() const { return nodes_.size(); }
  MapPoint centre(std::size_t i) const {
    return centre_of(place_of(sight_.graph.layer(), nodes_[i]));
  }
  // Returns whether the path from i to j has everywhere the cost factor of the straight way between
  // them. The straight way is then never dearer.
  bool in_sight(std::size_t i, std::size_t j) const {
    if (runs_[i] != runs_[j]) return false;
    const auto way = straight_way(sight_, centre(i), centre(j), sight_.radius);
    return way && *way == factor(i);
  }
  // Returns the cost of the straight way from i to j, in cells. REQUIRES: j == i + 1 or in_sight(i,
  // j).
  double cost(std::size_t i, std::size_t j) const {
    if (j == i + 1) return cells_from_cost(sight_.graph.cost_between(nodes_[i], nodes_[j]));
    return way_length(centre(i), centre(j)) * from_factor(factor(i));
  }

 private:
  Factor factor(std::size_t i) const {
    const Place p = place_of(sight_.graph.layer(), nodes_[i]);
    return sight_.graph.layer().factor(p.x, p.y);
  }

  const LineOfSight& sight_;
  std::span<const NodeId> nodes_;
  std::vector<std::uint32_t> runs_;  // number of each cell's run of equal factors
};

// Returns a cell of the path, the farthest from i that was found to be in sight.
std::size_t farthest_in_sight(const CellSight& path, std::size_t i) {
  std::size_t seen = i + 1;
  std::size_t step = 2;
  while (i + step < path.size() && path.in_sight(i, i + step)) {
    seen = i + step;
    step *= 2;
  }
  std::size_t unseen = std::min(i + step, path.size());
  while (unseen - seen > 1) {
    const std::size_t middle = seen + (unseen - seen) / 2;
    (path.in_sight(i, middle) ? seen : unseen) = middle;
  }
  return seen;
}

// Returns the cells where the straightened path turns, without those that proved needless.
std::vector<std::size_t> straight_corners(const CellSight& path, const StopToken* stop) {
  std::vector<std::size_t> corners{0};
  for (std::size_t i = 0; i + 1 < path.size();) {
    const bool stopped = stop != nullptr && stop->stop_requested();
    i = stopped ? i + 1 : farthest_in_sight(path, i);
    while (!stopped && corners.size() > 1 && path.in_sight(corners[corners.size() - 2], i))
      corners.pop_back();
    corners.push_back(i);
  }
  return corners;
}

bool goes_on_straight(MapPoint a, MapPoint b, MapPoint c) {
  const double ux = b.x - a.x;
  const double uy = b.y - a.y;
  const double vx = c.x - b.x;
  const double vy = c.y - b.y;
  return ux * vy == uy * vx && ux * vx + uy * vy > 0;
}

void drop_needless(std::vector<MapPoint>* points) {
  std::size_t kept = 0;
  for (const MapPoint point : *points) {
    while (kept > 1 && goes_on_straight((*points)[kept - 2], (*points)[kept - 1], point)) --kept;
    (*points)[kept++] = point;
  }
  points->resize(kept);
}

}  // namespace

std::optional<double> cost_of_way(const LineOfSight& sight, MapPoint a, MapPoint b, double radius) {
  const CornerRule rule =
      sight.graph.topology() == Topology::k8 ? sight.graph.corner_rule() : CornerRule::kNone;
  Ray ray(a, b);
  if (!sight.graph.layer().is_free(ray.at().x, ray.at().y)) return std::nullopt;
  double cost = 0;
  MapPoint last = a;
  const auto add = [&](MapPoint to) {
    cost += way_length(last, to) * from_factor(sight.graph.layer().factor(ray.at().x, ray.at().y));
    last = to;
  };
  while (!ray.at_end()) {
    const Ray::Crossing crossing = ray.next();
    if (blocker(sight.graph.layer(), rule, ray, crossing)) return std::nullopt;
    add(ray.meets(crossing));
    ray.cross(crossing);
  }
  add(b);
  if (radius > 0 && !is_wide_enough(*sight.ground, a, b, radius)) return std::nullopt;
  return cost;
}

std::optional<Factor> straight_way(const LineOfSight& sight, MapPoint a, MapPoint b,
                                   double radius) {
  const CornerRule rule =
      sight.graph.topology() == Topology::k8 ? sight.graph.corner_rule() : CornerRule::kNone;
  Ray ray(a, b);
  if (!sight.graph.layer().is_free(ray.at().x, ray.at().y)) return std::nullopt;
  const Factor factor = sight.graph.layer().factor(ray.at().x, ray.at().y);
  while (!ray.at_end()) {
    const Ray::Crossing crossing = ray.next();
    if (blocker(sight.graph.layer(), rule, ray, crossing)) return std::nullopt;
    ray.cross(crossing);
    if (sight.graph.layer().factor(ray.at().x, ray.at().y) != factor) return std::nullopt;
  }
  if (radius > 0 && !is_wide_enough(*sight.ground, a, b, radius)) return std::nullopt;
  return factor;
}

PulledPath pull_straight(const LineOfSight& sight, std::span<const NodeId> nodes,
                         const StopToken* stop) {
  const CellSight path(sight, nodes);
  const std::vector<std::size_t> corners = straight_corners(path, stop);
  PulledPath pulled;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    pulled.points.push_back(path.centre(corners[i]));
    if (i > 0) pulled.cost += path.cost(corners[i - 1], corners[i]);
  }
  drop_needless(&pulled.points);
  return pulled;
}

std::optional<DrivenWay> drive_over(const LineOfSight& sight, std::span<const MapPoint> points,
                                    double turning_radius, double deviation,
                                    const StopToken* stop) {
  const GridLayer& layer = sight.graph.layer();
  TurnRules rules{turning_radius, deviation};
  rules.margin = std::min(rules.margin, turning_radius / 4);
  rules.cost = [&](MapPoint a, MapPoint b) -> std::optional<double> {
    const auto is_on_map = [&layer](MapPoint p) {
      return p.x >= 0 && p.y >= 0 && p.x < layer.width() && p.y < layer.height();
    };
    if (!is_on_map(a) || !is_on_map(b)) return std::nullopt;
    return cost_of_driving(sight, a, b);
  };
  rules.stop = stop;
  return drive(points, rules);
}

std::optional<double> cost_of_driving(const LineOfSight& sight, MapPoint a, MapPoint b) {
  return cost_of_way(sight, a, b, std::max(sight.radius, kDrivenClearance));
}

}  // namespace repath
