// Cuts a polygon that rounding made slightly concave into convex polygons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/work_meter.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

// Appends to `pieces` convex polygons over the same vertices that together form `polygon`. A convex
// polygon is appended as it is; others are cut by diagonals, at each dent by the one whose smaller
// side is the largest. Returns false, with `pieces` unchanged, in three cases:
// 1. There is no such cut, because the polygon crosses itself or has no area.
// 2. No cut was found within kSplitUnits * n^2 work units.
// 3. `work` (null: no bound) is over.
//
// A simple polygon takes O(n^2 log n) if its cuts halve it. REQUIRES: every number is an index of
// `vertices`. Exact.
bool append_convex(const std::vector<MeshSource::Vertex>& vertices,
                   const std::vector<std::uint32_t>& polygon,
                   std::vector<std::vector<std::uint32_t>>* pieces, WorkMeter* work = nullptr);
inline constexpr std::uint64_t kSplitUnits = 256;

// Returns the first two edges, by the corners where they begin, that share a point and are not
// neighbours. Empty if the polygon is simple or `work` is over. O(n^2), exact.
std::optional<std::pair<std::size_t, std::size_t>> find_crossing(
    const std::vector<MeshSource::Vertex>& vertices, const std::vector<std::uint32_t>& polygon,
    WorkMeter* work);

}  // namespace repath
