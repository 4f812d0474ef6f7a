// Places on the plane that are far enough from each of some threats. Finds the nearest of them on
// convex ground; and the farthest place where no place is far enough. Lattice steps throughout.
//
// A place is far enough if it lies outside a disc around each threat. The nearest such place of
// convex ground is the ground's nearest point, or it lies on a circle. There it is where the circle
// meets the line through the point and the threat, the ground's border, or another circle. The
// place of a convex piece that is farthest from the nearest threat is a corner of the part of the
// piece that lies nearest to that threat. Immutable; safe on any thread. Exact to rounding.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "geometry/point.h"

namespace repath {

class FarPlaces {
 public:
  // REQUIRES: 1 or more threats, distance >= 0. O(threats^3), in practice their square.
  FarPlaces(std::vector<Point> threats, double distance);

  // Returns the distance to the nearest threat. O(threats).
  double distance_at(Point at) const;
  bool is_far(Point at) const { return distance_at(at) >= distance_; }
  // Returns a lower bound of the way from the point to a place that is far enough, over any ground.
  double least_way(Point from) const;

  // Returns the point of the ground nearest to `from` that is far enough; empty if there is none.
  // REQUIRES: `ground` is convex and counterclockwise, or empty; `from` sees all of it.
  // O(corners x threats near it).
  std::optional<Point> nearest(std::span<const Point> ground, Point from) const;
  // Returns the point of the ground that is farthest from the nearest threat. O(corners x
  // threats^2).
  Point farthest(std::span<const Point> ground) const;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Crossing {
    Point at;
    std::size_t first = 0;  // threats whose circles meet there
    std::size_t second = 0;
  };

  void find_crossings();
  bool is_clear(Point at, std::size_t but, std::size_t or_but) const;
  template <class Offer>
  void offer_circle(std::span<const Point> ground, Point from, std::size_t threat,
                    Offer offer) const;

  std::vector<Point> threats_;
  double distance_;
  std::vector<Crossing> crossings_;  // of circles, outside of all other discs
};

// Returns the part of a convex polygon that is not to the right of the line from `a` in direction
// (dx, dz). O(corners).
std::vector<Point> left_part(std::span<const Point> polygon, Point a, double dx, double dz);

}  // namespace repath
