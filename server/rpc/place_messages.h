// Places and paths, between the API, which uses world units, and the rooms below, which use cells.
// Pure functions, any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "base/cost.h"
#include "base/ids.h"
#include "repath/v1/common.pb.h"
#include "rpc/field.h"

namespace repath {

// The size of a world's map; it does not change. Meshes and graphs have no cells; there a MapPoint
// is in world units.
struct MapSize {
  std::int32_t width = 0;
  std::int32_t height = 0;
  double cell_size = 1;
  bool has_cells = true;

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
absl::StatusOr<MapPoint> to_map_point(const v1::Location& location, const MapSize& map,
                                      const Field& field);
// Reads all points; fails if any of them is wrong.
absl::StatusOr<std::vector<MapPoint>> to_map_points(
    const google::protobuf::RepeatedPtrField<v1::Location>& places, const MapSize& map,
    const Field& field);

void fill_cell(NodeId node, const MapSize& map, v1::Cell* out);
void fill_center(NodeId node, const MapSize& map, v1::Vec3* out);
// Writes the point in world units; on grids y = 0.
void fill_point(MapPoint point, const MapSize& map, v1::Vec3* out);

// Calls visit(index in `nodes`), ascending, for the begin, the turns and the end of a path.
template <class Visit>
void for_each_waypoint(std::span<const NodeId> nodes, Visit visit) {
  const auto step_to = [&](std::size_t i) { return index(nodes[i]) - index(nodes[i - 1]); };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == nodes.size();
    if (is_end || step_to(i) != step_to(i + 1)) visit(static_cast<std::uint32_t>(i));
  }
}
// Returns these indexes, or those of all nodes.
std::vector<std::uint32_t> waypoint_places(std::span<const NodeId> nodes, bool every_cell);
// Returns v1::Path.digest over all nodes of the path.
std::uint64_t digest_of(std::span<const NodeId> nodes);
// Sets positions and cells of the first `most` waypoints, the number of waypoints left out, and the
// digest of all nodes.
void fill_waypoints(std::span<const NodeId> nodes, const MapSize& map, bool every_cell,
                    std::size_t most, v1::Path* out);
// Sets the same for a smoothed path, whose waypoints are `points`; it was made from `nodes`.
void fill_points(std::span<const MapPoint> points, std::span<const NodeId> nodes,
                 const MapSize& map, std::size_t most, v1::Path* out);

}  // namespace repath
