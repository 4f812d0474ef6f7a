// Divides the walkable ground of one tile into convex polygons with Recast: regions, contours,
// polygons.
#pragma once

#include <Recast.h>

#include <cstdint>
#include <memory>

#include "base/work_meter.h"
#include "navmesh/import/recast_divisions.h"

namespace repath {

template <class T, void (*Free)(T*)>
struct RecastFree {
  void operator()(T* p) const { Free(p); }
};
template <class T, void (*Free)(T*)>
using RecastOwned = std::unique_ptr<T, RecastFree<T, Free>>;
using OwnedCompact = RecastOwned<rcCompactHeightfield, rcFreeCompactHeightfield>;
using OwnedPolygons = RecastOwned<rcPolyMesh, rcFreePolyMesh>;

// Returns the greatest difference in height between ground and cells that is tolerated, in voxels:
// half of the headroom or the climb, whichever is more. A place on the ground is then nearer to
// its own floor than to any other, and a single step is no fault.
double height_tolerance(const rcConfig& config);

// Divides `ground`, which this call narrows by the agent's radius. On kBuilt sets *polygons, which
// may have no polygon. The work of each step is counted before it.
//
// Where no division is within height_tolerance(), it takes the one that comes nearest. Divisions
// for the sake of heights are bounded:
// - Each takes at most one more cell for each kColumnsPerCell columns of the tile.
// - Together they take at most about kHeightWork times the work of one division.
// - None begins once half of the limit of `work` is spent. So a build that takes less than half
//   without them stays within its limit.
TileGround polygons_of(const rcConfig& config, rcCompactHeightfield* ground, WorkMeter* work,
                       OwnedPolygons* polygons);
inline constexpr std::uint64_t kHeightWork = 12;
inline constexpr int kColumnsPerCell = 32;

}  // namespace repath
