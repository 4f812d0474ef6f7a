#include "routes/driven_route.h"

#include <algorithm>
#include <cstddef>

#include "base/map_point.h"
#include "geometry/turns.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {
namespace {

// Distance by which a turn keeps off the corner of a wall, world units.
constexpr double kDrivenMargin = 1.0 / 256;

// Drives the parts of a route between two links.
class RouteDriver {
 public:
  RouteDriver(const RouteGround& ground, const DriveRules& rules, DrivenRoute* out)
      : ground_(ground), out_(out) {
    rules_.radius = rules.radius;
    rules_.deviation = rules.deviation;
    rules_.margin = std::min(kDrivenMargin, rules.radius / 4);
    rules_.cost = [this](MapPoint a, MapPoint b) { return cost_between(a, b); };
    rules_.stop = rules.stop;
  }

  // Appends the driven points from `part`'s first point to its last one. Returns false if it found
  // no way.
  bool append(std::span<const RoutePoint> part) {
    std::vector<MapPoint> corners;
    for (const RoutePoint& point : part) {
      const MapPoint at = point_of(point.at);
      if (corners.empty() || squared_distance(corners.back(), at) > 0) corners.push_back(at);
    }
    std::vector<RoutePoint>& points = out_->points;
    if (corners.size() < 2) {
      points.insert(points.end(), part.begin(), part.end());
      return true;
    }
    const std::optional<DrivenWay> way = drive(corners, rules_);
    if (!way) return false;
    points.push_back(part.front());
    for (std::size_t i = 1; i + 1 < way->points.size(); ++i)
      points.push_back(on_ground(way->points[i]));
    points.push_back(part.back());
    return true;
  }

 private:
  std::optional<double> cost_between(MapPoint a, MapPoint b) {
    ++out_->legs;
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
    point.area = ground_.area_at(*place);
    return point;
  }

  const RouteGround& ground_;
  DrivenRoute* out_;
  TurnRules rules_;
};

}  // namespace

DrivenRoute drive_route(const RouteGround& ground, std::span<const RoutePoint> found,
                        const DriveRules& rules) {
  DrivenRoute driven;
  RouteDriver driver(ground, rules, &driven);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool is_end = i + 1 == found.size();
    if (!is_end && !found[i].link) continue;
    if (!driver.append(found.subspan(begin, i + 1 - begin))) return driven;
    begin = i + 1;
  }
  driven.cost = ground.walk(driven.points).cost;
  driven.is_found = driven.cost != kUnreachable;
  return driven;
}

}  // namespace repath
