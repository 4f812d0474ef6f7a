// Which steps of a path are among changed edges: in strides as long as nothing changed is in reach.
// Pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.h"
#include "grid/cells/edges.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"

namespace repath {

// Returns the box around the cells that the changes begin in. REQUIRES: sorted by (from, to).
inline PlaceBox box_of(const GridLayer& layer, std::span<const EdgeChange> changes) {
  PlaceBox box;
  NodeId last = kNoNode;
  for (const EdgeChange& change : changes) {
    if (change.from != last) box.add(place_of(layer, change.from));
    last = change.from;
  }
  return box;
}

// Calls visit(i, change) for every step nodes[i] to nodes[i + 1] that changed, first <= i < end, in
// that order. Returns how many steps were looked at. REQUIRES: `changes` sorted by (from, to), not
// empty, and `box` around them; end < nodes.size(). O(end - first, but for strides).
template <class Visit>
std::uint64_t for_each_changed_step(const GridLayer& layer, std::span<const EdgeChange> changes,
                                    const PlaceBox& box, std::span<const NodeId> nodes,
                                    std::size_t first, std::size_t end, Visit&& visit) {
  std::uint64_t looked_at = 0;
  std::uint32_t ahead = 0;
  for (std::size_t i = first; i < end; i += std::max(ahead, 1u)) {
    ++looked_at;
    ahead = box.steps_to(place_of(layer, nodes[i]));
    if (ahead > 0) continue;
    if (const EdgeChange* change = find_edge(changes, nodes[i], nodes[i + 1])) visit(i, *change);
  }
  return looked_at;
}

}  // namespace repath
