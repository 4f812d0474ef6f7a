#include "engine/smooth.h"

#include "engine/drive_path.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "grid/cells/clearance.h"
#include "grid/cells/graph.h"
#include "grid/cells/place.h"
#include "grid/cells/ray.h"
#include "grid/cells/snap.h"

namespace repath {
namespace {

// A curve begins and ends between kCurveReachMin and kCurveReachMax cells from its corner.
constexpr double kCurveReachMax = 2;
constexpr double kCurveReachMin = 0.125;
// Clearance, in cells, of the chords of a curve from blocked cells, however small the agent. It
// keeps chords off corners, so rounding cannot matter.
constexpr double kCurveClearance = 1.0 / 64;
// Greatest share by which costs of diagonals fall short of their length (base/cost.h).
constexpr double kDiagonalShortfall = 1e-8;

double length(MapPoint a, MapPoint b) { return std::sqrt(squared_distance(a, b)); }

MapPoint between(MapPoint a, MapPoint b, double share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

// Returns the squared distance from a point to the segment ab.
double squared_to_segment(MapPoint p, MapPoint a, MapPoint b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double along = (p.x - a.x) * dx + (p.y - a.y) * dy;
  const double squared = dx * dx + dy * dy;
  const double share = squared == 0 ? 0 : std::clamp(along / squared, 0.0, 1.0);
  const double x = p.x - (a.x + dx * share);
  const double y = p.y - (a.y + dy * share);
  return x * x + y * y;
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
      if (squared_to_segment(corner, a, b) < squared) return true;
    }
  return false;
}

std::int32_t floor_of(double v) { return static_cast<std::int32_t>(std::floor(v)); }

// Returns whether a disc can be moved from a to b. Looks at the cells around the segment, row by
// row.
bool is_wide_enough(const GridLayer& ground, MapPoint a, MapPoint b, double radius) {
  constexpr double kMargin = 1e-6;  // of the rows and columns looked at, against rounding
  const double least = std::max(radius - kRadiusTolerance, 0.0);
  const double reach = radius + kMargin;
  const double dy = b.y - a.y;
  const std::int32_t last = floor_of(std::max(a.y, b.y) + reach);
  for (std::int32_t y = floor_of(std::min(a.y, b.y) - reach); y <= last; ++y) {
    double begin = 0;
    double end = 1;
    if (std::abs(dy) > kMargin) {
      const double above = (y - reach - a.y) / dy;
      const double below = (y + 1 + reach - a.y) / dy;
      begin = std::clamp(std::min(above, below), 0.0, 1.0);
      end = std::clamp(std::max(above, below), 0.0, 1.0);
    }
    const double x0 = between(a, b, begin).x;
    const double x1 = between(a, b, end).x;
    const std::int32_t right = floor_of(std::max(x0, x1) + reach);
    for (std::int32_t x = floor_of(std::min(x0, x1) - reach); x <= right; ++x)
      if (!ground.is_free(x, y) && is_nearer(a, b, {x, y}, least * least)) return false;
  }
  return true;
}

// A path of cells that knows which of them are in sight of each other.
class CellPath {
 public:
  CellPath(const Snapshot& world, std::span<const NodeId> nodes) : world_(world), nodes_(nodes) {
    runs_.reserve(nodes.size());
    std::uint32_t run = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i > 0 && factor(i) != factor(i - 1)) ++run;
      runs_.push_back(run);
    }
  }

  std::size_t size() const { return nodes_.size(); }
  MapPoint centre(std::size_t i) const { return centre_of(place_of(world_.layer, nodes_[i])); }
  // Returns whether the path from i to j has everywhere the cost factor of the straight way between
  // them. The straight way is then never dearer.
  bool in_sight(std::size_t i, std::size_t j) const {
    if (runs_[i] != runs_[j]) return false;
    const auto way = straight_way(world_, centre(i), centre(j), world_.radius);
    return way && *way == factor(i);
  }
  // Returns the cost of the straight way from i to j, in cells. REQUIRES: j == i + 1 or in_sight(i,
  // j).
  double cost(std::size_t i, std::size_t j) const {
    if (j == i + 1) return cells_from_cost(world_.graph().cost_between(nodes_[i], nodes_[j]));
    return length(centre(i), centre(j)) * from_factor(factor(i));
  }

