// The rectangle of cells that a request asks about, and its message.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "grid/cells/place.h"
#include "repath/v1/changes.pb.h"
#include "rpc/field.h"
#include "rpc/place_messages.h"

namespace repath {

// Returns the request's `area` clipped to the map; without one the whole map. INVALID_ARGUMENT with
// reason RECT_EMPTY, OUTSIDE_MAP or AREA_TOO_LARGE.
template <class Request>
absl::StatusOr<PlaceBox> to_area_box(const Request& request, const MapUnits& map,
                                     std::int64_t cells_max, const Field& field) {
  PlaceBox box{0, 0, map.width - 1, map.height - 1};
  if (request.has_area()) {
    const v1::CellRect& rect = request.area();
    if (rect.x0() >= rect.x1() || rect.y0() >= rect.y1())
      return refuse(field, "RECT_EMPTY", "must have x0 < x1 and y0 < y1");
    box = {std::max(box.x0, rect.x0()), std::max(box.y0, rect.y0()),
           std::min(box.x1, rect.x1() - 1), std::min(box.y1, rect.y1() - 1)};
    if (box.x0 > box.x1 || box.y0 > box.y1)
      return refuse(field, "OUTSIDE_MAP",
                    "must meet the map of " + std::to_string(map.width) + " x " +
                        std::to_string(map.height) + " cells");
  }
  const std::int64_t cells = std::int64_t{box.x1 - box.x0 + 1} * (box.y1 - box.y0 + 1);
  if (cells > cells_max) {
    return refuse(field, "AREA_TOO_LARGE",
                  "has " + std::to_string(cells) + " cells; at most " + std::to_string(cells_max) +
                      " fit an answer");
  }
  return box;
}

inline void fill_area_box(const PlaceBox& box, v1::CellRect* rect) {
  rect->set_x0(box.x0);
  rect->set_y0(box.y0);
  rect->set_x1(box.x1 + 1);
  rect->set_y1(box.y1 + 1);
}

}  // namespace repath
