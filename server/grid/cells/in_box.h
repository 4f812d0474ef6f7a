// Finds those elements of a sorted list whose cells lie in a box.
#pragma once

#include <algorithm>
#include <functional>
#include <span>

#include "base/ids.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"

namespace repath {

// Calls visit(element) in the list's order until it returns true, and returns whether it did.
// `cell_of` gives an element's cell. REQUIRES: the list ascends by cell, and the box is not empty.
// O(visited + rows of the box with elements beside it * log size).
template <class Element, class CellOf, class Visit>
bool any_in_box(const GridLayer& layer, std::span<const Element> sorted, PlaceBox box,
                CellOf cell_of, Visit visit) {
  box.x0 = std::max(box.x0, 0);
  box.y0 = std::max(box.y0, 0);
  box.x1 = std::min(box.x1, layer.width() - 1);
  box.y1 = std::min(box.y1, layer.height() - 1);
  if (box.empty() || box.y0 > box.y1) return false;
  const auto from = [&](auto begin, std::int32_t x, std::int32_t y) {
    return std::ranges::lower_bound(begin, sorted.end(), layer.node_at(x, y), {}, cell_of);
  };
  auto at = from(sorted.begin(), box.x0, box.y0);
  while (at != sorted.end()) {
    const Place place = place_of(layer, std::invoke(cell_of, *at));
    if (place.y > box.y1 || (place.y == box.y1 && place.x > box.x1)) return false;
    if (place.x < box.x0) {
      at = from(at, box.x0, place.y);
    } else if (place.x > box.x1) {
      at = from(at, box.x0, place.y + 1);
    } else {
      if (visit(*at)) return true;
      ++at;
    }
  }
  return false;
}

}  // namespace repath
