// A path of cells made straighter, and its corners round, over free ground.
//
// Sources: A. Botea, M. Mueller, J. Schaeffer, "Near optimal hierarchical path-finding", 2004
// (lines of sight over a path of cells; we look for the farthest cell in sight by doubling and
// halving); quadratic Bezier curves are drawn in chords as in G. Farin, "Curves and surfaces for
// CAGD".
//
// What a walker may do off the middle of cells: it stays in cells that are free to it, at least its
// radius (less kRadiusTolerance) from every blocked square, and passes a corner only as its profile
// may. Steps of the path that was found stay allowed as they are. Pure functions, any thread.
#pragma once

#include <optional>
#include <span>

#include "engine/queries.h"
#include "engine/snapshot.h"

namespace repath {

// Whether the walker can go straight from a to b over cells of one cost factor; the factor, or
// nothing. `radius` in cells, >= 0: its own, or more. REQUIRES: both are on the map. O(length x
// radius).
std::optional<Factor> straight_way(const Snapshot& world, MapPoint a, MapPoint b, double radius);

// Fills answer.points, lowers answer.cost to what they cost, and states a bound that holds among
// all paths over the ground, through centres of cells or not. `ends` are the cells that the path
// might have led to. Stops early, with what is done, if `stop` says so. REQUIRES: answer.nodes is a
// path of the snapshot; the topology is not kHex.
void smooth(const Snapshot& world, const PathQuery& query, std::span<const NodeId> ends,
            const StopToken* stop, PathAnswer* answer);

}  // namespace repath
