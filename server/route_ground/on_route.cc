#include "route_ground/on_route.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/nearest_on_segment.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {
namespace {

constexpr double kReachSquared = kRouteReportReach * kRouteReportReach;
// Legs whose heights differ by less count as equally high. World units.
constexpr double kSameHeightOfLegs = 1e-3;

bool has_only_ends(const RouteGround& ground, const RoutePoint& leg) {
  return leg.link.has_value() || !ground.is_continuous();
}

// Returns whether the place is on the floor that the leg from `a` to `b` leads over. Along a wall a
// place that is rounded may lie behind the next corner by a hair: if the whole leg is free, its
// height decides.
bool leads_there(const RouteGround& ground, const RoutePoint& from, const Spot& a, const Spot& b,
                 const Spot& place) {
  const auto is_free = [&](const Spot& begin, const Spot& end) {
    const std::array<RoutePoint, 2> way = {RoutePoint{begin, from.node, from.area, {}},
                                           RoutePoint{end, from.node, from.area, {}}};
    return walk_route(ground, way).cost != kUnreachable;
  };
  if (is_free(a, place)) return true;
  return is_free(from.at, b) && place.y >= std::min(a.y, b.y) - kFloorReach &&
         place.y <= std::max(a.y, b.y) + kFloorReach;
}

// Returns the height at `on` of the leg from `a` to `b`. Where floors meet in a line or a point,
// several begin there: the leg's floor is the one that its other end is on. Empty: the height is
// unknown.
std::optional<double> height_on(const RouteGround& ground, const Spot& a, const Spot& b,
                                const Spot& on) {
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    const std::optional<RoutePlace> begin = stand_again(ground, from);
    if (!begin) continue;
    if (const auto height = ground.height_along(*begin, to, on)) return height;
  }
  return std::nullopt;
}

// Returns the place on the leg itself, on the floor that `seen` is on.
std::optional<OnRoute> stand_on(const RouteGround& ground, std::span<const RoutePoint> points,
                                const Spot& origin, std::uint32_t from, std::uint32_t leg,
                                double share, const Spot& seen, bool is_broken) {
  const auto last = static_cast<std::uint32_t>(points.size() - 1);
  const std::uint32_t next = std::min(leg + 1, last);
  const Spot a = leg == from ? origin : points[leg].at;
  const Spot b = points[next].at;
  if (has_only_ends(ground, points[leg])) {
    if (seen.y < std::min(a.y, b.y) - kFloorReach || seen.y > std::max(a.y, b.y) + kFloorReach)
      return std::nullopt;
    const std::uint32_t at = share > 0.5 ? next : leg;
    if (at < from) return std::nullopt;
    const OnRoute end{at, at == from ? origin : points[at].at};
    // An agent that stands on the ground under a link has not come to the link yet.
    if (ground.is_continuous() && leg != from && !is_within_reach(end.spot, seen) &&
        stand_again(ground, seen))
      return std::nullopt;
    return end;
  }
  if (share >= 1 || share <= 0) {
    const OnRoute end = share >= 1 ? OnRoute{next, b} : OnRoute{leg, a};
    return std::abs(end.spot.y - seen.y) <= kFloorReach ? std::optional(end) : std::nullopt;
  }
  const Spot on{a.x + share * (b.x - a.x), seen.y, a.z + share * (b.z - a.z)};
  std::optional<RoutePlace> place = stand_at(ground, on);
  const std::optional<double> height = height_on(ground, a, b, on);
  const bool is_far = height && std::abs(*height - seen.y) > kFloorReach;
  // The floor nearest to the report may be another one, and covered.
  if (!place && height && !is_far) place = stand_again(ground, {on.x, *height, on.z});
  if (!place) return is_broken ? std::optional(OnRoute{leg, on}) : std::nullopt;
  if (is_far) return std::nullopt;
  if (is_broken) return OnRoute{leg, place->at};
  if (height) place->at.y = *height;
  if (!leads_there(ground, points[leg], a, b, place->at)) return std::nullopt;
  return OnRoute{leg, place->at};
}

}  // namespace

bool is_within_reach(const Spot& place, const Spot& seen) {
  return plane_distance_squared(place, seen) <= kReachSquared;
}

std::vector<RouteBox> boxes_of_legs(std::span<const RoutePoint> points) {
  std::vector<RouteBox> boxes((points.size() + kLegsPerBox - 1) / kLegsPerBox);
  for (std::size_t i = 0; i < points.size(); ++i) {
    add_to(&boxes[i / kLegsPerBox], points[i].at);
    if (i > 0) add_to(&boxes[(i - 1) / kLegsPerBox], points[i].at);
  }
  return boxes;
}

std::optional<OnRoute> find_on_route(const RouteGround& ground, std::span<const RoutePoint> points,
                                     std::uint32_t from, const Spot& origin, const Spot& seen,
                                     bool is_broken, std::span<const RouteBox> boxes) {
  const auto last = static_cast<std::uint32_t>(points.size() - 1);
  const RouteBox here = box_of(seen);
  std::optional<OnRoute> best;
  double reach = kRouteReportReach;
  double height_off = std::numeric_limits<double>::infinity();
  const bool has_come =
      from > 0 && has_only_ends(ground, points[from - 1]) && is_same_place(points[from].at, origin);
  for (std::uint32_t i = has_come ? from - 1 : from; i <= last; ++i) {
    if (best && reach <= kSamePlace && height_off <= kSameHeightOfLegs) break;
    if (!boxes.empty() && i % kLegsPerBox == 0 &&
        !meet(here, boxes[i / kLegsPerBox], kRouteReportReach)) {
      i += kLegsPerBox - 1;
      continue;
    }
    const Spot& a = i == from ? origin : points[i].at;
    const Spot& b = points[std::min(i + 1, last)].at;
    if (!meet(here, box_of(a, b), kRouteReportReach)) continue;
    const NearestOnSegment near = nearest_on_segment(a.x, a.z, b.x, b.z, seen.x, seen.z);
    const double away = std::sqrt(near.squared);
    if (away > reach + kSamePlace || near.squared > kReachSquared) continue;
    const auto on = stand_on(ground, points, origin, from, i, near.share, seen, is_broken);
    if (!on) continue;
    const double off = std::abs(on->spot.y - seen.y);
    const bool is_as_near = best && away >= reach - kSamePlace;
    if (is_as_near && off + kSameHeightOfLegs >= height_off) continue;
    best = on;
    reach = std::min(reach, away);
    height_off = off;
  }
  return best;
}

void rest_of_route(std::span<const RoutePoint> points, std::uint32_t at, const Spot& origin,
                   std::vector<RoutePoint>* out) {
  out->assign(points.begin() + at, points.end());
  RoutePoint& first = out->front();
  // Somewhere on a leg: the link that its first point takes does not begin here.
  if (!is_same_place(first.at, origin)) first.link.reset();
  first.at = origin;
}

}  // namespace repath
