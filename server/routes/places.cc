#include "routes/places.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "routes/boxes.h"

namespace repath {

std::optional<RoutePlace> stand_at(const RouteGround& ground, const Spot& at,
                                   std::uint64_t* looks) {
  return ground.stand(at, kStandReach, kFloorReach, looks);
}

std::optional<RoutePlace> stand_again(const RouteGround& ground, const Spot& at,
                                      std::uint64_t* looks) {
  return ground.stand(at, kStandReach, kSameFloor, looks);
}

RouteWalk walk_route(const RouteGround& ground, std::span<const RoutePoint> route) {
  const RouteWalk walk = ground.walk(route);
  if (walk.cost != kUnreachable || !ground.is_continuous()) return walk;
  if (walk.broken > 0 && walk.broken + 1 < route.size()) return walk;
  const std::optional<RoutePlace> first = stand_again(ground, route.front().at);
  const std::optional<RoutePlace> last = stand_again(ground, route.back().at);
  std::vector<RoutePoint> nudged(route.begin(), route.end());
  if (first) nudged.front().at = first->at;
  if (last) nudged.back().at = last->at;
  return ground.walk(nudged);
}

Cost cost_of_part(const RouteGround& ground, const RoutePoint& from, const Spot& to,
                  const LegPart& part) {
  const Cost cost = ground.cost_of_part(from, to, part);
  if (cost != kUnreachable) return cost;
  RoutePoint begin = from;
  const std::optional<RoutePlace> first = stand_again(ground, from.at);
  const std::optional<RoutePlace> last = stand_again(ground, to);
  if (first) begin.at = first->at;
  return ground.cost_of_part(begin, last ? last->at : to, part);
}

std::vector<RoutePlace> places_of_goals(const RouteGround& ground, std::span<const Spot> goals,
                                        double radius, std::uint64_t* looks) {
  std::vector<RoutePlace> places;
  for (const Spot& goal : goals) {
    const std::optional<RoutePlace> place =
        radius > 0 ? ground.nearest(goal, radius, looks) : stand_at(ground, goal, looks);
    if (place) places.push_back(*place);
  }
  return places;
}

bool is_same_place(const Spot& a, const Spot& b) {
  return plane_distance_squared(a, b) <= kSamePlace * kSamePlace &&
         std::abs(a.y - b.y) <= kSameFloor;
}

bool is_same_place_of(const RouteGround& ground, const Spot& a, const Spot& b) {
  return ground.is_continuous() ? is_same_place(a, b) : a == b;
}

bool has_place(const RouteGround& ground, std::span<const Spot> spots, const Spot& at) {
  return std::ranges::any_of(spots,
                             [&](const Spot& spot) { return is_same_place_of(ground, spot, at); });
}

std::vector<Spot> spots_beside(const RouteGround& ground, std::span<const Spot> others,
                               std::span<const Spot> spots) {
  std::vector<Spot> beside;
  std::ranges::remove_copy_if(spots, std::back_inserter(beside),
                              [&](const Spot& spot) { return has_place(ground, others, spot); });
  return beside;
}

std::vector<Spot> spots_of(std::span<const RoutePlace> places) {
  std::vector<Spot> spots;
  spots.reserve(places.size());
  for (const RoutePlace& place : places) spots.push_back(place.at);
  return spots;
}

}  // namespace repath
