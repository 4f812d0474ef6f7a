#include <cmath>
#include <cstdlib>

#include "engine/queries.h"
#include "grid/cells/place.h"
#include "grid/cells/ray.h"

namespace repath {
namespace {

constexpr std::int32_t sign(std::int32_t v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

}  // namespace

RayAnswer raycast(const Snapshot& world, MapPoint from, MapPoint to) {
  const auto node = [&](Place p) { return world.layer.node_at(p.x, p.y); };
  RayAnswer answer;
  const auto end_at = [&](MapPoint end) {
    answer.position = end;
    answer.distance = std::sqrt(squared_distance(from, end));
    return answer;
  };
  Ray ray(from, to);
  if (!world.layer.is_free(ray.at().x, ray.at().y)) {
    answer.hit = true;
    answer.blocked = node(ray.at());
    return end_at(from);
  }
  while (!ray.at_end()) {
    const Ray::Crossing crossing = ray.next();
    if (const std::optional<Place> wall = blocker(world.layer, world.corner_rule, ray, crossing)) {
      answer.hit = true;
      answer.last_free = node(ray.at());
      answer.blocked = node(*wall);
      return end_at(ray.meets(crossing));
    }
    ray.cross(crossing);
  }
  answer.last_free = node(ray.at());
  return end_at(to);
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
