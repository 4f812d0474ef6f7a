// Places and paths, between the API, which uses world units, and the rooms below, which use cells.
// Pure functions, any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "agents/route.h"
#include "base/cost.h"
#include "base/ids.h"
#include "repath/v1/common.pb.h"
#include "rpc/field.h"

namespace repath {

// The units of a world's places and costs in messages, by its kind and the size of its map; it does
// not change. Meshes and graphs have no cells; there a MapPoint is in world units.
struct MapUnits {
  std::int32_t width = 0;
  std::int32_t height = 0;
  double cell_size = 1;
  bool has_cells = true;
  bool is_graph = false;

  NodeId node_at(MapPoint point) const;
  std::int32_t x_of(NodeId node) const { return static_cast<std::int32_t>(index(node)) % width; }
  std::int32_t y_of(NodeId node) const { return static_cast<std::int32_t>(index(node)) / width; }
  double world_cost(Cost cost) const {
    return has_cells ? cells_from_cost(cost) * cell_size : units_from_route_cost(cost);
  }
  // Returns the cost in world units; 0 if there is none (no path is held).
  double cost_or_zero(Cost cost) const { return cost == kUnreachable ? 0 : world_cost(cost); }
  // Returns the greatest cost that is at most `world_units` (>= 0), as far as doubles are exact.
  Cost cost_of(double world_units) const;
};

// Returns the point, or INVALID_ARGUMENT with reason PLACE_MISSING, NOT_FINITE, OUT_OF_RANGE,
// OUT_OF_MAP or KIND_UNSUITED (a cell in a world without cells).
absl::StatusOr<MapPoint> to_map_point(const v1::Location& location, const MapUnits& map,
                                      const Field& field);
// Returns OUT_OF_MAP unless the point, in cells, is on the map.
absl::Status check_on_map(double x, double y, const MapUnits& map, const Field& field);
// Returns the radius around a goal in cells; reasons NOT_FINITE and OUT_OF_RANGE.
absl::StatusOr<double> to_goal_radius(double world_units, const MapUnits& map, const Field& field);
// Reads all points; fails if any of them is wrong.
absl::StatusOr<std::vector<MapPoint>> to_map_points(
    const google::protobuf::RepeatedPtrField<v1::Location>& places, const MapUnits& map,
    const Field& field);

void fill_cell(NodeId node, const MapUnits& map, v1::Cell* out);
void fill_center(NodeId node, const MapUnits& map, v1::Vec3* out);
void fill_spot(const Spot& at, v1::Vec3* out);
// Appends x, y, z.
void add_spot(const Spot& at, google::protobuf::RepeatedField<double>* out);
// Writes the point in world units; on grids y = 0.
void fill_point(MapPoint point, const MapUnits& map, v1::Vec3* out);

// Calls visit(index in `nodes`), ascending, for the begin, the turns and the end of a path.
template <class Visit>
void for_each_waypoint(std::span<const NodeId> nodes, Visit visit) {
  const auto step_to = [&](std::size_t i) { return index(nodes[i]) - index(nodes[i - 1]); };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == nodes.size();
    if (is_end || step_to(i) != step_to(i + 1)) visit(static_cast<std::uint32_t>(i));
  }
}
// Returns the centres of these nodes, or of all nodes.
std::vector<MapPoint> waypoints_of(std::span<const NodeId> nodes, const MapUnits& map,
                                   bool every_cell);
// Return v1::Path.digest over all nodes, or points, of the path.
std::uint64_t digest_of(std::span<const NodeId> nodes);
std::uint64_t digest_of(std::span<const RoutePoint> points);
// Returns bits of v1::WaypointFlag.
std::uint32_t waypoint_flags(const RoutePoint& point, bool is_start, bool is_end);
// Sets positions and cells of the first `most` waypoints, the number of waypoints left out, and the
// digest of all nodes.
void fill_points(std::span<const MapPoint> waypoints, std::span<const NodeId> nodes,
                 const MapUnits& map, std::size_t most, v1::Path* out);
// Does the same on meshes and graphs: positions, flags, areas, nodes (if any is not 0) and links
// (if there are any).
void fill_route(std::span<const RoutePoint> points, std::size_t most, v1::Path* out);

}  // namespace repath
