#include "grid/cells/snap.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "grid/cells/in_box.h"
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
  const Place middle = place_of(from);
  const auto side = static_cast<std::int32_t>(std::sqrt(reach)) + 1;
  const PlaceBox box{middle.x - side, middle.y - side, middle.x + side, middle.y + side};
  return any_in_box(layer, std::span(freed), box, std::identity{}, [&](NodeId cell) {
    const double d = squared_to_centre(from, place_of(layer, cell));
    return d < reach || (d == reach && (!has_origin || cell < origin));
  });
}

}  // namespace repath
