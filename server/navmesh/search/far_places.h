// Places on the plane that are far enough from each of some threats, and of convex ground the
// nearest of them; or, where none is, the farthest place. Lattice steps throughout.
//
// Far enough are those outside of a disc around each threat. Of convex ground the nearest to a
// point is its nearest point of all; or it lies on a circle: in line with point and threat, where
// the circle cuts the ground's border, or where it cuts another circle. The place of a convex piece
// that is farthest from the nearest threat is a corner of what of the piece lies nearest to that
// threat. Immutable; safe on any thread. To rounding.
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

  // To the nearest threat. O(threats).
  double distance_at(Point at) const;
  bool is_far(Point at) const { return distance_at(at) >= distance_; }
  // At least so far is it from there to a place that is far enough, over any ground.
  double least_way(Point from) const;

  // The far enough point of the ground that is nearest to `from`. Empty: there is none, or no
  // ground. `ground` is convex, counterclockwise, `from` in it or where all of it can be seen from.
  // O(corners x threats near it).
  std::optional<Point> nearest(std::span<const Point> ground, Point from) const;
  // The point of it that is farthest from the nearest threat. O(corners x threats^2).
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

// The part of a convex polygon that is not to the right of the line from `a` in direction (dx, dz).
// O(corners).
std::vector<Point> left_part(std::span<const Point> polygon, Point a, double dx, double dz);

}  // namespace repath
