#include "engine/drive_path.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/smooth.h"
#include "geometry/turns.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {
namespace {

// Clearance of driven paths over cells from blocked cells, however small the agent, in cells.
constexpr double kDrivenClearance = 1.0 / 64;
// Distance by which a turn on a mesh keeps off the corner of a wall, world units.
constexpr double kDrivenMargin = 1.0 / 256;

void give_up(PathAnswer* answer) {
  answer->state = QueryState::kTurnTooTight;
  answer->nodes.clear();
  answer->points.clear();
  answer->route.clear();
  answer->cost = 0;
  answer->bound = 1;
}

// The route of a mesh, with the turns of one part between two links replaced.
class RouteDriver {
 public:
  RouteDriver(const QueryGround& ground, const PathQuery& query, const StopToken* stop)
      : ground_(ground) {
    rules_.radius = query.turning_radius;
    rules_.deviation = query.curve_deviation;
    rules_.margin = std::min(kDrivenMargin, query.turning_radius / 4);
    rules_.cost = [this](MapPoint a, MapPoint b) { return cost_between(a, b); };
    rules_.stop = stop;
  }

  // Appends the driven points from `part`'s first point to its last one. Returns false if it found
  // no way.
  bool append(std::span<const RoutePoint> part, std::vector<RoutePoint>* out) const {
    std::vector<MapPoint> corners;
    for (const RoutePoint& point : part) {
      const MapPoint at = point_of(point.at);
      if (corners.empty() || squared_distance(corners.back(), at) > 0) corners.push_back(at);
    }
    if (corners.size() < 2) {
      out->insert(out->end(), part.begin(), part.end());
      return true;
    }
    const std::optional<DrivenWay> way = drive(corners, rules_);
    if (!way) return false;
    out->push_back(part.front());
    for (std::size_t i = 1; i + 1 < way->points.size(); ++i)
      out->push_back(on_ground(way->points[i]));
    out->push_back(part.back());
    return true;
  }

 private:
  std::optional<double> cost_between(MapPoint a, MapPoint b) const {
    const RoutePoint leg[] = {{spot_of(a)}, {spot_of(b)}};
    const Cost cost = ground_.walk(leg).cost;
    if (cost == kUnreachable) return std::nullopt;
    return units_from_route_cost(cost);
  }
  RoutePoint on_ground(MapPoint at) const {
    RoutePoint point{spot_of(at)};
    const std::optional<RoutePlace> place = ground_.locate(point.at);
    if (!place) return point;
    point.at.y = place->at.y;
    std::vector<GroundCell> cells;
    ground_.view()->append_cells(place->cell, 1, &cells);
    if (!cells.empty()) point.area = cells.front().area;
    return point;
  }

  const QueryGround& ground_;
  TurnRules rules_;
};

}  // namespace

void drive_cells(const Snapshot& world, const PathQuery& query, std::span<const NodeId> ends,
                 const StopToken* stop, PathAnswer* answer) {
  if (answer->points.size() > 1) {
    const double clearance = std::max(world.radius, kDrivenClearance);
    TurnRules rules{world.turning_radius, query.curve_deviation};
    rules.margin = std::min(rules.margin, world.turning_radius / 4);
    rules.cost = [&](MapPoint a, MapPoint b) -> std::optional<double> {
      const auto is_on_map = [&world](MapPoint p) {
        return p.x >= 0 && p.y >= 0 && p.x < world.layer.width() && p.y < world.layer.height();
      };
      if (!is_on_map(a) || !is_on_map(b)) return std::nullopt;
      return cost_of_way(world, a, b, clearance);
    };
    rules.stop = stop;
    std::optional<DrivenWay> way = drive(answer->points, rules);
    if (!way) return give_up(answer);
    answer->points = std::move(way->points);
    answer->cost = static_cast<Cost>(std::ceil(way->cost * static_cast<double>(kStraightStep)));
  }
  answer->bound = proved_bound(world.layer, answer->nodes.front(), ends, answer->cost);
}

void drive_route(const QueryGround& ground, const PathQuery& query, const StopToken* stop,
                 PathAnswer* answer) {
  const RouteDriver driver(ground, query, stop);
  const std::span<const RoutePoint> found = answer->route;
  std::vector<RoutePoint> route;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool is_end = i + 1 == found.size();
    if (!is_end && !found[i].link) continue;
    if (!driver.append(found.subspan(begin, i + 1 - begin), &route)) return give_up(answer);
    begin = i + 1;
  }
  const Cost cost = ground.walk(route).cost;
  if (cost == kUnreachable) return give_up(answer);
  const auto dearer =
      static_cast<double>(cost) / static_cast<double>(std::max<Cost>(answer->cost, 1));
  if (dearer > 1) answer->bound *= dearer;
  answer->cost = cost;
  answer->route = std::move(route);
}

}  // namespace repath
