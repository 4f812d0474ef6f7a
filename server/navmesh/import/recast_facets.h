// Divides the ground of one tile into facets: connected ground that is nearly plane. Recast keeps
// facets apart if neighbours have different areas. So a floor and a ramp on it become cells of
// their own.
//
// A facet grows from the plainest ground that is left, along a plane that is fitted to it. Nothing
// but heights and the order of spans decides.
#pragma once

#include <Recast.h>

#include <cstddef>
#include <vector>

#include "base/work_meter.h"

namespace repath {

// Gives each facet of the marked spans an area, and all other walkable ground RC_WALKABLE_AREA.
// Neighbours have different areas. The ground of a facet, its steps smoothed, lies at most `reach`
// voxels above or below a plane. Then ground joins the plane that is nearest to it, so facets of
// fewer than `crumb_spans` spans join others; this ground may be twice as far off. The outermost
// `border` columns of the tile belong to no facet. Returns false if `work` is over.
//
// O(n log n) for n spans. REQUIRES: `is_marked` has an entry for each span, and `reach` >= 0.
[[nodiscard]] bool mark_facets(double reach, std::size_t crumb_spans,
                               const std::vector<bool>& is_marked, int border,
                               rcCompactHeightfield* ground, WorkMeter* work);

}  // namespace repath
