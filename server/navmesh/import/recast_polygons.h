// Divides the walkable ground of one tile into convex polygons with Recast: regions, contours,
// polygons.
//
// Recast has three ways to divide ground into regions. Watersheds come first, for they make the
// roundest polygons. But a watershed's region may lie above itself where a ramp leads over the
// ground that it begins on. Recast reports that and goes on: ground is then missing, or lies in the
// air between two floors. So what Recast reports is read here. A tile with a report is divided
// again into layers, and then into monotone strips; neither lies above itself.
#pragma once

#include <Recast.h>

#include <memory>

#include "base/work_meter.h"

namespace repath {

template <class T, void (*Free)(T*)>
struct RecastFree {
  void operator()(T* p) const { Free(p); }
};
template <class T, void (*Free)(T*)>
using RecastOwned = std::unique_ptr<T, RecastFree<T, Free>>;
using OwnedCompact = RecastOwned<rcCompactHeightfield, rcFreeCompactHeightfield>;
using OwnedPolygons = RecastOwned<rcPolyMesh, rcFreePolyMesh>;

enum class TileGround {
  kBuilt,
  kStopped,  // the meter is over, Recast is out of memory, or its numbers overflow
  kFolded,   // Recast reported a fault whichever way the ground was divided
};

// Divides `ground`, which this call narrows by the agent's radius. On kBuilt sets *polygons, which
// may have no polygon. The work of each step is counted before it.
TileGround polygons_of(const rcConfig& config, rcCompactHeightfield* ground, WorkMeter* work,
                       OwnedPolygons* polygons);

}  // namespace repath
