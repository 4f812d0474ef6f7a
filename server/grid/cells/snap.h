// The free cell nearest to a place: where a path begins when its agent stands in an obstacle.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/map_point.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"

namespace repath {

// How far the cell may be that stands in for a place in an obstacle (AgentSpec::snap_start), cells.
inline constexpr int kSnapCellsMax = 64;

// The free cell whose centre is nearest to `from`, no farther than `max_distance` cells; ties by
// node id. Looks at squares that grow around it; adds the cells looked at to `cells`. Empty: none.
// Safe on any thread as the layer is. O(distance^2).
std::optional<NodeId> nearest_free_cell(const GridLayer& layer, MapPoint from, double max_distance,
                                        std::uint64_t* cells);

inline MapPoint centre_of(Place p) { return {p.x + 0.5, p.y + 0.5}; }

// Squared distance between two cells' centres.
inline std::int64_t squared_distance(Place a, Place b) {
  const std::int64_t dx = a.x - b.x;
  const std::int64_t dy = a.y - b.y;
  return dx * dx + dy * dy;
}

// Whether one of the freed cells is nearer to `from` than `origin`, which stands in for it now; or,
// with kNoNode, near enough at all. O(freed).
bool frees_nearer(const GridLayer& layer, const std::vector<NodeId>& freed, MapPoint from,
                  NodeId origin);

}  // namespace repath
