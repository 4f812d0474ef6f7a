#include "grid/cells/snap.h"

#include <algorithm>

#include "grid/cells/nearest_cell.h"

namespace repath {
namespace {

double squared_to_centre(MapPoint from, Place cell) {
  return squared_distance(centre_of(cell), from);
}

}  // namespace

std::optional<NodeId> nearest_free_cell(const GridLayer& layer, MapPoint from, double max_distance,
                                        std::uint64_t* cells) {
  const auto is_free = [&](std::int32_t x, std::int32_t y) { return layer.is_free(x, y); };
  return nearest_cell(layer, from, max_distance, is_free, cells);
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
