#include "rpc/place_messages.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"

namespace repath {
namespace {

constexpr double kCoordinateMax = 1e9;

absl::StatusOr<MapPoint> from_position(const v1::Vec3& position, const MapUnits& map,
                                       const Field& field) {
  for (const auto& [value, name] :
       {std::pair{position.x(), "x"}, {position.y(), "y"}, {position.z(), "z"}})
    REPATH_RETURN_IF_ERROR(check_range(value, -kCoordinateMax, kCoordinateMax, field / name));
  if (!map.has_cells) return MapPoint{position.x(), position.z(), position.y()};
  const MapPoint point{position.x() / map.cell_size, position.z() / map.cell_size};
  REPATH_RETURN_IF_ERROR(check_on_map(point.x, point.y, map, field));
  return point;
}

}  // namespace

NodeId MapUnits::node_at(MapPoint point) const {
  return NodeId{static_cast<std::uint32_t>(point.y) * static_cast<std::uint32_t>(width) +
                static_cast<std::uint32_t>(point.x)};
}

Cost MapUnits::cost_of(double world_units) const {
  const double units = world_units / cell_size * static_cast<double>(kStraightStep);
  constexpr double kMost = 9e18;
  // Rounded up a little: a bound that a client took from an answer must include that answer.
  return units >= kMost ? kUnreachable - 1
                        : static_cast<Cost>(std::floor(units * (1 + 1e-12) + 1e-6));
}

absl::Status check_on_map(double x, double y, const MapUnits& map, const Field& field) {
  if (x >= 0 && y >= 0 && x < map.width && y < map.height) return absl::OkStatus();
  return refuse(field, "OUT_OF_MAP",
                "is not on the map of " + std::to_string(map.width) + " x " +
                    std::to_string(map.height) + " cells");
}

absl::StatusOr<double> to_goal_radius(double world_units, const MapUnits& map, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(world_units, 0, kGoalRadiusCellsMax * map.cell_size, field));
  return world_units / map.cell_size;
}

absl::StatusOr<MapPoint> to_map_point(const v1::Location& location, const MapUnits& map,
                                      const Field& field) {
  switch (location.place_case()) {
    case v1::Location::kPosition:
      return from_position(location.position(), map, field / "position");
    case v1::Location::kCell: {
      if (!map.has_cells)
        return refuse(field / "cell", "KIND_UNSUITED", "this world has no cells: give a position");
      const v1::Cell& cell = location.cell();
      REPATH_RETURN_IF_ERROR(check_on_map(cell.x(), cell.y(), map, field / "cell"));
      return MapPoint{cell.x() + 0.5, cell.y() + 0.5};
    }
    case v1::Location::PLACE_NOT_SET:
      break;
  }
  return refuse(field, "PLACE_MISSING", "must have a position or a cell");
}

absl::StatusOr<std::vector<MapPoint>> to_map_points(
    const google::protobuf::RepeatedPtrField<v1::Location>& places, const MapUnits& map,
    const Field& field) {
  return read_list(places, field, [&map](const v1::Location& location, const Field& at) {
    return to_map_point(location, map, at);
  });
}

void fill_cell(NodeId node, const MapUnits& map, v1::Cell* out) {
  out->set_x(map.x_of(node));
  out->set_y(map.y_of(node));
}

void fill_center(NodeId node, const MapUnits& map, v1::Vec3* out) {
  fill_point({map.x_of(node) + 0.5, map.y_of(node) + 0.5}, map, out);
}

void fill_point(MapPoint point, const MapUnits& map, v1::Vec3* out) {
  out->set_x(point.x * map.cell_size);
  out->set_z(point.y * map.cell_size);
  if (!map.has_cells) out->set_y(point.height);
}

void fill_spot(const Spot& at, v1::Vec3* out) {
  out->set_x(at.x);
  out->set_y(at.y);
  out->set_z(at.z);
}

void add_spot(const Spot& at, google::protobuf::RepeatedField<double>* out) {
  out->Add(at.x);
  out->Add(at.y);
  out->Add(at.z);
}

std::vector<MapPoint> waypoints_of(std::span<const NodeId> nodes, const MapUnits& map,
                                   bool every_cell) {
  std::vector<MapPoint> points;
  const auto add = [&](NodeId node) {
    points.push_back({map.x_of(node) + 0.5, map.y_of(node) + 0.5});
  };
  if (every_cell) {
    points.reserve(nodes.size());
    std::ranges::for_each(nodes, add);
  } else {
    for_each_waypoint(nodes, [&](std::uint32_t place) { add(nodes[place]); });
  }
  return points;
}

std::uint64_t digest_of(std::span<const NodeId> nodes) {
  Hasher digest;
  for (const NodeId node : nodes) digest.add(std::uint64_t{index(node)});
  return digest.value();
}

std::uint64_t digest_of(std::span<const RoutePoint> points) {
  Hasher digest;
  for (const RoutePoint& point : points) {
    // Adding 0.0 turns -0.0 into 0.0.
    digest.add(point.at.x + 0.0).add(point.at.y + 0.0).add(point.at.z + 0.0);
    digest.add(point.link.value_or(0));
    if (point.key != 0) digest.add(std::uint64_t{point.key});
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

void fill_points(std::span<const MapPoint> waypoints, std::span<const NodeId> nodes,
                 const MapUnits& map, std::size_t most, v1::Path* out) {
  out->set_digest(digest_of(nodes));
  const std::size_t count = std::min(waypoints.size(), most);
  if (count < waypoints.size()) out->set_waypoints_left_out(waypoints.size() - count);
  out->mutable_positions()->Reserve(static_cast<int>(count * 3));
  out->mutable_cells()->Reserve(static_cast<int>(count * 2));
  for (const MapPoint& point : waypoints.first(count)) {
    add_spot({point.x * map.cell_size, 0, point.y * map.cell_size}, out->mutable_positions());
    out->add_cells(static_cast<std::int32_t>(point.x));
    out->add_cells(static_cast<std::int32_t>(point.y));
  }
}

void fill_route(std::span<const RoutePoint> points, std::size_t most, v1::Path* out) {
  if (points.empty()) return;
  out->set_digest(digest_of(points));
  const bool has_nodes = std::ranges::any_of(points, [](const auto& p) { return p.node != 0; });
  const bool has_links =
      std::ranges::any_of(points, [](const auto& p) { return p.link.has_value(); });
  const bool has_keys = std::ranges::any_of(points, [](const auto& p) { return p.key != 0; });
  const std::size_t count = std::min(points.size(), most);
  if (count < points.size()) out->set_waypoints_left_out(points.size() - count);
  for (std::size_t i = 0; i < count; ++i) {
    const RoutePoint& point = points[i];
    add_spot(point.at, out->mutable_positions());
    out->add_flags(waypoint_flags(point, i == 0, i + 1 == points.size()));
    out->add_areas(point.area);
    if (has_nodes) out->add_nodes(point.node);
    if (has_links) out->add_links(point.link.value_or(0));
    if (has_keys) out->add_edge_keys(point.key);
  }
}

}  // namespace repath
