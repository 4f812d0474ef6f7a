#include "rpc/route_messages.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace repath {

void add_spot(const Spot& at, google::protobuf::RepeatedField<double>* out) {
  out->Add(at.x);
  out->Add(at.y);
  out->Add(at.z);
}

void fill_spot(const Spot& at, v1::Vec3* out) {
  out->set_x(at.x);
  out->set_y(at.y);
  out->set_z(at.z);
}

std::uint64_t digest_of(std::span<const RoutePoint> points) {
  Hasher digest;
  for (const RoutePoint& point : points) {
    for (const double v : {point.at.x, point.at.y, point.at.z})
      digest.add(std::bit_cast<std::uint64_t>(v + 0.0));  // turns -0.0 into 0.0
    digest.add(point.link.value_or(0));
  }
  return digest.value();
}

std::uint32_t waypoint_flags(const RoutePoint& point, bool is_start, bool is_end) {
  std::uint32_t flags = v1::WAYPOINT_FLAG_NONE;
  if (is_start) flags |= v1::WAYPOINT_FLAG_START;
  if (is_end) flags |= v1::WAYPOINT_FLAG_END;
  if (point.link) flags |= v1::WAYPOINT_FLAG_LINK;
  return flags;
}

void fill_route(std::span<const RoutePoint> points, std::size_t most, v1::Path* out) {
  if (points.empty()) return;
  out->set_digest(digest_of(points));
  const bool has_nodes = std::ranges::any_of(points, [](const auto& p) { return p.node != 0; });
  const bool has_links =
      std::ranges::any_of(points, [](const auto& p) { return p.link.has_value(); });
  const std::size_t count = std::min(points.size(), most);
  if (count < points.size()) out->set_waypoints_left_out(points.size() - count);
  for (std::size_t i = 0; i < count; ++i) {
    const RoutePoint& point = points[i];
    out->add_positions(point.at.x);
    out->add_positions(point.at.y);
    out->add_positions(point.at.z);
    out->add_flags(waypoint_flags(point, i == 0, i + 1 == points.size()));
    out->add_areas(point.area);
    if (has_nodes) out->add_nodes(point.node);
    if (has_links) out->add_links(point.link.value_or(0));
  }
}

}  // namespace repath
