// A path of cells made straighter, and its corners round, over free ground.
//
// Sources: A. Botea, M. Mueller, J. Schaeffer, "Near optimal hierarchical path-finding", 2004, for
// lines of sight over a path of cells. We look for the farthest cell in sight by doubling and
// halving. Quadratic Bezier curves are drawn in chords as in G. Farin, "Curves and surfaces for
// CAGD".
//
// Off the middle of cells an agent stays in cells that are free to it. It stays at least its radius
// (less kRadiusTolerance) from every blocked square, and passes a corner only as its profile may.
// Steps of the path that was found stay allowed as they are. Pure functions, any thread.
#pragma once

#include <optional>
#include <span>

#include "engine/queries.h"
#include "engine/snapshot.h"

namespace repath {

// Returns the cost factor of the cells on the straight way from a to b. Empty if an agent cannot go
// straight, or if the factors differ. `radius` is in cells: the agent's own, or any other >= 0.
// REQUIRES: both points are on the map. O(length x radius).
std::optional<Factor> straight_way(const Snapshot& world, MapPoint a, MapPoint b, double radius);

// Returns the cost of the straight way from a to b, in cells: its length in each cell times the
// cell's factor. Empty if an agent cannot go straight. `radius` and REQUIRES as straight_way().
std::optional<double> cost_of_way(const Snapshot& world, MapPoint a, MapPoint b, double radius);

// Returns by what factor a path of this cost is dearer than a straight line to the nearest of the
// ends. No path over any ground is cheaper than that line.
double proved_bound(const GridLayer& layer, NodeId start, std::span<const NodeId> ends, Cost cost);

// Fills answer.points and sets answer.cost to their cost. It is no higher than before, unless the
// agent has a turning radius (engine/drive_path.h). Sets a bound that holds among all paths over
// the ground, through centres of cells or not. `ends` are the cells that the path might have led
// to. If `stop` requests it, ends early with the result so far. REQUIRES: answer.nodes is a path of
// the snapshot; the topology is not kHex.
void smooth(const Snapshot& world, const PathQuery& query, std::span<const NodeId> ends,
            const StopToken* stop, PathAnswer* answer);

}  // namespace repath
