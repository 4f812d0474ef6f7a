#include "grid/cells/snap.h"

#include <algorithm>
#include <cstdlib>

namespace repath {
namespace {

double squared_to_centre(MapPoint from, Place cell) {
  return squared_distance(centre_of(cell), from);
}

}  // namespace

std::optional<NodeId> nearest_free_cell(const GridLayer& layer, MapPoint from, double max_distance,
                                        std::uint64_t* cells) {
  const Place middle = place_of(from);
  std::optional<NodeId> best;
  double best_squared = max_distance * max_distance;
  std::uint64_t looked_at = 0;
  const auto look_at = [&](std::int32_t x, std::int32_t y) {
    ++looked_at;
    if (!layer.is_free(x, y)) return;
    const double squared = squared_to_centre(from, {x, y});
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

bool frees_nearer(const GridLayer& layer, const std::vector<NodeId>& freed, MapPoint from,
                  NodeId origin) {
  const bool has_origin = origin != kNoNode;
  const double reach = has_origin ? squared_to_centre(from, place_of(layer, origin))
                                  : double{kSnapCellsMax} * kSnapCellsMax;
  return std::ranges::any_of(freed, [&](NodeId cell) {
    const double d = squared_to_centre(from, place_of(layer, cell));
    return d < reach || (d == reach && (!has_origin || cell < origin));
  });
}

}  // namespace repath