 private:
  Factor factor(std::size_t i) const {
    const Place p = place_of(world_.layer, nodes_[i]);
    return world_.layer.factor(p.x, p.y);
  }

  const Snapshot& world_;
  std::span<const NodeId> nodes_;
  std::vector<std::uint32_t> runs_;  // number of each cell's run of equal factors
};

// Returns a cell of the path, the farthest from i that was found to be in sight.
std::size_t farthest_in_sight(const CellPath& path, std::size_t i) {
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
std::vector<std::size_t> pull_straight(const CellPath& path, const StopToken* stop) {
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

// A corner of a path, and the curve that replaces it.
class Corner {
 public:
  Corner(const Snapshot& world, MapPoint before, MapPoint at, MapPoint after, double deviation)
      : world_(world),
        before_(before),
        at_(at),
        after_(after),
        deviation_(deviation),
        radius_(std::max(world.radius, kCurveClearance)) {}

  // Appends the points of a curve over free ground of one factor, or the corner. Returns what the
  // curve saves, in cells.
  double round_off(std::vector<MapPoint>* out) const {
    const double in = length(before_, at_);
    const double on = length(at_, after_);
    // Half of each way is left for the corner at its other end.
    double reach = std::min({in / 2, on / 2, kCurveReachMax});
    for (; reach >= kCurveReachMin; reach /= 2) {
      const MapPoint from = between(at_, before_, reach / in);
      const MapPoint to = between(at_, after_, reach / on);
      const std::vector<MapPoint> points = chords(from, to);
      const std::optional<Factor> factor = factor_of(points);
      if (!factor) continue;
      double along = 0;
      for (std::size_t i = 1; i < points.size(); ++i) along += length(points[i - 1], points[i]);
      out->insert(out->end(), points.begin(), points.end());
      return (2 * reach - along) * from_factor(*factor);
    }
    out->push_back(at_);
    return 0;
  }

 private:
  // Returns the chords of the curve. If a quadratic curve is cut into n equal parts of its
  // parameter, a chord is off it by at most |from - 2 at + to| / (4 n^2).
  std::vector<MapPoint> chords(MapPoint from, MapPoint to) const {
    const double bend = length({2 * at_.x, 2 * at_.y}, {from.x + to.x, from.y + to.y});
    const double parts = std::max(std::ceil(std::sqrt(bend / (4 * deviation_))), 2.0);
    std::vector<MapPoint> points{from};
    for (double i = 1; i < parts; ++i) {
      const double share = i / parts;
      points.push_back(between(between(from, at_, share), between(at_, to, share), share));
    }
    points.push_back(to);
    return points;
  }
  // Returns the factor of the ground under the chords and under the corner that they replace. Empty
  // unless all of that ground is free and has one factor.
  std::optional<Factor> factor_of(std::span<const MapPoint> points) const {
    const auto first = straight_way(world_, points.front(), at_, world_.radius);
    const auto last = straight_way(world_, at_, points.back(), world_.radius);
    if (!first || first != last) return std::nullopt;
    for (std::size_t i = 1; i < points.size(); ++i)
      if (straight_way(world_, points[i - 1], points[i], radius_) != first) return std::nullopt;
    return first;
  }

  const Snapshot& world_;
  MapPoint before_;
  MapPoint at_;
  MapPoint after_;
  double deviation_;
  double radius_;
};

// Rounds all corners. Returns the saving of all curves, in cells.
double round_corners(const Snapshot& world, double deviation, const StopToken* stop,
                     std::vector<MapPoint>* points) {
  std::vector<MapPoint> round;
  double saved = 0;
  for (std::size_t i = 0; i < points->size(); ++i) {
    const bool is_end = i == 0 || i + 1 == points->size();
    if (is_end || (stop != nullptr && stop->stop_requested())) {
      round.push_back((*points)[i]);
    } else {
      saved += Corner(world, (*points)[i - 1], (*points)[i], (*points)[i + 1], deviation)
                   .round_off(&round);
    }
  }
  *points = std::move(round);
  return saved;
}

}  // namespace

double proved_bound(const GridLayer& layer, NodeId start, std::span<const NodeId> ends, Cost cost) {
  std::int64_t squared = std::numeric_limits<std::int64_t>::max();
  for (const NodeId end : ends)
    squared = std::min(squared, squared_distance(place_of(layer, start), place_of(layer, end)));
  const double least = std::sqrt(static_cast<double>(squared));
  // The line itself has this cost, rounded up to a unit.
  if (cost <= static_cast<Cost>(std::ceil(least * static_cast<double>(kStraightStep)))) return 1;
  return cells_from_cost(cost) / least * (1 + kDiagonalShortfall);
}

std::optional<double> cost_of_way(const Snapshot& world, MapPoint a, MapPoint b, double radius) {
  const CornerRule rule = world.topology == Topology::k8 ? world.corner_rule : CornerRule::kNone;
  Ray ray(a, b);
  if (!world.layer.is_free(ray.at().x, ray.at().y)) return std::nullopt;
  double cost = 0;
  MapPoint last = a;
  const auto add = [&](MapPoint to) {
    cost += length(last, to) * from_factor(world.layer.factor(ray.at().x, ray.at().y));
    last = to;
  };
  while (!ray.at_end()) {
    const Ray::Crossing crossing = ray.next();
    if (blocker(world.layer, rule, ray, crossing)) return std::nullopt;
    add(ray.meets(crossing));
    ray.cross(crossing);
  }
  add(b);
  const GridLayer& ground = world.ground ? *world.ground : world.layer;
  if (radius > 0 && !is_wide_enough(ground, a, b, radius)) return std::nullopt;
  return cost;
}

std::optional<Factor> straight_way(const Snapshot& world, MapPoint a, MapPoint b, double radius) {
  const CornerRule rule = world.topology == Topology::k8 ? world.corner_rule : CornerRule::kNone;
  Ray ray(a, b);
  if (!world.layer.is_free(ray.at().x, ray.at().y)) return std::nullopt;
  const Factor factor = world.layer.factor(ray.at().x, ray.at().y);
  while (!ray.at_end()) {
    const Ray::Crossing crossing = ray.next();
    if (blocker(world.layer, rule, ray, crossing)) return std::nullopt;
    ray.cross(crossing);
    if (world.layer.factor(ray.at().x, ray.at().y) != factor) return std::nullopt;
  }
  const GridLayer& ground = world.ground ? *world.ground : world.layer;
  if (radius > 0 && !is_wide_enough(ground, a, b, radius)) return std::nullopt;
  return factor;
}

void smooth(const Snapshot& world, const PathQuery& query, std::span<const NodeId> ends,
            const StopToken* stop, PathAnswer* answer) {
  const CellPath path(world, answer->nodes);
  const std::vector<std::size_t> corners = pull_straight(path, stop);
  double cost = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    answer->points.push_back(path.centre(corners[i]));
    if (i > 0) cost += path.cost(corners[i - 1], corners[i]);
  }
  drop_needless(&answer->points);
  if (query.smoothing == Smoothing::kCurves && world.turning_radius > 0)
    return drive_cells(world, query, ends, stop, answer);
  if (query.smoothing == Smoothing::kCurves)
    cost -= round_corners(world, query.curve_deviation, stop, &answer->points);
  answer->cost = std::min(answer->cost,
                          static_cast<Cost>(std::ceil(cost * static_cast<double>(kStraightStep))));
  answer->bound = proved_bound(world.layer, answer->nodes.front(), ends, answer->cost);
}

}  // namespace repath
