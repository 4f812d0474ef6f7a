// Compares the heights of a tile's polygons with the ground that they were made from.
#pragma once

#include <Recast.h>

#include <vector>

#include "base/work_meter.h"

namespace repath {

// Greatest differences in height between walkable ground and the cell over it, in voxels.
struct HeightErrors {
  double most = 0;
  std::vector<double> of_region;  // by the number of Recast's region; 0 where nothing was compared
};

// Compares the ground with the polygons at the centre of each column. A polygon's height is that of
// the cell that is made of it (NavMesh::height_at). Ground is compared with the polygons of its own
// region, and beside them with the polygon nearest in height. Ground that no polygon covers is left
// out. The result has no meaning if `work` is over.
//
// O(covered columns + rows of polygons). REQUIRES: `polygons` were made from the regions of
// `ground`.
HeightErrors height_errors(const rcCompactHeightfield& ground, const rcPolyMesh& polygons,
                           WorkMeter* work);

}  // namespace repath
