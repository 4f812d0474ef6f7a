// Cuts a polygon that rounding left with a dent into convex ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/work_meter.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

// Appends to `pieces` convex polygons over the same vertices that together are `polygon`: itself if
// it is convex, else cut by diagonals, at each dent the one whose smaller side is the largest.
// False, with nothing appended, if there is no such cut: it crosses itself or has no area; or if
// none was found within kSplitUnits * n^2 work units; or if `work` (null: none) is over. A simple
// polygon needs O(n^2 log n) where its cuts halve it. REQUIRES: every number is a place in
// `vertices`. Exact.
bool append_convex(const std::vector<MeshSource::Vertex>& vertices,
                   const std::vector<std::uint32_t>& polygon,
                   std::vector<std::vector<std::uint32_t>>* pieces, WorkMeter* work = nullptr);
inline constexpr std::uint64_t kSplitUnits = 256;

// The first two edges, by the corners they begin at, that are no neighbours and share a point;
// none: the polygon is simple, or `work` is over. O(n^2), exact.
std::optional<std::pair<std::size_t, std::size_t>> find_crossing(
    const std::vector<MeshSource::Vertex>& vertices, const std::vector<std::uint32_t>& polygon,
    WorkMeter* work);

}  // namespace repath
