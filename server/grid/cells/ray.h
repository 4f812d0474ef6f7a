// A straight line through the cells, border by border.
//
// Source: J. Amanatides, A. Woo, "A fast voxel traversal algorithm for ray tracing", 1987. We
// depart from it in two ways. The two next borders are compared by products instead of quotients,
// so that a line through a corner is recognized. The borders left are counted, so that rounding
// cannot lead past the end. Exact between points that are multiples of 2^-10 of a cell.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "base/map_point.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"
#include "grid/cells/topology.h"

namespace repath {

class Ray {
 public:
  Ray(MapPoint from, MapPoint to)
      : from_(from),
        dx_(to.x - from.x),
        dy_(to.y - from.y),
        at_(place_of(from)),
        left_x_(std::abs(place_of(to).x - at_.x)),
        left_y_(std::abs(place_of(to).y - at_.y)),
        step_x_(dx_ > 0 ? 1 : -1),
        step_y_(dy_ > 0 ? 1 : -1) {}

  Place at() const { return at_; }
  bool at_end() const { return left_x_ == 0 && left_y_ == 0; }

  enum class Crossing { kX, kY, kCorner };
  // Returns the border that comes next. REQUIRES: !at_end().
  Crossing next() const {
    if (left_x_ == 0) return Crossing::kY;
    if (left_y_ == 0) return Crossing::kX;
    const double x = std::abs((border_x() - from_.x) * dy_);
    const double y = std::abs((border_y() - from_.y) * dx_);
    return x < y ? Crossing::kX : y < x ? Crossing::kY : Crossing::kCorner;
  }
  Place beyond_x() const { return {at_.x + step_x_, at_.y}; }
  Place beyond_y() const { return {at_.x, at_.y + step_y_}; }
  Place beyond(Crossing c) const {
    return {c == Crossing::kY ? at_.x : at_.x + step_x_,
            c == Crossing::kX ? at_.y : at_.y + step_y_};
  }
  // Returns the point where the line meets the border.
  MapPoint meets(Crossing c) const {
    if (c == Crossing::kCorner) return {border_x(), border_y()};
    if (c == Crossing::kX) return {border_x(), from_.y + dy_ * ((border_x() - from_.x) / dx_)};
    return {from_.x + dx_ * ((border_y() - from_.y) / dy_), border_y()};
  }
  void cross(Crossing c) {
    at_ = beyond(c);
    if (c != Crossing::kY) --left_x_;
    if (c != Crossing::kX) --left_y_;
  }

 private:
  double border_x() const { return step_x_ > 0 ? at_.x + 1 : at_.x; }
  double border_y() const { return step_y_ > 0 ? at_.y + 1 : at_.y; }

  MapPoint from_;
  double dx_;
  double dy_;
  Place at_;
  std::int32_t left_x_;  // borders still to cross
  std::int32_t left_y_;
  std::int32_t step_x_;
  std::int32_t step_y_;
};

// Returns the cell that stops the ray at its next border, if one does; the rule decides whether a
// corner can be passed. `is_free(Place)` tells free cells. REQUIRES: !ray.at_end().
template <class IsFree>
std::optional<Place> blocker(IsFree is_free, CornerRule rule, const Ray& ray,
                             Ray::Crossing crossing) {
  const Place ahead = ray.beyond(crossing);
  if (!is_free(ahead)) return ahead;
  if (crossing != Ray::Crossing::kCorner) return std::nullopt;
  const bool free_x = is_free(ray.beyond_x());
  const bool free_y = is_free(ray.beyond_y());
  const bool passes = rule == CornerRule::kNone ? free_x && free_y : free_x || free_y;
  if (passes) return std::nullopt;
  return free_x ? ray.beyond_y() : ray.beyond_x();
}
inline std::optional<Place> blocker(const GridLayer& layer, CornerRule rule, const Ray& ray,
                                    Ray::Crossing crossing) {
  const auto is_free = [&layer](Place p) { return layer.is_free(p.x, p.y); };
  return blocker(is_free, rule, ray, crossing);
}

}  // namespace repath
