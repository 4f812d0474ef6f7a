// Finds the free cell nearest to a place. A path begins there when its agent stands in an obstacle.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/map_point.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"

namespace repath {

// Greatest distance, in cells, of a cell that stands in for a place in an obstacle
// (AgentSpec::snap_start).
inline constexpr int kSnapCellsMax = 64;

// Returns the free cell whose centre is nearest to `from`, at most `max_distance` cells away; the
// least node id among equals. Returns nothing if there is none. Looks at the cells of larger and
// larger squares and adds their number to `*cells`, if it is given. Safe on any thread, as the
// layer is. O(distance^2).
std::optional<NodeId> nearest_free_cell(const GridLayer& layer, MapPoint from, double max_distance,
                                        std::uint64_t* cells = nullptr);

inline MapPoint centre_of(Place p) { return {p.x + 0.5, p.y + 0.5}; }

// Returns the squared distance between two cells' centres.
inline std::int64_t squared_distance(Place a, Place b) {
  const std::int64_t dx = a.x - b.x;
  const std::int64_t dy = a.y - b.y;
  return dx * dx + dy * dy;
}

// Returns whether one of the freed cells is nearer to `from` than `origin`, the cell that stands in
// for it now. With kNoNode, returns whether one of them is near enough to stand in at all.
// REQUIRES: `freed` ascends. O(freed cells and rows within that distance * log freed).
bool frees_nearer(const GridLayer& layer, const std::vector<NodeId>& freed, MapPoint from,
                  NodeId origin);

}  // namespace repath
