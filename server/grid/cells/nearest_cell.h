// Finds the nearest cell to a place among those that the caller chooses; snap.h finds the nearest
// free one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "base/ids.h"
#include "base/map_point.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"
#include "grid/cells/snap.h"

namespace repath {

// Returns the cell whose centre is nearest to `from`, at most `max_distance` cells away, of those
// for which `is_open(x, y)` returns true; the least node id among equals. Cells off the map must
// not be open. Returns nothing if there is none. Looks at the cells of larger and larger squares
// and adds their number to `*cells`, if it is given. O(distance^2).
template <class IsOpen>
std::optional<NodeId> nearest_cell(const GridLayer& layer, MapPoint from, double max_distance,
                                   IsOpen is_open, std::uint64_t* cells = nullptr) {
  const Place middle = place_of(from);
  std::optional<NodeId> best;
  double best_squared = max_distance * max_distance;
  std::uint64_t looked_at = 0;
  const auto look_at = [&](std::int32_t x, std::int32_t y) {
    ++looked_at;
    if (!is_open(x, y)) return;
    const double squared = squared_distance(centre_of({x, y}), from);
    const NodeId node = layer.node_at(x, y);
    if (squared > best_squared || (squared == best_squared && best && *best < node)) return;
    best = node;
    best_squared = squared;
  };
  const std::int32_t side_max = std::max(layer.width(), layer.height());
  for (std::int32_t ring = 0; ring <= side_max; ++ring) {
    // Every centre in the ring is at least ring - 0.5 cells away.
    const double least = std::max(0.0, ring - 0.5);
    if (least * least > best_squared) break;
    for (std::int32_t dy = -ring; dy <= ring; ++dy) {
      const std::int32_t step = std::abs(dy) == ring ? 1 : std::max(1, 2 * ring);
      for (std::int32_t dx = -ring; dx <= ring; dx += step) look_at(middle.x + dx, middle.y + dy);
    }
  }
  if (cells != nullptr) *cells += looked_at;
  return best;
}

}  // namespace repath
