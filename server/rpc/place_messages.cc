#include "rpc/place_messages.h"

#include <cmath>
#include <numeric>

#include "base/hash.h"

namespace repath {
namespace {

constexpr double kCoordinateMax = 1e9;

absl::Status out_of_map(const Field& field, const MapSize& map) {
  return refuse(field, "OUT_OF_MAP",
                "is not on the map of " + std::to_string(map.width) + " x " +
                    std::to_string(map.height) + " cells");
}

absl::StatusOr<MapPoint> from_position(const v1::Vec3& position, const MapSize& map,
                                       const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(position.x(), -kCoordinateMax, kCoordinateMax, field / "x"));
  REPATH_RETURN_IF_ERROR(check_range(position.y(), -kCoordinateMax, kCoordinateMax, field / "y"));
  REPATH_RETURN_IF_ERROR(check_range(position.z(), -kCoordinateMax, kCoordinateMax, field / "z"));
  if (!map.has_cells) return MapPoint{position.x(), position.z(), position.y()};
  const MapPoint point{position.x() / map.cell_size, position.z() / map.cell_size};
  const bool on_map = point.x >= 0 && point.y >= 0 && point.x < map.width && point.y < map.height;
  if (!on_map) return out_of_map(field, map);
  return point;
}

}  // namespace

NodeId MapSize::node_at(MapPoint point) const {
  return NodeId{static_cast<std::uint32_t>(point.y) * static_cast<std::uint32_t>(width) +
                static_cast<std::uint32_t>(point.x)};
}

Cost MapSize::cost_of(double world_units) const {
  const double units = world_units / cell_size * static_cast<double>(kStraightStep);
  constexpr double kMost = 9e18;
  // Rounded up a little: a bound that a client took from an answer must include that answer.
  return units >= kMost ? kUnreachable - 1
                        : static_cast<Cost>(std::floor(units * (1 + 1e-12) + 1e-6));
}

absl::StatusOr<MapPoint> to_map_point(const v1::Location& location, const MapSize& map,
                                      const Field& field) {
  switch (location.place_case()) {
    case v1::Location::kPosition:
      return from_position(location.position(), map, field / "position");
    case v1::Location::kCell: {
      if (!map.has_cells)
        return refuse(field / "cell", "KIND_UNSUITED", "this world has no cells: give a position");
      const v1::Cell& cell = location.cell();
      const bool on_map =
          cell.x() >= 0 && cell.y() >= 0 && cell.x() < map.width && cell.y() < map.height;
      if (!on_map) return out_of_map(field / "cell", map);
      return MapPoint{cell.x() + 0.5, cell.y() + 0.5};
    }
    case v1::Location::PLACE_NOT_SET:
      break;
  }
  return refuse(field, "PLACE_MISSING", "must have a position or a cell");
}

absl::StatusOr<std::vector<MapPoint>> to_map_points(
    const google::protobuf::RepeatedPtrField<v1::Location>& places, const MapSize& map,
    const Field& field) {
  return read_list(places, field, [&map](const v1::Location& location, const Field& at) {
    return to_map_point(location, map, at);
  });
}

void fill_cell(NodeId node, const MapSize& map, v1::Cell* out) {
  out->set_x(map.x_of(node));
  out->set_y(map.y_of(node));
}

void fill_center(NodeId node, const MapSize& map, v1::Vec3* out) {
  fill_point({map.x_of(node) + 0.5, map.y_of(node) + 0.5}, map, out);
}

void fill_point(MapPoint point, const MapSize& map, v1::Vec3* out) {
  out->set_x(point.x * map.cell_size);
  out->set_z(point.y * map.cell_size);
  if (!map.has_cells) out->set_y(point.height);
}

std::vector<std::uint32_t> waypoint_places(std::span<const NodeId> nodes, bool every_cell) {
  std::vector<std::uint32_t> places;
  if (every_cell) {
    places.resize(nodes.size());
    std::iota(places.begin(), places.end(), 0u);
  } else {
    for_each_waypoint(nodes, [&](std::uint32_t place) { places.push_back(place); });
  }
  return places;
}

std::uint64_t digest_of(std::span<const NodeId> nodes) {
  Hasher digest;
  for (const NodeId node : nodes) digest.add(std::uint64_t{index(node)});
  return digest.value();
}

void fill_waypoints(std::span<const NodeId> nodes, const MapSize& map, bool every_cell,
                    std::size_t most, v1::Path* out) {
  if (!nodes.empty()) out->set_digest(digest_of(nodes));
  std::vector<std::uint32_t> places = waypoint_places(nodes, every_cell);
  if (places.size() > most) {
    out->set_waypoints_left_out(places.size() - most);
    places.resize(most);
  }
  out->mutable_positions()->Reserve(static_cast<int>(places.size() * 3));
  out->mutable_cells()->Reserve(static_cast<int>(places.size() * 2));
  for (const std::uint32_t place : places) {
    const std::int32_t x = map.x_of(nodes[place]);
    const std::int32_t y = map.y_of(nodes[place]);
    out->add_positions((x + 0.5) * map.cell_size);
    out->add_positions(0);
    out->add_positions((y + 0.5) * map.cell_size);
    out->add_cells(x);
    out->add_cells(y);
  }
}

void fill_points(std::span<const MapPoint> points, std::span<const NodeId> nodes,
                 const MapSize& map, std::size_t most, v1::Path* out) {
  out->set_digest(digest_of(nodes));
  if (points.size() > most) {
    out->set_waypoints_left_out(points.size() - most);
    points = points.first(most);
  }
  for (const MapPoint& point : points) {
    out->add_positions(point.x * map.cell_size);
    out->add_positions(0);
    out->add_positions(point.y * map.cell_size);
    out->add_cells(static_cast<std::int32_t>(point.x));
    out->add_cells(static_cast<std::int32_t>(point.y));
  }
}

}  // namespace repath
