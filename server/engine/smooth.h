// A path of cells made straighter (grid/cells/line_of_sight.h), and its corners round, over free
// ground.
//
// Source: quadratic Bezier curves are drawn in chords as in G. Farin, "Curves and surfaces for
// CAGD". Steps of the path that was found stay allowed as they are. Pure functions, any thread.
#pragma once

#include <span>

#include "engine/queries.h"
#include "engine/snapshot.h"
#include "grid/cells/line_of_sight.h"

namespace repath {

// Borrows the snapshot.
inline LineOfSight sight_of(const Snapshot& world) {
  return {world.graph(), world.ground ? &*world.ground : &world.layer, world.radius};
}

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
