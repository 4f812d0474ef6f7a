#include "engine/smooth.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "engine/drive_path.h"
#include "grid/cells/line_of_sight.h"
#include "grid/cells/place.h"
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

// A corner of a path, and the curve that replaces it.
class Corner {
 public:
  Corner(const LineOfSight& sight, MapPoint before, MapPoint at, MapPoint after, double deviation)
      : sight_(sight),
        before_(before),
        at_(at),
        after_(after),
        deviation_(deviation),
        radius_(std::max(sight.radius, kCurveClearance)) {}

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
    const auto first = straight_way(sight_, points.front(), at_, sight_.radius);
    const auto last = straight_way(sight_, at_, points.back(), sight_.radius);
    if (!first || first != last) return std::nullopt;
    for (std::size_t i = 1; i < points.size(); ++i)
      if (straight_way(sight_, points[i - 1], points[i], radius_) != first) return std::nullopt;
    return first;
  }

  const LineOfSight& sight_;
  MapPoint before_;
  MapPoint at_;
  MapPoint after_;
  double deviation_;
  double radius_;
};

// Rounds all corners. Returns the saving of all curves, in cells.
double round_corners(const LineOfSight& sight, double deviation, const StopToken* stop,
                     std::vector<MapPoint>* points) {
  std::vector<MapPoint> round;
  double saved = 0;
  for (std::size_t i = 0; i < points->size(); ++i) {
    const bool is_end = i == 0 || i + 1 == points->size();
    if (is_end || (stop != nullptr && stop->stop_requested())) {
      round.push_back((*points)[i]);
    } else {
      saved += Corner(sight, (*points)[i - 1], (*points)[i], (*points)[i + 1], deviation)
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

void smooth(const Snapshot& world, const PathQuery& query, std::span<const NodeId> ends,
            const StopToken* stop, PathAnswer* answer) {
  const LineOfSight sight = sight_of(world);
  PulledPath pulled = pull_straight(sight, answer->nodes, stop);
  answer->points = std::move(pulled.points);
  if (query.smoothing == Smoothing::kCurves && world.turning_radius > 0)
    return drive_cells(world, query, ends, stop, answer);
  double cost = pulled.cost;
  if (query.smoothing == Smoothing::kCurves)
    cost -= round_corners(sight, query.curve_deviation, stop, &answer->points);
  answer->cost = std::min(answer->cost,
                          static_cast<Cost>(std::ceil(cost * static_cast<double>(kStraightStep))));
  answer->bound = proved_bound(world.layer, answer->nodes.front(), ends, answer->cost);
}

}  // namespace repath
