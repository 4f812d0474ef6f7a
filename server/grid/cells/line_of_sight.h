// Straight lines over cells that need not pass the middles of cells. The functions find where an
// agent can go straight, make a path of cells straighter, and drive a path with a turning radius
// (geometry/turns.h).
//
// Source: A. Botea, M. Mueller, J. Schaeffer, "Near optimal hierarchical path-finding", 2004, for
// lines of sight over a path of cells. We look for the farthest cell in sight by doubling and
// halving.
//
// Off the middle of cells an agent stays in cells that are free to it. It stays at least its radius
// (less kRadiusTolerance) from every blocked square, and passes a corner only as its profile may.
// Pure functions, any thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/map_point.h"
#include "base/stop_token.h"
#include "geometry/turns.h"
#include "grid/cells/graph.h"
#include "grid/cells/layer.h"

namespace repath {

// The ground that one view sees. Borrows both layers.
struct LineOfSight {
  GridGraph graph;
  const GridLayer* ground = nullptr;  // the layer of an agent without a radius
  double radius = 0;                  // the agent's, cells
};

// Returns the cost factor of the cells on the straight way from a to b. Empty if an agent cannot go
// straight, or if the factors differ. `radius` is in cells: the agent's own, or any other >= 0.
// REQUIRES: both points are on the map. O(length x radius).
std::optional<Factor> straight_way(const LineOfSight& sight, MapPoint a, MapPoint b, double radius);

// Returns the cost of the straight way from a to b, in cells: its length in each cell times the
// cell's factor. Empty if an agent cannot go straight. `radius` and REQUIRES as straight_way().
std::optional<double> cost_of_way(const LineOfSight& sight, MapPoint a, MapPoint b, double radius);

// Returns the same for a chord of a driven path, which keeps off blocked cells by a hair even
// without a radius. REQUIRES: as straight_way().
std::optional<double> cost_of_driving(const LineOfSight& sight, MapPoint a, MapPoint b);

struct PulledPath {
  std::vector<MapPoint> points;
  double cost = 0;  // cells
};
// Returns the path pulled straight where cells are in sight over ground of one factor. Its cost is
// no higher. If `stop` requests it, the rest of the path stays as it is. REQUIRES: a path of the
// graph, whose topology is not kHex.
PulledPath pull_straight(const LineOfSight& sight, std::span<const NodeId> nodes,
                         const StopToken* stop);

// Drives along the points (geometry/turns.h). `deviation` and the radius are in cells. REQUIRES: as
// drive(); the topology is not kHex.
std::optional<DrivenWay> drive_over(const LineOfSight& sight, std::span<const MapPoint> points,
                                    double turning_radius, double deviation, const StopToken* stop);

}  // namespace repath
