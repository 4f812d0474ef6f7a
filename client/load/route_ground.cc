#include "load/route_ground.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repath::load {
namespace {

constexpr double kSquare = 8;    // metres; no obstacle reaches farther from its centre than half
constexpr double kGrown = 2e-3;  // obstacles count as this much smaller, because paths touch them
constexpr int kOpenTries = 16;
constexpr int kNearTries = 32;

}  // namespace

double distance(const Place& a, const Place& b) { return std::hypot(a.x - b.x, a.z - b.z); }

void fill(const Place& place, v1::Location* out) {
  out->mutable_position()->set_x(place.x);
  out->mutable_position()->set_y(place.y);
  out->mutable_position()->set_z(place.z);
}

RouteGround::RouteGround(bool is_graph, std::vector<Place> places)
    : is_graph_(is_graph), places_(std::move(places)) {
  const auto span = [this](double Place::*axis) {
    const auto [low, high] =
        std::minmax_element(places_.begin(), places_.end(),
                            [axis](const Place& a, const Place& b) { return a.*axis < b.*axis; });
    return *high.*axis - *low.*axis;
  };
  extent_ = std::max(span(&Place::x), span(&Place::z));
}

RouteGround::Square RouteGround::square_of(const Place& place) {
  return {static_cast<int>(std::floor(place.x / kSquare)),
          static_cast<int>(std::floor(place.z / kSquare))};
}

bool RouteGround::Solid::holds(const Place& place, double margin) const {
  const double dx = place.x - center.x;
  const double dz = place.z - center.z;
  if (half_z < 0) return std::hypot(dx, dz) < half_x + margin;
  return std::abs(dx * cos + dz * sin) < half_x + margin &&
         std::abs(dz * cos - dx * sin) < half_z + margin;
}

void RouteGround::shut(const v1::Obstacle& obstacle) {
  Solid solid;
  const bool is_box = obstacle.has_box();
  const v1::Vec3& center = is_box ? obstacle.box().center() : obstacle.cylinder().center();
  solid.center = {center.x(), center.y(), center.z()};
  if (is_box) {
    solid.half_x = obstacle.box().half_x() - kGrown;
    solid.half_z = obstacle.box().half_z() - kGrown;
    solid.cos = std::cos(obstacle.box().yaw());
    solid.sin = std::sin(obstacle.box().yaw());
  } else {
    solid.half_x = obstacle.cylinder().radius() - kGrown;
  }
  const Square square = square_of(solid.center);
  solids_[square].emplace_back(obstacle.id(), solid);
  square_of_[obstacle.id()] = square;
}

void RouteGround::reopen(std::uint64_t obstacle) {
  const auto square = square_of_.find(obstacle);
  if (square == square_of_.end()) return;
  std::erase_if(solids_[square->second],
                [obstacle](const auto& solid) { return solid.first == obstacle; });
  square_of_.erase(square);
}

bool RouteGround::is_shut(const Place& place, double margin) const {
  const auto [column, row] = square_of(place);
  for (int x = column - 1; x <= column + 1; ++x) {
    for (int z = row - 1; z <= row + 1; ++z) {
      const auto square = solids_.find({x, z});
      if (square == solids_.end()) continue;
      for (const auto& [id, solid] : square->second)
        if (solid.holds(place, margin)) return true;
    }
  }
  return false;
}

Place RouteGround::some_place(verify::Dice& dice) const {
  Place place = dice.pick(places_);
  for (int i = 0; i < kOpenTries && is_shut(place); ++i) place = dice.pick(places_);
  return place;
}

Place RouteGround::place_near(const Place& from, verify::Dice& dice) const {
  Place best = from;
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < kNearTries; ++i) {
    const Place& place = dice.pick(places_);
    const double away = distance(from, place);
    if (away <= 0 || away >= least || is_shut(place)) continue;
    least = away;
    best = place;
  }
  return best;
}

}  // namespace repath::load
