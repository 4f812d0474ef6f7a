#include <cmath>
#include <cstdlib>

#include "engine/queries.h"
#include "replan/place.h"

namespace repath {
namespace {

constexpr std::int32_t sign(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }
constexpr std::int32_t sign(std::int32_t v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

// A straight line through the cells, border by border. Source: J. Amanatides, A. Woo, "A fast voxel
// traversal algorithm for ray tracing", 1987. We depart by comparing the two next borders by
// products instead of quotients, so that a line through a corner is seen as such, and by counting
// the borders left, so that rounding cannot lead past the end.
class Ray {
 public:
  Ray(MapPoint from, MapPoint to)
      : from_(from),
        dx_(to.x - from.x),
        dy_(to.y - from.y),
        at_(place_of(from)),
        left_x_(std::abs(place_of(to).x - at_.x)),
        left_y_(std::abs(place_of(to).y - at_.y)),
        step_x_(sign(dx_)),
        step_y_(sign(dy_)) {}

  Place at() const { return at_; }
  bool at_end() const { return left_x_ == 0 && left_y_ == 0; }

  enum class Crossing { kX, kY, kCorner };
  // Which border comes next. REQUIRES: !at_end().
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
  // Where the line meets the border.
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

bool is_free(const GridLayer& layer, Place p) { return layer.is_free(p.x, p.y); }

// The cell that stops the ray at its next border, if one does.
std::optional<Place> blocker(const Snapshot& world, const Ray& ray, Ray::Crossing crossing) {
  const Place ahead = ray.beyond(crossing);
  if (!is_free(world.layer, ahead)) return ahead;
  if (crossing != Ray::Crossing::kCorner) return std::nullopt;
  const bool free_x = is_free(world.layer, ray.beyond_x());
  const bool free_y = is_free(world.layer, ray.beyond_y());
  const bool passes = world.corner_rule == CornerRule::kNone ? free_x && free_y : free_x || free_y;
  if (passes) return std::nullopt;
  return free_x ? ray.beyond_y() : ray.beyond_x();
}

}  // namespace

RayAnswer raycast(const Snapshot& world, MapPoint from, MapPoint to) {
  const auto node = [&](Place p) { return world.layer.node_at(p.x, p.y); };
  RayAnswer answer;
  Ray ray(from, to);
  if (!is_free(world.layer, ray.at())) {
    answer.hit = true;
    answer.position = from;
    answer.blocked = node(ray.at());
    return answer;
  }
  while (!ray.at_end()) {
    const Ray::Crossing crossing = ray.next();
    if (const std::optional<Place> wall = blocker(world, ray, crossing)) {
      answer.hit = true;
      answer.position = ray.meets(crossing);
      answer.last_free = node(ray.at());
      answer.blocked = node(*wall);
      return answer;
    }
    ray.cross(crossing);
  }
  answer.position = to;
  answer.last_free = node(ray.at());
  return answer;
}

CheckAnswer check_path(const Snapshot& world, std::span<const NodeId> nodes) {
  CheckAnswer answer;
  const GridGraph graph = world.graph();
  const auto broken = [&answer](std::size_t waypoint) {
    answer.first_invalid = static_cast<std::uint32_t>(waypoint);
    return answer;
  };
  if (nodes.empty() || !world.layer.is_free(nodes.front())) return broken(0);
  Cost cost = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    Place at = place_of(world.layer, nodes[i - 1]);
    const Place end = place_of(world.layer, nodes[i]);
    const std::int32_t dx = end.x - at.x;
    const std::int32_t dy = end.y - at.y;
    if (dx != 0 && dy != 0 && std::abs(dx) != std::abs(dy)) return broken(i);
    while (at != end) {
      const Place next{at.x + sign(dx), at.y + sign(dy)};
      const Cost step =
          graph.cost_between(world.layer.node_at(at.x, at.y), world.layer.node_at(next.x, next.y));
      if (step == kUnreachable) return broken(i);
      cost += step;
      at = next;
    }
  }
  answer.valid = true;
  answer.cost = cost;
  return answer;
}

}  // namespace repath
